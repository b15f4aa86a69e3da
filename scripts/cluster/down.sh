#!/usr/bin/env bash
# Ends the cluster that up.sh started and removes all that it made. Debian packages and built programs stay.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
if theirs; then
  echo "KUBECONFIG is $KUBECONFIG: that cluster is not ours, and stays as it is (unset KUBECONFIG to end one of ours)"
  exit
fi
if [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED: only root on Linux can have brought a cluster up"
  exit 75
fi
if [ ! -d "$state" ]; then
  echo "cluster $number is down"
  for other in /var/lib/aardappel-*/init.pid; do
    [ ! -e "$other" ] || echo "another is up: $(dirname "$other"); end it: AARDAPPEL_CLUSTER=${other//[^0-9]/} make cluster-down"
  done
  exit
fi
lock_state
began=$SECONDS
"$here/remove.sh"
rm -rf "$state"
echo "cluster $number is down after $((SECONDS - began)) s; nothing of it is left"
