#!/usr/bin/env bash
# Runs the smoke test on BASE_URL with a token for a client (RFC 6749, section 4.4). docs/pipeline.md explains the variables.
set -euo pipefail

: "${BASE_URL:?is not set}" "${TOKEN_URL:?is not set}"
TOKEN=$(curl -fsS --max-time 30 --user "$CLIENT" --data "${TOKEN_REQUEST:-grant_type=client_credentials}" "$TOKEN_URL" |
  jq -er .access_token)
echo "::add-mask::$TOKEN"
TOKEN=$TOKEN npm run -s smoke | tee smoke.log
! grep -q 'fewer than two plants' smoke.log ||
  { echo '::error::The smoke test could not check order and pages. Give its client two plants (docs/pipeline.md).' && exit 1; }
