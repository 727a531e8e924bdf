#!/usr/bin/env bash
# The AWS SAM CLI, and the image for its containers.
. "$(dirname "$0")/lib.sh"

version=1.170.0

install() {
  [ -z "${CONTAINER_ENGINE_DOCKER_HOST:-}" ] || export DOCKER_HOST=$CONTAINER_ENGINE_DOCKER_HOST
  python_packages "aws-sam-cli==$version"
  lambda_image
}

# The base image that SAM uses for nodejs24.x. It is built without an image registry from Node.js (npm),
# Lambda's own runtime client, and the C libraries of this machine, with which the client was linked.

architecture=$(uname -m | sed s/aarch64/arm64/)
image=public.ecr.aws/lambda/nodejs:24-$architecture
# SAM builds this image on the base image, and does not rebuild it when the base changes.
sam_image=public.ecr.aws/lambda/nodejs:24-rapid-$architecture

# Builds the image, unless it was pulled or built from the same parts before.
lambda_image() {
  local client parts label
  label=$(docker image inspect --format '{{index .Config.Labels "plant-store"}}' "$image" 2>/dev/null) ||
    label=none
  # An image without this label was pulled, so it is kept.
  [ -n "$label" ] || return 0
  [ "$(uname)" = Linux ] || missing "the image can be built on Linux only; run docker pull $image."
  client=$("$(dirname "$0")/runtime-client.sh")
  parts="node $(node --version), client $(basename "$client")"
  [ "$label" = "$parts" ] || installing "$image" import_image "$client" "$parts"
}

import_image() { # CLIENT LABEL
  local root=$state/image tool library
  mkdir -p "$root"/{bin,var/{task,runtime,lang/bin}} && mkdir -m 1777 "$root/tmp"
  cp "$(realpath "$(command -v node)")" "$root/var/lang/bin/node"
  cp "$1"/{index.mjs,rapid-client.node} "$root/var/runtime/"
  cat >"$root/var/runtime/bootstrap" <<'SH'
#!/bin/sh
exec /var/lang/bin/node --max-http-header-size 81920 /var/runtime/index.mjs
SH
  chmod +x "$root/var/runtime/bootstrap"
  # SAM runs these commands when it builds its image.
  for tool in sh mv chmod; do cp -L "$(command -v "$tool")" "$root/bin/"; done
  ldd "$root"/bin/* "$root/var/lang/bin/node" "$root/var/runtime/rapid-client.node" |
    grep -o '/[^ :]*\.so[^ :]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  docker image rm --force "$sam_image" "$image"
  tar -C "$root" --owner=0 --group=0 -c . | docker import \
    --change 'ENV PATH=/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin' \
    --change 'ENV LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime TZ=UTC' \
    --change 'WORKDIR /var/task' --change "LABEL plant-store='$2'" - "$image"
}

start() {
  echo "BIN=$venv/bin"
  echo "VERSION=SAM CLI $version"
}

main "$@"
