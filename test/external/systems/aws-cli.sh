#!/usr/bin/env bash
# The AWS CLI: its own parser and models know which commands and options there are. No server, only a command.
. "$(dirname "$0")/lib.sh"

version=1.46.3

install() {
  python_packages "awscli==$version"
  need jq jq
}

start() {
  echo "COMMAND=$venv/bin/aws"
  echo "VERSION=AWS CLI $version"
}

main "$@"
