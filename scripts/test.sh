#!/usr/bin/env bash
# All tests in parts. usage: scripts/test.sh [full]   full adds the tests tagged slow
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"
job="make test"
# Two modules at a time where neither needs the other: the operator is tested beside the replicator's processes. Their lines
# mix, each names its class.
maven=(${MVN:-mvn -B -ntp} -T 2 verify)
if [ "${1:-}" = full ]; then
  job="make test-full"
  maven+=("-Dtest.excluded=cluster")
fi

# Maven takes classes that were compiled without lints for up to date.
if [ -f target/built-without-lints ]; then
  rm -rf ./*/target/classes ./*/target/test-classes ./*/target/maven-status target/built-without-lints
fi

# What earlier tests wrote is no business of the search for secrets.
rm -rf ./*/target/written ./*/target/*.log ./*/target/surefire-reports ./*/target/known-secrets.txt

# Without it the Java tests that need an API server would be skipped. Built once; then it takes no time.
part "kube-apiserver and etcd" scripts/kube-apiserver.sh
part "build, lints and Java tests" "${maven[@]}"
if [ "$part_failed" = 0 ]; then
  # Most of their time they wait.
  part "Python SDK" scripts/python-sdk.sh
  part_beside "changefeed cases (Python SDK)" scripts/judge-cdc.sh
  part_beside "demo" bin/demo
  for client in emulator/src/test/clients/*/run; do
    if [ -x "$client" ]; then
      part_beside "client in $(basename "$(dirname "$client")")" scripts/client.sh "$client"
    fi
  done
  part_beside "migrating as the page says" scripts/migrate.sh
  parts_together
  part "operator and pods in a cluster" scripts/cluster-test.sh "$@"
  part "secrets in what was written" scripts/secrets.sh
fi
verdict "$job"
