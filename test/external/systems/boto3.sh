#!/usr/bin/env bash
# boto3, AWS's own client for Python (PyPI), for the benchmark of imports.
. "$(dirname "$0")/lib.sh"

version=1.44.5

install() { python_packages "boto3==$version"; }

start() {
  echo "PYTHON=$venv/bin/python"
  echo "VERSION=boto3 $version"
}

main "$@"
