#!/usr/bin/env bash
# oasdiff (Go module), which finds the breaking changes between two interface descriptions.
. "$(dirname "$0")/lib.sh"

# Newer versions need a module that cannot be fetched everywhere.
version=1.33.0
bin=$cache/oasdiff-$version

install() {
  # The tests read the released description from git's history.
  [ "$(git -C "$project" rev-parse --is-shallow-repository 2>/dev/null)" = false ] ||
    missing "this checkout lacks git's history; clone it without --depth, or run git fetch --unshallow --tags."
  need go golang-go
  [ -x "$bin/oasdiff" ] ||
    GOBIN=$bin installing "oasdiff $version" go install "github.com/oasdiff/oasdiff@v$version"
}

start() {
  echo "COMMAND=$bin/oasdiff"
  echo "VERSION=oasdiff $version"
}

main "$@"
