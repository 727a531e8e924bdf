#!/usr/bin/env bash
# OpenAPI Generator (Maven Central), which generates clients in Go and Java, and the libraries that they need.
. "$(dirname "$0")/lib.sh"

version=7.25.0
bin=$cache/openapi-generator-$version

install() {
  need mvn maven
  need javac default-jdk-headless
  need go golang-go
  go_packages go-openapi-generator
  [ ! -e "$bin/.done" ] || return 0
  rm -rf "$bin"
  mkdir -p "$bin"
  installing "OpenAPI Generator $version" maven copy -DoutputDirectory="$bin" \
    -Dartifact="org.openapitools:openapi-generator-cli:$version"
  # Package managers install the command under this name.
  printf '#!/bin/sh\nexec java -jar "%s" "$@"\n' \
    "$bin/openapi-generator-cli-$version.jar" >"$bin/openapi-generator-cli"
  chmod +x "$bin/openapi-generator-cli"
  installing 'a Java client' "$bin/openapi-generator-cli" generate \
    -g java --library native -i "$project/openapi.yaml" -o "$state/client"
  installing 'the libraries of its Java clients' maven copy-dependencies -f "$state/client/pom.xml" \
    -DincludeScope=compile -DoutputDirectory="$bin/lib"
  touch "$bin/.done"
}

start() {
  echo "BIN=$bin"
  echo "VERSION=OpenAPI Generator $version"
}

main "$@"
