#!/usr/bin/env bash
# Lambda's runtime client (npm), for the suite `sam` and the benchmark. Prints the folder that has it, shared
# by all checkouts; compiles it there unless it loads.
. "$(dirname "$0")/lib.sh"

version=4.0.2
client=$cache/aws-lambda-ric-$version

# The client reads the variable while it loads.
loads() { AWS_LAMBDA_RUNTIME_API=none node --eval 'require(process.argv[1])' "$client/rapid-client.node"; }

compile() {
  mkdir -p "$state" "$client"
  echo '{ "allowScripts": { "aws-lambda-ric": true } }' >"$state/package.json"
  # The headers are in the npm package of Node.js, so none are downloaded.
  npm_config_nodedir=$(echo "$project"/node_modules/node/node_modules/node-linux-*) \
    npm --prefix "$state" install --no-audit --no-fund --ignore-scripts=false "aws-lambda-ric@$version"
  cp "$state"/node_modules/aws-lambda-ric/{index.mjs,rapid-client.node} "$client"
  rm -rf "$state"
  loads
}

exec 9>"$cache/$system.lock"
flock 9
if ! loads 2>/dev/null; then
  need cmake cmake
  need g++ g++
  need make make
  need python3 python3
  need xz xz-utils
  installing "aws-lambda-ric $version" compile
fi
echo "$client"
