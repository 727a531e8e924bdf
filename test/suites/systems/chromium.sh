#!/usr/bin/env bash
# Chromium, or Google Chrome if Chromium is missing.
. "$(dirname "$0")/lib.sh"

# GitHub's runners have Google Chrome and no Chromium.
browser() { command -v chromium || command -v google-chrome; }

install() { browser >/dev/null || need chromium chromium; }

start() {
  local command
  command=$(browser)
  echo "COMMAND=$command"
  # `--version` prints more than the version, as in "Chromium 156.0.8078.79 built on Debian ...".
  echo "VERSION=$("$command" --version | grep -oE '^[A-Za-z ]+[0-9.]+')"
}

main "$@"
