#!/usr/bin/env bash
# MiniStack, an emulator of AWS: runs the real `cdk bootstrap` and `cdk deploy`, and evaluates IAM policies.
. "$(dirname "$0")/lib.sh"

version=1.5.33

# Without the package cryptography, MiniStack publishes a fixed key, and signs tokens with random bytes.
install() { python_packages "ministack==$version" hypercorn==0.18.0 cryptography==50.0.2; }

start() {
  choose_port MINISTACK_PORT
  mkdir "$state/home"
  # MiniStack unpacks the functions in this folder. Their bundles are CommonJS, unlike this project.
  echo '{"type":"commonjs"}' >"$state/package.json"
  cd "$state"
  # MiniStack passes its environment on to the functions, so it gets none of this process's variables.
  serve "curl -fsS http://127.0.0.1:$port/_ministack/ready" \
    env -i PATH="$PATH" HOME="$state/home" TMPDIR="$state/home" LANG=C.UTF-8 \
    GATEWAY_PORT="$port" BIND_HOST=127.0.0.1 AWS_ENDPOINT_URL="http://127.0.0.1:$port" \
    STATE_DIR="$state/home" PERSIST_STATE=0 LAMBDA_EXECUTOR=local SFTP_ENABLED=0 AUTH=true \
    "$venv/bin/python" "$venv/bin/ministack"
  echo "ENDPOINT=http://127.0.0.1:$port"
  echo "VERSION=MiniStack $version"
}

main "$@"
