#!/usr/bin/env bash
# oidc-provider, a library for issuers of tokens (npm). The tests run it, because they change its keys.
. "$(dirname "$0")/lib.sh"

version=9.13.3
packages=$cache/oidc-provider-$version

install() {
  [ ! -e "$packages/.done" ] || return 0
  rm -rf "$packages"
  mkdir -p "$packages"
  installing "oidc-provider $version" \
    npm --prefix "$packages" install --no-audit --no-fund "oidc-provider@$version"
  touch "$packages/.done"
}

start() {
  echo "FOLDER=$packages"
  echo "VERSION=oidc-provider $version"
}

main "$@"
