#!/usr/bin/env bash
# oapi-codegen (Go module), which generates Go clients, and what its clients import.
. "$(dirname "$0")/lib.sh"

version=2.8.2
bin=$cache/oapi-codegen-$version

install() {
  need go golang-go
  [ -x "$bin/oapi-codegen" ] || GOBIN=$bin installing "oapi-codegen $version" \
    go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v$version"
  installing 'the packages of its clients' go -C "$project/test/external/clients/go" mod download
}

start() {
  echo "BIN=$bin"
  echo "VERSION=oapi-codegen $version"
}

main "$@"
