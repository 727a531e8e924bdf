#!/usr/bin/env bash
# What the Python client of examples/ needs: requests (PyPI).
. "$(dirname "$0")/lib.sh"

package=$(<"$project/examples/python/requirements.txt")

install() { python_packages "$package"; }

start() {
  echo "COMMAND=$venv/bin/python"
  echo "VERSION=${package/==/ }"
}

main "$@"
