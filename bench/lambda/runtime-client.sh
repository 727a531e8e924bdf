#!/bin/sh
# Compiles Lambda's runtime client in bench/node_modules, unless it loads. npm does not repeat an install
# script that was interrupted or left out.
cd "$(dirname "$0")/.." || exit

# The client reads the variable while it loads.
loads() { AWS_LAMBDA_RUNTIME_API=none node --eval 'require("aws-lambda-ric/rapid-client.node")'; }

loads 2>/dev/null && exit
# The headers are in the npm package of Node.js, so none are downloaded.
for headers in "$PWD"/../node_modules/node/node_modules/node-linux-*; do
  npm_config_nodedir=$headers npm rebuild aws-lambda-ric || exit
done
loads
