#!/usr/bin/env bash
# Toxiproxy, a TCP proxy that slows, cuts and resets connections as configured over HTTP.
. "$(dirname "$0")/lib.sh"

version=2.5.0

install() { go_command github.com/Shopify/toxiproxy/v2/cmd/server "$version"; }

start() {
  choose_port TOXIPROXY_PORT
  serve "curl -fsS http://127.0.0.1:$port/version" "$bin/server" -host 127.0.0.1 -port "$port"
  echo "ENDPOINT=http://127.0.0.1:$port"
  echo "VERSION=Toxiproxy $version"
}

main "$@"
