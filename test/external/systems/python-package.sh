#!/usr/bin/env bash
# The external systems that are one package of PyPI: a command, or a library.
. "$(dirname "$0")/lib.sh"

#        name                   package                version  title                  command
table='
         aws-cli                awscli                 1.46.3   AWS_CLI                aws
         cfn-lint               cfn-lint               1.58.0   cfn-lint               cfn-lint
         checkov                checkov                3.3.30   checkov                checkov
         openapi-python-client  openapi-python-client  0.29.1   openapi-python-client  openapi-python-client
         python-requests        requests               -        requests               -
         schemathesis           schemathesis           4.32.5   Schemathesis           schemathesis
'
entry=$(grep -E "^ *$system " <<<"$table") || fail 'there is no script for it, and it is not in the table of python-package.sh.'
read -r _ package version title command <<<"$entry"
# The example's requirements.txt names the version.
[ "$system" != python-requests ] || version=$(sed -n 's/^requests==//p' "$project/examples/python/requirements.txt")

install() {
  python_packages "$package==$version"
  # The commands of the documents that use the AWS CLI use jq, too.
  [ "$system" != aws-cli ] || need jq jq
}

start() {
  if [ "$command" = - ]; then echo "PYTHON=$venv/bin/python"; else echo "COMMAND=$venv/bin/$command"; fi
  echo "VERSION=${title//_/ } $version"
}

main "$@"
