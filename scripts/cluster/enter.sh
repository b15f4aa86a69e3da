#!/usr/bin/env bash
# Runs a command where the cluster's processes run, a shell when none is given.
# usage: scripts/cluster/enter.sh [COMMAND...]    ps -ef; iptables -t nat -S; ctr -n k8s.io images list
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
[ $# != 0 ] || set -- bash
inside "$@"
