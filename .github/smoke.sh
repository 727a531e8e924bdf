#!/usr/bin/env bash
# Runs the smoke test on BASE_URL. TOKEN_REQUEST is a configuration of curl that requests a token.
set -euo pipefail

: "${BASE_URL:?is not set}" "${TOKEN_REQUEST:?is not set}"
TOKEN=$(curl -fsS --max-time 30 --config - <<<"$TOKEN_REQUEST" | jq -er .access_token)
echo "::add-mask::$TOKEN"
TOKEN=$TOKEN npm run -s smoke | tee smoke.log
if grep -q 'fewer than two plants' smoke.log; then
  echo '::error::The smoke test could not check order and list pages, because its caller has fewer than two' \
    'plants. Load plants for the client of the smoke test (docs/pipeline.md).'
  exit 1
fi
