#!/usr/bin/env bash
# openapi-fetch, which the TypeScript client in examples/ uses: requests with types made from openapi.yaml.
. "$(dirname "$0")/lib.sh"

folder=$project/examples/typescript

install() { installing openapi-fetch npm --prefix "$folder" ci; }

start() {
  echo "VERSION=openapi-fetch $(node -p 'require(process.argv[1]).version' "$folder/node_modules/openapi-fetch/package.json")"
}

main "$@"
