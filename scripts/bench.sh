#!/usr/bin/env bash
# Takes the figures of replicator and operator. usage: scripts/bench.sh [decode|drain|silent|operator]...   without a name all of them
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"
java=("${JAVA_HOME:+$JAVA_HOME/bin/}java" -Dlogback.configurationFile=io/aardappel/bench/logback.xml
  -cp 'bench/target/classes:bench/target/lib/*')
results=bench/results
for figure in ${*:-decode drain silent}; do
  case $figure in
    decode) part "from bytes to parameters" "${java[@]}" io.aardappel.bench.decode.DecodeBench $results "${ROUNDS:-3}" ;;
    drain) part "a drained backlog" "${java[@]}" io.aardappel.bench.drain.DrainBench $results bin/replicator "${ROUNDS:-2}" ;;
    silent) part "behind a silent partition" "${java[@]}" io.aardappel.bench.drain.SilentBench $results bin/replicator ;;
    operator)
      part "kube-apiserver and etcd" scripts/kube-apiserver.sh
      part "the operator with few and many resources" "${java[@]}" io.aardappel.bench.operator.OperatorBench $results \
        bin/operator "${FEW:-10}" "${MANY:-1000}"
      ;;
    *) echo "unknown figure $figure" >&2 && exit 2 ;;
  esac
done
verdict "bench ${*:-}"
