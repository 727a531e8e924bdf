#!/usr/bin/env bash
# Releases the checked-out commit: tags it with the version in package.json, and publishes that version's section of
# CHANGELOG.md with a bill of materials.
set -euo pipefail

refuse() {
  echo "::error::$1"
  exit 1
}

version=$(jq -er .version package.json)
tag=v$version
[[ $GITHUB_REF == refs/heads/main ]] || refuse "Only main is released, not $GITHUB_REF."
if git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null; then
  refuse "The tag $tag exists already: give package.json, package-lock.json and CHANGELOG.md the next version."
fi
notes=$(awk -v heading="## [$version] - " '/^## |^\[.*\]: / { found = index($0, heading) == 1; next } found' CHANGELOG.md)
[[ $notes =~ [^[:space:]] ]] || refuse "CHANGELOG.md has no section \"## [$version] - DATE\" with text."
passed=$(gh run list --workflow ci.yml --branch main --commit "$GITHUB_SHA" --status success --json databaseId --jq length)
[[ $passed != 0 ]] || refuse "CI has not passed on $GITHUB_SHA."

bill="$RUNNER_TEMP/plant-store-$version.cdx.json"
npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application >"$bill"
gh release create "$tag" --target "$GITHUB_SHA" --title "$tag" --notes "$notes" "$bill"
