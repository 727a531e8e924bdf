# shellcheck shell=bash
# Functions of the scripts in this folder. A script installs and starts a third-party system: it defines
# `install` and `start`, and ends with `main "$@"`. Its parameters are: up|down [NAME [SUITE]]. The exception
# is runtime-client.sh, which starts nothing.
set -euo pipefail

system=${2:-$(basename "$0" .sh)}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# The downloads, which all checkouts share.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plant-store
# The folder with the process id and the data of the system while it runs for a suite of this checkout.
instance=${3:+$3-}$system
state=$project/.local/systems/$instance
logs=$project/test-results/suites
mkdir -p "$logs" "$cache"
export PATH=$project/node_modules/.bin:$PATH
# Java runs without its optimizing compiler (C2), because the Java programs here end before the compiler saves
# the time that it takes.
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:-} -XX:TieredStopAtLevel=1"

fail() {
  printf '%s: %s\n' "$system" "$*" >&2
  exit 1
}

# Ends with the exit code that says that the system cannot run on this machine (as in Automake's test
# protocol).
missing() {
  printf '%s: %s\n' "$system" "$*" >&2
  exit 77
}

# Runs a command that installs something, and prints the last lines of its output if it fails. The command
# runs in a subshell and not in `if` or `||`, where bash would ignore `set -e` within functions.
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

# Installs Debian packages if a command is missing.
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

# uv makes all virtual environments, because it takes two seconds for a large tree of packages and pip takes
# half a minute.
uv=$cache/uv/bin/uv
install_uv() {
  python3 -m pip --version || need 'python3 -m pip' python3-pip
  # uv is installed into a folder, because a virtual environment takes longer to make. The two variables
  # override settings of pip that some machines have, with which pip would refuse the folder.
  PIP_REQUIRE_VIRTUALENV=false PIP_USER=false \
    python3 -m pip install --disable-pip-version-check --target "$cache/uv" uv
}

# Installs packages from PyPI into a virtual environment; sets `venv` to its folder.
python_packages() { # NAME==VERSION...
  # The folder's name contains all packages and versions, so that each list has its own environment.
  venv=${*//==/-}
  venv=$cache/${venv// /+}
  [ ! -e "$venv/.done" ] || return 0
  # Only one script at a time installs uv.
  (flock 8 && { [ -x "$uv" ] || installing uv install_uv; }) 8>"$cache/uv.lock"
  installing "$1" "$uv" venv --clear --python "$(command -v python3)" "$venv"
  installing "$1" "$uv" pip install --python "$venv/bin/python" "$@"
  touch "$venv/.done"
}

# Downloads from Maven Central with Maven's dependency plugin.
maven() { # GOAL OPTION...
  one_at_a_time mvn -B -q "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:$1" "${@:2}"
}

# Sets `port` to the port in a variable, or to a random one. Random ports are below the ephemeral ports of the
# system, so that no other program gets the port before the server listens.
choose_port() { # VARIABLE
  port=${!1:-$(shuf --input-range=10000-32767 --head-count=1)}
  ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "port $port is in use; set $1 to another one."
}

# Starts a server in its own process group, and waits until READY_COMMAND succeeds. The server does not
# inherit the lock of `up` (file descriptor 9), which it would hold while it runs.
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
  if is_running; then fail "does not respond after a minute; its log is $log."; fi
  fail "ended while starting; its log is $log."
}

# The start time of a process, in clock ticks (proc_pid_stat(5), field 22). It is compared because the system
# can give the id of a process that ended to another one.
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

# Removes what a system leaves beside its processes and `state`. A script may redefine it.
clean() { :; }

up() {
  # An interrupted run may have left the system running.
  down
  mkdir -p "$state"
  # After a failure, `down` must print nothing, because start-systems.ts shows the last line of standard error
  # as the reason.
  trap 'status=$?; [ $status = 0 ] || down 2>/dev/null; exit $status' EXIT
  # Only one checkout or suite at a time installs a system, because they share the cache.
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
