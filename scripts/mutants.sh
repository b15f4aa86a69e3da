#!/usr/bin/env bash
# Plants faults, one at a time: in the simulated engine and in whole processes. Says how many were noticed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run MODULE CLASS: each prints "caught N of M" when it is done; end-to-end tests copy the jars of the modules below
run() {
  ${MVN:-mvn -B -ntp} -q -Dfast -pl "$1" -am package "-Dtest=$2" -Dsurefire.failIfNoSpecifiedTests=false \
    -Dtest.output.to.file=false -Dtest.log.level=ERROR | tee -a "$log"
}

part "in the simulated engine" run replicator PlantedFaultsTest
part "in whole processes" run e2e MutantsTest
total=$(grep -oE 'caught [0-9]+ of [0-9]+' "$log" | awk '{ caught += $2; planted += $4 } END { print caught + 0 " of " planted + 0 }')
verdict "planted faults: caught $total,"
