#!/usr/bin/env bash
# openapi-typescript, which makes types from openapi.yaml, and openapi-fetch, which makes requests with them.
# The TypeScript client in examples/ uses both.
. "$(dirname "$0")/lib.sh"

folder=$project/examples/typescript

install() {
  # npm writes this file last.
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] ||
    installing openapi-fetch npm --prefix "$folder" ci
}

start() { echo "VERSION=$(package openapi-typescript) with $(package openapi-fetch)"; }

# The name and version of a package.
package() { echo "$1 $(node -p 'require(process.argv[1]).version' "$folder/node_modules/$1/package.json")"; }

main "$@"
