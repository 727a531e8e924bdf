#!/usr/bin/env bash
# The AWS SAM CLI, and the image for its containers.
. "$(dirname "$0")/lib.sh"

version=1.170.0

install() {
  [ -z "${CONTAINER_ENGINE_DOCKER_HOST:-}" ] || export DOCKER_HOST=$CONTAINER_ENGINE_DOCKER_HOST
  python_packages "aws-sam-cli==$version"
  lambda_image
}

# The base image that SAM uses for nodejs24.x, made without an image registry: Node.js from npm, Lambda's own
# runtime client, and the C libraries of this machine, with which the client was linked.

architecture=$(uname -m | sed s/aarch64/arm64/)
image=public.ecr.aws/lambda/nodejs:24-$architecture
# SAM builds this image on the base image, and does not rebuild it when the base changes.
sam_image=public.ecr.aws/lambda/nodejs:24-rapid-$architecture

# Makes the image, unless there is one that was pulled or made from the same parts.
lambda_image() {
  local version client parts label
  version=4.0.2
  client=$cache/aws-lambda-ric-$version
  parts="node $(node --version), client $version"
  if label=$(docker image inspect --format '{{index .Config.Labels "plant-store"}}' \
    "$image" 2>/dev/null); then
    [ -n "$label" ] && [ "$label" != "$parts" ] || return 0
  fi
  [ "$(uname)" = Linux ] || missing "the image is made on Linux only; docker pull $image."
  [ -e "$client" ] || runtime_client "$client" "$version"
  installing "$image" import_image "$client" "$parts"
}

runtime_client() { # FOLDER VERSION
  need cmake cmake
  need g++ g++
  need make make
  need xz xz-utils
  installing "aws-lambda-ric $2" compile_client "$@"
}

# The folder gets its name last, so that an interrupted build does not look complete.
compile_client() { # FOLDER VERSION
  local unfinished=$1.unfinished compiled=$project/bench/node_modules/aws-lambda-ric
  rm -rf "$unfinished"
  mkdir -p "$unfinished"
  # The benchmark may have compiled it.
  if ! grep -q "\"version\": \"$2\"" "$compiled/package.json" || ! loads "$compiled"; then
    compiled=$unfinished/package/node_modules/aws-lambda-ric
    install_client "$unfinished/package" "$2"
  fi
  cp "$compiled"/{index.mjs,rapid-client.node} "$unfinished"
  rm -rf "$unfinished/package"
  loads "$unfinished"
  mv "$unfinished" "$1"
}

install_client() { # FOLDER VERSION
  mkdir -p "$1"
  echo '{ "allowScripts": { "aws-lambda-ric": true } }' >"$1/package.json"
  # The headers are in the npm package of Node.js, so none are downloaded.
  npm_config_nodedir=$(echo "$project"/node_modules/node/node_modules/node-linux-*) \
    npm --prefix "$1" install --no-audit --no-fund "aws-lambda-ric@$2"
}

# Whether the client in a folder loads, for which AWS_LAMBDA_RUNTIME_API must be set.
loads() { # FOLDER
  AWS_LAMBDA_RUNTIME_API=none node --eval 'require(process.argv[1])' "$1/rapid-client.node"
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
  # SAM needs these to build its image.
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
