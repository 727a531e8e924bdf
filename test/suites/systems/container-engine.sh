#!/usr/bin/env bash
# The container engine of this machine. If there is none and OWN_CONTAINER_ENGINE is set, as in .ci/run, the
# script starts Debian's dockerd with its own data and socket.
. "$(dirname "$0")/lib.sh"

PATH=$PATH:/usr/sbin:/sbin

# Only one engine of this script runs on a machine, because a second one would use the same addresses of the
# bridge.
lock=/run/plant-store-container-engine.lock

engine_responds() { docker version >/dev/null 2>&1; }

install() {
  ! engine_responds || return 0
  [ -n "${OWN_CONTAINER_ENGINE:-}" ] || missing 'no container engine responds; start Docker.'
  [ "$(id -u)" = 0 ] ||
    fail 'only root can start a container engine; start Docker yourself, and unset OWN_CONTAINER_ENGINE.'
  install_without_start
  need ip iproute2
}

# Installs dockerd with a policy that forbids starting services. Otherwise the package would start dockerd,
# with firewall rules.
install_without_start() (
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    command install -m 755 /dev/stdin $policy <<<$'#!/bin/sh\nexit 101'
  fi
  need dockerd docker.io
)

start() {
  engine_responds || start_engine
  [ -z "${DOCKER_HOST:-}" ] || echo "DOCKER_HOST=$DOCKER_HOST"
  echo "VERSION=Docker $(docker version --format '{{.Server.Version}}')"
}

start_engine() {
  local run
  flock -n "$lock" true ||
    fail 'another checkout runs its own container engine; stop it, or set DOCKER_HOST to its address.'
  # The folder is in /run, because a socket's path may have 107 bytes at most (unix(7)).
  run=$(mktemp -d /run/plant-store.XXXXXX)
  echo "$run" >"$state/run"
  [ -e /sys/class/net/docker0 ] || touch "$state/made-bridge"
  # Deletes stored networks, so that each run is like the first one on a new machine, when Docker does not
  # report the address of its bridge at once.
  rm -rf "$cache/docker/network"
  export DOCKER_HOST=unix://$run/docker.sock
  # dockerd runs in its own namespaces, so that no container and no mount outlives it. Because it sets no
  # firewall rules, containers reach this machine and nothing else.
  serve engine_responds flock --no-fork -n "$lock" unshare --mount --pid --fork --kill-child --mount-proc \
    dockerd --host "$DOCKER_HOST" --data-root "$cache/docker" --exec-root "$run/exec" --pidfile "$run/pid" \
    --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
    --shutdown-timeout 2 --log-level warn
  # A run that was killed may have left containers in the data.
  docker container prune --force >&2
}

clean() {
  [ ! -e "$state/made-bridge" ] || ip link delete docker0 2>/dev/null || true
  [ ! -e "$state/run" ] || rm -rf "$(cat "$state/run")"
}

main "$@"
