#!/usr/bin/env bash
# Stands in for each command of the documents: records the call under the command's name and sends nothing. For `aws` it
# runs the AWS CLI with an endpoint that refuses connections: a call that tries to connect is valid.
set -uo pipefail

name=$(basename "$0")
printf '%s\n' "$name $*" | tr '\n' ' ' >>"$CALLS"
echo >>"$CALLS"
case "$name $*" in
  aws*) ;;
  'gh api '*/oidc/customization/sub*) echo 'repo:team@1/plant-store@2' ;;&
  *) exit 0 ;;
esac

# An action with the same options is checked once, because each check takes half a second.
options="$1 $2"
for each in "$@"; do case $each in --*) options+=" $each" ;; esac; done
if ! grep -qxF -- "$options" "$CALLS.taken" 2>/dev/null; then
  said=$("$AWS_CLI_COMMAND" "$@" 2>&1)
  case $said in
    *'Could not connect to the endpoint URL'*) echo "$options" >>"$CALLS.taken" ;;
    *)
      printf '%s\n%s\n' "aws $*" "$said" >>"$CALLS.refused"
      exit 1
      ;;
  esac
fi
case " $* " in
  *' dynamodb query '* | *' dynamodb scan '*) cat "$ITEMS" ;;
  *' --output json '*) echo '{}' ;;
  *) echo 'made-up' ;;
esac
