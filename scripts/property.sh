#!/usr/bin/env bash
# Runs one test class and shows what it prints. usage: scripts/property.sh MODULE CLASS [-Dproperty=value...]
# Packages the modules below, whose jars the end-to-end tests copy.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"
module=$1 class=$2
shift 2
part "$class" ${MVN:-mvn -B -ntp} -q -Dfast -pl "$module" -am package "-Dtest=$class" \
  -Dsurefire.failIfNoSpecifiedTests=false -Dtest.output.to.file=false -Dtest.log.level=ERROR "$@"
verdict "$class $*"
