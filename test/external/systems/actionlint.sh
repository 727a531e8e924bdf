#!/usr/bin/env bash
# actionlint, which checks GitHub Actions workflows, and their commands with ShellCheck. The commands use jq and curl.
. "$(dirname "$0")/lib.sh"

version=1.7.12
bin=$cache/actionlint-$version

install() {
  need go golang-go
  need shellcheck shellcheck
  need jq jq
  need curl curl
  [ -x "$bin/actionlint" ] ||
    GOBIN=$bin installing "actionlint $version" go install "github.com/rhysd/actionlint/cmd/actionlint@v$version"
}

start() {
  echo "COMMAND=$bin/actionlint"
  echo "VERSION=actionlint $version"
}

main "$@"
