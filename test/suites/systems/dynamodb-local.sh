#!/usr/bin/env bash
# DynamoDB Local, Amazon's own implementation (Maven Central), in memory.
. "$(dirname "$0")/lib.sh"

version=3.1.0
jars=$cache/dynamodb-local-$version

install() {
  need mvn maven
  need javac default-jdk-headless
  [ ! -e "$jars/.done" ] || return 0
  rm -rf "$jars"
  mkdir -p "$jars"
  cat >"$jars/pom.xml" <<XML
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>dynamodb-local</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>software.amazon.dynamodb</groupId><artifactId>DynamoDBLocal</artifactId>
    <version>$version</version>
  </dependency></dependencies>
</project>
XML
  installing "DynamoDB Local $version" \
    maven copy-dependencies -f "$jars/pom.xml" -DoutputDirectory="$jars/lib"
  # A launcher, because the main class of DynamoDB Local listens on every interface and has no option for the
  # address.
  cat >"$jars/Loopback.java" <<'JAVA'
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

public class Loopback {
  public static void main(String[] args) throws Exception {
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    var server = (Server) field.get(ServerRunner.createServerFromCommandLineArgs(args));
    ((ServerConnector) server.getConnectors()[0]).setHost("127.0.0.1");
    server.start();
  }
}
JAVA
  installing 'the launcher' javac -cp "$jars/lib/*" -d "$jars" "$jars/Loopback.java"
  touch "$jars/.done"
}

start() {
  choose_port DYNAMODB_LOCAL_PORT
  # Ready when curl gets any response, because DynamoDB Local responds to an unsigned request with 400.
  serve "curl -s -o /dev/null http://127.0.0.1:$port" \
    env DDB_LOCAL_TELEMETRY=0 java -Xmx512m -Djava.io.tmpdir="$state" \
    -cp "$jars:$jars/lib/*" Loopback -inMemory -sharedDb -disableTelemetry -port "$port"
  echo "ENDPOINT=http://127.0.0.1:$port"
  echo "VERSION=DynamoDB Local $version"
}

main "$@"
