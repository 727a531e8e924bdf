#!/usr/bin/env bash
# AWS's SAM CLI, with the image its containers are made of, on the container engine of this machine.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lambda-image.sh"

version=1.170.0

install() {
  docker version >/dev/null 2>&1 || missing 'no container engine answers; start Docker, or test/lanes/container-engine.sh up.'
  python_packages "aws-sam-cli==$version"
  lambda_image
}

start() {
  echo "BIN=$venv/bin"
  echo "VERSION=SAM CLI $version"
}

main "$@"
