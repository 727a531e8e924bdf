#!/usr/bin/env bash
# Keycloak, an issuer of tokens (Maven Central).
. "$(dirname "$0")/lib.sh"

version=26.7.3
unpacked=$cache/keycloak-$version
server=$unpacked/keycloak-$version

install() {
  need mvn maven
  need java default-jre-headless
  [ ! -e "$unpacked/.done" ] || return 0
  rm -rf "$unpacked"
  mkdir -p "$unpacked"
  installing "Keycloak $version" maven copy \
    -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory="$unpacked"
  tar -xzf "$unpacked/keycloak-quarkus-dist-$version.tar.gz" -C "$unpacked"
  rm "$unpacked/keycloak-quarkus-dist-$version.tar.gz"
  touch "$unpacked/.done"
}

start() {
  choose_port KEYCLOAK_PORT
  # Keycloak writes into its home folder, so each run has a home folder with links to the shared cache.
  # `kc.config.built` skips the build of half a minute that kc.sh would run first, because the defaults of the
  # archive suffice.
  ln -s "$server/lib" "$server/conf" "$state"
  serve "curl -fsS http://127.0.0.1:$port/realms/master" \
    env KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin \
    java -Xmx512m -XX:+UseSerialGC -Djava.io.tmpdir="$state" -Dkc.home.dir="$state" -Dkc.config.built=true \
    -Djava.util.logging.manager=org.jboss.logmanager.LogManager --add-opens=java.base/java.lang=ALL-UNNAMED \
    -cp "$server/lib/quarkus-run.jar" io.quarkus.bootstrap.runner.QuarkusEntryPoint \
    start --cache=local --hostname-strict=false \
    --http-enabled=true --http-host=127.0.0.1 --http-port="$port"
  echo "ENDPOINT=http://127.0.0.1:$port"
  echo "VERSION=Keycloak $version"
}

main "$@"
