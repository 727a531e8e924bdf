#!/usr/bin/env bash
# What the TypeScript client of examples/ needs: openapi-fetch, which sends requests by types made from openapi.yaml.
. "$(dirname "$0")/lib.sh"

folder=$project/examples/typescript

install() { installing openapi-fetch npm --prefix "$folder" ci; }

start() {
  echo "VERSION=openapi-fetch $(node -p 'require(process.argv[1]).version' "$folder/node_modules/openapi-fetch/package.json")"
}

main "$@"
