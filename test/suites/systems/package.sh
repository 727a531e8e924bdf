#!/usr/bin/env bash
# The third-party systems that are one package of PyPI or one command of a Go module.
. "$(dirname "$0")/lib.sh"

# oasdiff: newer versions need a module that cannot be fetched everywhere.
#        name                   from  package                                                   version  command
table='
         actionlint             Go    github.com/rhysd/actionlint/cmd/actionlint                1.7.12   actionlint
         oapi-codegen           Go    github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen  2.8.2    oapi-codegen
         oasdiff                Go    github.com/oasdiff/oasdiff                                1.33.0   oasdiff
         aws-cli                PyPI  awscli                                                    1.46.3   aws
         cfn-lint               PyPI  cfn-lint                                                  1.58.0   cfn-lint
         checkov                PyPI  checkov                                                   3.3.30   checkov
         openapi-python-client  PyPI  openapi-python-client                                     0.29.1   openapi-python-client
         python-requests        PyPI  requests                                                  -        -
         schemathesis           PyPI  schemathesis                                              4.32.5   schemathesis
'
entry=$(grep -E "^ *$system " <<<"$table") || fail 'neither a script nor a row in package.sh installs it.'
read -r _ from package version command <<<"$entry"
# The example's requirements.txt names the version.
requirements=$project/examples/python/requirements.txt
[ "$system" != python-requests ] || version=$(sed -n 's/^requests==//p' "$requirements")

install() {
  # What the tests need beside it.
  case $system in
    # The commands of workflows are checked with ShellCheck, and use jq and curl.
    actionlint) need shellcheck shellcheck && need jq jq && need curl curl ;;
    # The commands of the documents use jq, and must work in zsh, too.
    aws-cli) need jq jq && need zsh zsh ;;
    # The tests read the released description from git's history.
    oasdiff)
      [ "$(git -C "$project" rev-parse --is-shallow-repository 2>/dev/null)" = false ] ||
        missing "Git's history is missing; clone without --depth, or run git fetch --unshallow --tags."
      ;;
  esac
  case $from in
    Go) go_command "$package" "$version" ;;
    PyPI) python_packages "$package==$version" ;;
  esac
  # The packages that its clients import.
  [ "$system" != oapi-codegen ] || go_packages go
}

start() {
  [ "$from" = Go ] || bin=$venv/bin
  if [ "$command" = - ]; then echo "PYTHON=$bin/python"; else echo "COMMAND=$bin/$command"; fi
  echo "VERSION=$system $version"
}

main "$@"
