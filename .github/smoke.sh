#!/usr/bin/env bash
# Runs the smoke test on BASE_URL with a token for a client (RFC 6749, section 4.4). docs/pipeline.md explains the variables.
set -euo pipefail

: "${BASE_URL:?is not set}" "${TOKEN_URL:?is not set}"
TOKEN=$(curl -fsS --max-time 30 --user "$CLIENT" --data "$TOKEN_REQUEST" "$TOKEN_URL" | jq -er .access_token)
echo "::add-mask::$TOKEN"
export TOKEN
npm run -s smoke | tee smoke.log
if grep -q 'fewer than two plants' smoke.log; then
  echo '::error::The smoke test could not check the order and the pages. Give its client two plants (docs/pipeline.md).'
  exit 1
fi
