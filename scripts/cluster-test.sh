#!/usr/bin/env bash
# Tests of operator and pods in a whole cluster: brings one up, loads the image, installs the operator, runs all scenarios,
# and takes it down. usage: scripts/cluster-test.sh [full]   after `make build`; full adds those tagged slow
# Ends with 75, and the reason, where no cluster can be. environment, all optional:
#   AARDAPPEL_CLUSTER   number of the cluster (81)
#   ONLY                test classes or methods, as surefire's -Dtest takes them
#   KUBECONFIG, IMAGE, CLUSTER_HOST   take a cluster of yours, the image that its nodes have or can pull, and the address of
#                       this machine that its pods reach; CLUSTER_NEXT_IMAGE, too, to try an upgrade of the operator
set -euo pipefail
export AARDAPPEL_CLUSTER=${AARDAPPEL_CLUSTER:-81}
. "$(dirname "${BASH_SOURCE[0]}")/cluster/cluster.sh"
cd "$root"
excluded=slow
[ "${1:-}" != full ] || excluded=

install() {
  if theirs; then
    if [ -z "${IMAGE:-}" ] || [ -z "${CLUSTER_HOST:-}" ]; then
      echo "SKIPPED: KUBECONFIG names a cluster of yours: give IMAGE and CLUSTER_HOST too, see scripts/cluster-test.sh"
      exit 75
    fi
    scripts/cluster/up.sh
    OVERLAY=cluster scripts/deploy.sh up
    trap 'OVERLAY=cluster scripts/deploy.sh down' EXIT
    return
  fi
  unset KUBECONFIG
  scripts/cluster/machine.sh
  scripts/image.sh target/aardappel.oci
  if [ -n "$(init_pid)" ]; then
    echo "FAILED: cluster $number is up: end it with $how_to_end, or name another number"
    exit 1
  fi
  trap 'env -u KUBECONFIG scripts/cluster/down.sh' EXIT
  trap 'exit 130' INT TERM HUP
  scripts/cluster/up.sh
  scripts/cluster/load-image.sh target/aardappel.oci
  export KUBECONFIG=$kubeconfig CLUSTER_HOST=$host_address IMAGE=localhost/aardappel:dev
  # The same under another name is all that an upgrade needs to be seen.
  export CLUSTER_NEXT_IMAGE=localhost/aardappel:next
  inside ctr -n k8s.io images tag "$IMAGE" "$CLUSTER_NEXT_IMAGE"
  command -v kubectl >/dev/null || export PATH=$PATH:$kubernetes
  OVERLAY=local scripts/deploy.sh up
}

install
began=$SECONDS
# Packages the modules below, whose jars the end-to-end tests copy.
${MVN:-mvn -B -ntp} -q -Dfast -pl e2e -am package "-Dtest=${ONLY:-io/aardappel/e2e/cluster/*Test}" \
  -Dsurefire.failIfNoSpecifiedTests=false -Dtest.only=cluster "-Dtest.excluded=$excluded" -Dtest.log.level=ERROR
echo "scenarios ran for $((SECONDS - began)) s"
