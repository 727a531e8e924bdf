#!/usr/bin/env bash
# The AWS SAM CLI, and the image for its containers.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lambda-image.sh"

version=1.170.0

install() {
  [ -z "${CONTAINER_ENGINE_DOCKER_HOST:-}" ] || export DOCKER_HOST=$CONTAINER_ENGINE_DOCKER_HOST
  python_packages "aws-sam-cli==$version"
  lambda_image
}

start() {
  echo "BIN=$venv/bin"
  echo "VERSION=SAM CLI $version"
}

main "$@"
