#!/usr/bin/env bash
# Lambda's runtime client (npm), for the suite `sam` and the benchmark. Prints the folder of the client, which
# all checkouts share. If the client does not load, the script compiles it first.
. "$(dirname "$0")/lib.sh"

version=4.0.2
client=$cache/aws-lambda-ric-$version
# The C++ headers of Node.js, from its npm package, so that nothing is downloaded.
headers=$(echo "$project"/node_modules/node/node_modules/node-linux-*/include/node)

# Whether the client can be loaded. It reads AWS_LAMBDA_RUNTIME_API while it loads.
loads() { AWS_LAMBDA_RUNTIME_API=none node --eval 'require(process.argv[1])' "$client/rapid-client.node"; }

# Compiles the client without the package's own scripts. They take three times as long, because curl's
# `configure` compiles hundreds of probes. The results of the probes for 64-bit Linux are listed here.
compile() {
  rm -rf "$state"
  mkdir -p "$state" "$client"
  npm --prefix "$state" install --no-audit --no-fund --ignore-scripts "aws-lambda-ric@$version"
  cd "$state/node_modules/aws-lambda-ric"
  mkdir curl runtime
  tar -xJf deps/curl.tar.xz -C curl
  tar -xJf deps/aws-lambda-cpp.tar.xz -C runtime

  # The features of curl that the package's scripts disable, too.
  local without=(
    -DHTTP_ONLY -DCURL_DISABLE_{ALTSVC,COOKIES,CRYPTO_AUTH,DOH,GETOPTIONS,HSTS,HTTP_AUTH,LIBCURL_OPTION}
    -DCURL_DISABLE_{MIME,NETRC,PARSEDATE,PROGRESS_METER,PROXY,SHUFFLE_DNS,SOCKETPAIR,VERBOSE_STRINGS}
  )
  local linux=(
    -DSIZEOF_{SHORT=2,INT=4,LONG=8,OFF_T=8,CURL_OFF_T=8,SIZE_T=8,TIME_T=8} -DHAVE_{BOOL_T,LONGLONG}
    -DHAVE_{ARPA_INET,ERRNO,FCNTL,NETDB,NETINET_IN,NETINET_TCP,POLL,STDBOOL,STDINT,STDLIB,STRING,UNISTD}_H
    -DHAVE_SYS_{IOCTL,SELECT,SOCKET,STAT,TIME,TYPES}_H -DHAVE_{STRUCT_TIMEVAL,VARIADIC_MACROS_C99}
    -DHAVE_{CLOCK_GETTIME_MONOTONIC,FCNTL,FCNTL_O_NONBLOCK,FREEADDRINFO,GETADDRINFO,GETTIMEOFDAY,GMTIME_R}
    -DHAVE_{INET_NTOP,INET_PTON,POLL_FINE,RECV,SELECT,SEND,SOCKET,STRCASECMP,STRDUP,STRTOK_R,STRTOLL}
    -DHAVE_{,POSIX_}STRERROR_R -DSTRERROR_R_TYPE_ARG3=size_t -DSEND_QUAL_ARG2=const
    -D{RECV,SEND}_TYPE_{ARG1=int,ARG2='void *',ARG3=size_t,ARG4=int,RETV=ssize_t}
  )
  gcc -O2 -fPIC -c -Icurl/include -Icurl/lib curl/lib/{,vauth/,vtls/}*.c \
    -DBUILDING_LIBCURL -DOS='"Linux"' "${without[@]}" "${linux[@]}"

  sed 's/@PROJECT_VERSION.*@/0/' runtime/src/version.cpp.in >version.cpp
  g++ -std=c++20 -O2 -fPIC -fvisibility=hidden -shared -o "$client/rapid-client.node" \
    -I"$headers" -I../node-addon-api -Icurl/include -Iruntime/include \
    src/native/rapid-client.cc runtime/src/{logging,runtime}.cpp version.cpp ./*.o
  cp index.mjs "$client"
  cd "$project"
  rm -rf "$state"
  loads
}

exec 9>"$cache/$system.lock"
flock 9
if ! loads 2>/dev/null; then
  # `npm install PACKAGE` removes the headers from node_modules.
  [ -d "$headers" ] || fail 'the headers of Node.js are missing; run npm ci.'
  need g++ g++
  need xz xz-utils
  installing "aws-lambda-ric $version" compile
fi
echo "$client"
