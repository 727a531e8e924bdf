#!/usr/bin/env bash
# Rejects a $COMMIT that is not on main, or that has not passed CI on main.
set -euo pipefail

# The full name, because Git would resolve the short name `origin/main` to a tag of that name.
main=refs/remotes/origin/main
if [[ ! $COMMIT =~ ^[0-9a-f]{40}$ ]] || ! git merge-base --is-ancestor "$COMMIT" "$main"; then
  echo '::error::The commit to deploy must be the full SHA of a commit on main.'
  exit 1
fi
passed=$(gh run list --workflow ci.yml --branch main --event push --commit "$COMMIT" --status success \
  --json databaseId --jq length)
if [[ $passed == 0 ]]; then
  echo "::error::$COMMIT has not passed CI on main."
  exit 1
fi
