#!/usr/bin/env bash
# Replaces each command of the documents: records the call under the command's name, and sends nothing.
# For `aws`, it runs the AWS CLI against a closed port. A call is valid if the CLI tries to connect.
set -uo pipefail

name=${0##*/}
call="$name $*"
printf '%s\n' "${call//$'\n'/ }" >>"$CALLS"

refuse() {
  printf '%s\n%s\n' "$call" "$1" >>"$CALLS.refused"
  exit 1
}

case "$call" in
  "${FAILING:-none}"*) exit 254 ;;
  # On a Mac, `date` has no option -d.
  'date '*-d*) refuse 'date: illegal option' ;;
  date*) exec /bin/date "$@" ;;
esac
for each in "$@"; do [ -n "$each" ] || refuse 'An argument is empty.'; done
case "$call" in
  'gh api '*/oidc/customization/sub*) echo 'repo:team@1/plant-store@2' ;;
  'gh api '*required_reviewers*) echo true ;;
  'gh run list '*) for each in ${RUNS:-}; do echo "$each"; done ;;
  'gh run view '*) jq -r "${!#}" "$3.json" ;;
esac
[ "$name" = aws ] || exit 0

case " $* " in
  *' PlantStore-none '*)
    echo 'An error occurred (ValidationError): Stack with id PlantStore-none does not exist' >&2
    exit 254
    ;;
esac

# An action with the same options is checked once, because each check takes half a second.
options="$1 $2"
for each in "$@"; do case $each in --*) options+=" $each" ;; esac; done
if [[ $'\n'$(<"$CALLS.accepted")$'\n' != *$'\n'"$options"$'\n'* ]]; then
  message=$("$AWS_CLI_COMMAND" "$@" 2>&1)
  case $message in
    *'Could not connect to the endpoint URL'*) echo "$options" >>"$CALLS.accepted" ;;
    *) refuse "$message" ;;
  esac
fi
case " $* " in
  *' PlantStore-failed '*TableName*) echo 'ROLLBACK_COMPLETE made-up:stack None None None None None' ;;
  *' PlantStore-prod '*TableName*)
    echo 'UPDATE_COMPLETE made-up:stack made-up-table a1b2c3 made-up-list made-up-authorizer https://made.up'
    ;;
  # At least as long as the shortest ARN of a backup that the AWS CLI accepts: 37 characters.
  *) echo 'made-up-name-of-at-least-37-characters' ;;
esac
