#!/usr/bin/env bash
# Schemathesis (PyPI), which makes requests from an interface description and judges the answers by it.
. "$(dirname "$0")/lib.sh"

version=4.32.5

install() { python_packages "schemathesis==$version"; }

start() {
  echo "COMMAND=$venv/bin/schemathesis"
  echo "VERSION=Schemathesis $version"
}

main "$@"
