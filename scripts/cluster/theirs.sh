#!/usr/bin/env bash
# Looks at the cluster that KUBECONFIG names. It is not ours: nothing is made or changed there.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
echo "KUBECONFIG is $KUBECONFIG: that cluster is used, none is made"
program=kubectl
command -v kubectl >/dev/null || program=$kubernetes/kubectl
[ "$program" = kubectl ] || [ -x "$program" ] || needs kubectl
if ! ready=$("$program" --request-timeout=10s get nodes 2>&1); then
  printf '%s\n' "$ready" | tail -1
  echo "FAILED: that cluster does not answer: mend it, or unset KUBECONFIG to have one made here"
  exit 1
fi
echo "$ready"
if ! grep -qE '[[:space:]]Ready' <<<"$ready"; then
  echo "FAILED: no node of it is Ready: mend it, or unset KUBECONFIG to have one made here"
  exit 1
fi
echo "it answers, with $(grep -cE '[[:space:]]Ready' <<<"$ready") nodes Ready"
