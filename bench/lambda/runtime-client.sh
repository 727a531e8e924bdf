#!/bin/sh
# Compiles Lambda's runtime client in bench/node_modules, unless it loads. npm does not repeat an install
# script that was interrupted or left out.
cd "$(dirname "$0")/.." || exit

# The client reads the variable while it loads.
loads() { AWS_LAMBDA_RUNTIME_API=none node --eval 'require("aws-lambda-ric/rapid-client.node")'; }

loads 2>/dev/null && exit
# The suite sam keeps the client that it uses.
version=$(node --print 'require("./node_modules/aws-lambda-ric/package.json").version')
compiled=${XDG_CACHE_HOME:-$HOME/.cache}/plant-store/aws-lambda-ric-$version/rapid-client.node
cp "$compiled" node_modules/aws-lambda-ric 2>/dev/null && loads 2>/dev/null && exit
# The headers are in the npm package of Node.js, so none are downloaded.
for headers in "$PWD"/../node_modules/node/node_modules/node-linux-*; do
  npm_config_nodedir=$headers npm rebuild aws-lambda-ric || exit
done
loads
