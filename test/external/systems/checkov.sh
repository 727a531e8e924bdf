#!/usr/bin/env bash
# checkov: rules for CloudFormation templates, and a search for secrets. No server, only a command.
. "$(dirname "$0")/lib.sh"

version=3.3.30

install() { python_packages "checkov==$version"; }

start() {
  echo "COMMAND=$venv/bin/checkov"
  echo "VERSION=checkov $version"
}

main "$@"
