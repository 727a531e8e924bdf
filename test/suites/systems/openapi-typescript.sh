#!/usr/bin/env bash
# openapi-typescript, which makes types from openapi.yaml for the TypeScript client in examples/.
. "$(dirname "$0")/lib.sh"

folder=$project/examples/typescript

install() {
  # npm writes `.package-lock.json` last, so a newer one shows that the installation is complete.
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] ||
    installing openapi-typescript npm --prefix "$folder" ci
}

start() {
  local version
  version=$(node -p 'require(process.argv[1]).version' "$folder/node_modules/openapi-typescript/package.json")
  echo "VERSION=openapi-typescript $version"
}

main "$@"
