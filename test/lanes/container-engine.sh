#!/usr/bin/env bash
# A container engine for a machine where none answers, as in .ci/run: Debian's dockerd with data and socket of its own.
. "$(dirname "$0")/lib.sh"

PATH=$PATH:/usr/sbin:/sbin

# One at a time on a machine: a second one would hand out the same addresses on the same bridge.
lock=/run/plant-store-container-engine.lock

engine_answers() { docker version >/dev/null 2>&1; }

install() {
  ! engine_answers || return 0
  [ "$(id -u)" = 0 ] || fail 'no container engine answers, and only root can start one; start Docker.'
  install_without_start
  need ip iproute2
}

# The package would start an engine itself, one that changes the firewall.
install_without_start() (
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    command install -m 755 /dev/stdin $policy <<<$'#!/bin/sh\nexit 101'
  fi
  need dockerd docker.io
)

start() {
  engine_answers || start_engine
  echo "DOCKER_HOST=${DOCKER_HOST:-unix:///var/run/docker.sock}"
  echo "VERSION=Docker $(docker version --format '{{.Server.Version}}')"
}

start_engine() {
  local run
  flock -n "$lock" true || fail 'another checkout runs one; end it, or set DOCKER_HOST to its address.'
  # In a short place: a socket's path may have 107 bytes.
  run=$(mktemp -d /run/plant-store.XXXXXX)
  echo "$run" >"$state/run"
  [ -e /sys/class/net/docker0 ] || touch "$state/made-bridge"
  export DOCKER_HOST=unix://$run/docker.sock
  # Without the firewall's rules containers reach this machine and nothing beyond.
  serve engine_answers flock --no-fork -n "$lock" \
    dockerd --host "$DOCKER_HOST" --data-root "$cache/docker" --exec-root "$run/exec" --pidfile "$run/pid" \
    --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --shutdown-timeout 2 --log-level warn
  # Of a run that was killed.
  docker container prune --force >/dev/null
}

clean() {
  [ ! -e "$state/made-bridge" ] || ip link delete docker0 2>/dev/null || true
  [ ! -e "$state/run" ] || rm -rf "$(cat "$state/run")"
}

main "$@"
