#!/usr/bin/env bash
# Whether clusters that ended in bad ways leave anything on this machine: one with running pods that is ended in use,
# one whose first process was killed, and one whose start was broken off. The good way is a part of smoke.sh.
set -euo pipefail
unset KUBECONFIG
export AARDAPPEL_CLUSTER=${AARDAPPEL_CLUSTER:-91}
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
. "$here/leftovers.sh"
images=$("$here/images.sh" --where)

# A part is judged by its last command, and `set -e` is off in it: its commands are joined by &&.

ended_in_use() {
  "$here/up.sh" &&
    "$here/load-image.sh" "$images/probe.oci" &&
    kube apply -f "$here/smoke.yaml" &&
    kube -n smoke rollout status deployment/probe --timeout=60s --request-timeout=0 &&
    "$here/down.sh" &&
    machine_is_as_it_was
}

killed() {
  "$here/up.sh" &&
    kill -KILL "$(init_pid)" &&
    "$here/up.sh" &&
    "$here/down.sh" &&
    machine_is_as_it_was
}

# The script is in a process group of its own, as one that is started in a terminal.
broken_off() {
  local script tries=0
  setsid "$here/up.sh" &
  script=$!
  until [ -n "$(init_pid)" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 600 ] || { echo "no first process after a minute"; return 1; }
    sleep 0.1
  done
  kill -TERM -- "-$script"
  wait "$script" || true
  "$here/down.sh" &&
    machine_is_as_it_was
}

look_at_machine

part "ended in use" ended_in_use
part "first process killed" killed
part "start broken off" broken_off
verdict "what clusters leave"
