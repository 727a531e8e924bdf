#!/usr/bin/env bash
# Refuses a $COMMIT that is not on main, or has not passed CI there. Git would take a tag `origin/main` for the branch, so the
# ref has its full name.
set -euo pipefail

if [[ ! $COMMIT =~ ^[0-9a-f]{40}$ ]] || ! git merge-base --is-ancestor "$COMMIT" refs/remotes/origin/main; then
  echo '::error::The commit to deploy must be the full SHA of a commit on main.'
  exit 1
fi
passed=$(gh run list --workflow ci.yml --branch main --event push --commit "$COMMIT" --status success --json databaseId --jq length)
if [[ $passed == 0 ]]; then
  echo "::error::$COMMIT has not passed CI on main."
  exit 1
fi
