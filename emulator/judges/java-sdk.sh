#!/usr/bin/env bash
# Runs the integration tests of the YDB Java SDK, unmodified, against the emulator.
# usage: emulator/judges/java-sdk.sh SDK_DIR   a checkout of ydb-platform/ydb-java-sdk at tag v2.3.29
# MODULES="topic table" runs some of the modules.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/parts.sh"
. "$root/scripts/emulator.sh"
sdk=${1:-}
if [ -z "$sdk" ] || [ ! -f "$sdk/topic/pom.xml" ]; then
  echo "give a checkout of the SDK: git clone --branch v2.3.29 https://github.com/ydb-platform/ydb-java-sdk, then SDK_DIR=<it>" >&2
  exit 2
fi
version=$(sed -n 's|.*<version>\(.*\)</version>.*|\1|p' "$sdk/pom.xml" | head -1)
[ "$version" = 2.3.29 ] || { echo "$sdk holds version $version of the SDK, wanted is 2.3.29" >&2; exit 2; }
read -r -a modules <<<"${MODULES:-topic scheme table query}"
excluded_file=$root/emulator/judges/java-sdk.excluded
work=$root/emulator/target/judge-java-sdk
mkdir -p "$work"

# Classes of a module whose tests ask for a server.
classes() { grep -rlE 'GrpcTransportRule|YdbHelperRule' "$sdk/$1/src/test/java" | sed 's|.*/||; s|\.java$||' | sort; }

# Sum of an attribute over the reports of a module.
total() { grep -ho "<testsuite [^>]*" "$sdk/$1"/target/surefire-reports/TEST-*.xml | grep -o " $2=\"[0-9]*\"" | tr -dc '0-9\n' | awk '{ sum += $1 } END { print sum + 0 }'; }

filter=$( (for module in "${modules[@]}"; do classes "$module"; done; grep -v '^#' "$excluded_file" | awk 'NF { print "!" $1 }') | paste -sd, )
for module in "${modules[@]}"; do rm -rf "$sdk/$module/target/surefire-reports"; done

start_emulator
echo "tests of ${modules[*]} against $emulator_url; the log is $work/tests.log"
export YDB_ENDPOINT=${emulator_endpoint#grpc://} YDB_DATABASE=/local
code=0
(cd "$sdk" && ${MVN:-mvn -B -ntp} -q -pl "$(IFS=,; echo "${modules[*]}")" -am -Djacoco.skip -DargLine=-Xmx512m \
  -Dtest="$filter" -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore \
  test-compile surefire:test) >"$work/tests.log" 2>&1 || code=$?
[ "$code" = 0 ] || { echo "Maven failed:"; tail -30 "$work/tests.log"; exit 1; }

echo "module    run  passed  failed  skipped by the SDK  excluded by us"
bad=0
for module in "${modules[@]}"; do
  run=$(total "$module" tests) failed=$(($(total "$module" failures) + $(total "$module" errors))) skipped=$(total "$module" skipped)
  excluded=0
  while read -r name _; do
    [ -n "$name" ] && [ -n "$(find "$sdk/$module/src/test" -name "${name%%#*}.java")" ] && excluded=$((excluded + 1))
  done < <(grep -v '^#' "$excluded_file")
  printf '%-8s %4d %7d %7d %19d %15d\n' "$module" $((run - skipped)) $((run - skipped - failed)) "$failed" "$skipped" "$excluded"
  bad=$((bad + failed))
  [ "$run" -gt 0 ] || bad=$((bad + 1))
done
grep -v '^#' "$excluded_file" | sed 's/^/excluded: /'
if [ "$bad" != 0 ]; then
  grep -h '^\[ERROR\]' "$work/tests.log" | head -40
  echo "VERDICT: FAILED"
  exit 1
fi
echo "VERDICT: passed"
