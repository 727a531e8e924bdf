#!/usr/bin/env bash
# cfn-lint: CloudFormation templates against AWS's own schemas of its resources. No server, only a command.
. "$(dirname "$0")/lib.sh"

version=1.58.0

install() { python_packages "cfn-lint==$version"; }

start() {
  echo "COMMAND=$venv/bin/cfn-lint"
  echo "VERSION=cfn-lint $version"
}

main "$@"
