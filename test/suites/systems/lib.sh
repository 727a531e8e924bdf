# shellcheck shell=bash
# What the scripts of this folder share. Each but runtime-client.sh installs and starts a third-party system:
# it defines `install` and `start`, and ends with `main "$@"`. Usage of a script: up|down [NAME [SUITE]]
set -euo pipefail

system=${2:-$(basename "$0" .sh)}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# Downloads, shared by all checkouts.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plant-store
# Process id and data of the system while it runs for a suite of this checkout.
instance=${3:+$3-}$system
state=$project/.local/systems/$instance
logs=$project/test-results/suites
mkdir -p "$logs" "$cache"
export PATH=$project/node_modules/.bin:$PATH
# These Java programs end before the optimizing compiler (C2) saves the time it takes.
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:-} -XX:TieredStopAtLevel=1"

fail() {
  printf '%s: %s\n' "$system" "$*" >&2
  exit 1
}

# Ends with the exit code for "cannot run on this machine" (as in Automake's test protocol).
missing() {
  printf '%s: %s\n' "$system" "$*" >&2
  exit 77
}

# Runs a command that installs something; prints the last lines of its output if it fails. Not run as a
# condition, in which bash would ignore `set -e` within functions.
installing() { # NAME COMMAND...
  local name=$1 log=$logs/$system-install.log status
  shift
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1
  status=$?
  set -e
  [ $status = 0 ] || {
    tail -n 5 "$log" >&2
    fail "$name could not be installed; the log is $log."
  }
}

# Installs Debian packages if the machine lacks a command.
need() { # COMMAND PACKAGE...
  local command=$1
  shift
  ! command -v "$command" >/dev/null || return 0
  [ "$(id -u)" = 0 ] || fail "$command is missing; install the packages: $*."
  installing "$*" apt_install "$@"
}
apt_install() {
  one_at_a_time apt-get update -qq
  DEBIAN_FRONTEND=noninteractive one_at_a_time apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "$@"
}

# Runs a program under its lock, so that no other checkout or suite runs it at the same time.
one_at_a_time() { # PROGRAM ARGUMENT...
  flock "$cache/$1.lock" "$@"
}

# uv makes all virtual environments: pip takes half a minute for a large tree, uv two seconds.
uv=$cache/uv/bin/uv
install_uv() {
  python3 -m pip --version || need 'python3 -m pip' python3-pip
  # Not in a virtual environment of its own, which takes longer to make. Some machines set these for pip.
  PIP_REQUIRE_VIRTUALENV=false PIP_USER=false \
    python3 -m pip install --disable-pip-version-check --target "$cache/uv" uv
}

# Installs packages from PyPI into a virtual environment; sets `venv` to its folder.
python_packages() { # NAME==VERSION...
  # Named for all packages and versions, so that each list has its own environment.
  venv=${*//==/-}
  venv=$cache/${venv// /+}
  [ ! -e "$venv/.done" ] || return 0
  (flock 8 && { [ -x "$uv" ] || installing uv install_uv; }) 8>"$cache/uv.lock"
  installing "$1" "$uv" venv --clear --python "$(command -v python3)" "$venv"
  installing "$1" "$uv" pip install --python "$venv/bin/python" "$@"
  touch "$venv/.done"
}

# Downloads from Maven Central with Maven's dependency plugin.
maven() { # GOAL OPTION...
  one_at_a_time mvn -B -q "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:$1" "${@:2}"
}

# Sets `port` to the port in a variable, or to a random one. It is below those that the system gives to other
# programs, which could get it until the server listens.
choose_port() { # VARIABLE
  port=${!1:-$(shuf --input-range=10000-32767 --head-count=1)}
  ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "port $port is in use; set $1 to another one."
}

# Starts a server in a process group of its own, and waits until a command succeeds.
serve() { # READY_COMMAND COMMAND...
  local ready=$1 log=$logs/$instance.log
  shift
  setsid "$@" >"$log" 2>&1 </dev/null 9>&- &
  echo "$! $(started_at $!)" >"$state/pid"
  for _ in $(seq 200); do
    if eval "$ready" >/dev/null 2>&1; then return; fi
    is_running || break
    sleep 0.3
  done
  tail -n 5 "$log" >&2
  if is_running; then fail "it does not respond after a minute; its log is $log."; fi
  fail "it ended while starting; its log is $log."
}

# The start time of a process, in clock ticks (proc_pid_stat(5), field 22): its id alone may be reused.
started_at() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

is_running() {
  local pid start
  read -r pid start 2>/dev/null <"$state/pid" && [ "$(started_at "$pid")" = "$start" ]
}

# Ends the server's process group, and deletes its data.
down() {
  local pid
  if is_running; then
    read -r pid _ <"$state/pid"
    kill -TERM -- "-$pid"
    for _ in $(seq 50); do
      is_running || break
      sleep 0.1
    done
    kill -KILL -- "-$pid" 2>/dev/null || true
  fi
  clean
  rm -rf "$state"
}

# Removes what a system leaves outside its processes and `state`; a script may define its own.
clean() { :; }

up() {
  # An interrupted run may have left the system running.
  down
  mkdir -p "$state"
  # Nothing is printed after the explanation: the caller shows the last line.
  trap 'status=$?; [ $status = 0 ] || down 2>/dev/null; exit $status' EXIT
  exec 9>"$cache/$system.lock"
  flock 9
  install
  flock -u 9
  start
}

main() {
  case ${1:-} in
    up) up ;;
    down) down ;;
    *) fail 'usage: up|down [NAME [SUITE]]' ;;
  esac
}
