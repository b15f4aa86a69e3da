# Sourced by the scripts of this folder: where things of one cluster are, and how to look at it.
# AARDAPPEL_CLUSTER, a number from 0 to 254, tells apart clusters of one machine: names and addresses follow from it.
. "$(dirname "${BASH_SOURCE[0]}")/../parts.sh"
here=$root/scripts/cluster
number=${AARDAPPEL_CLUSTER:-0}
if [[ ! $number =~ ^[0-9]{1,3}$ ]] || [ "$number" -gt 254 ]; then
  echo "AARDAPPEL_CLUSTER is '$number': give a number from 0 to 254"
  exit 2
fi

name=aardappel-$number
state=/var/lib/$name # all that the cluster writes
logs=$state/log
kubeconfig=$state/kubeconfig
node=node-$number

how_to_end="${AARDAPPEL_CLUSTER:+AARDAPPEL_CLUSTER=$number }make cluster-down"

host_address=10.245.$number.1 # the host, as pods see it
address=10.245.$number.2      # the cluster, as the host sees it
pods=10.244.$number.0/24
services=10.96.$number.0/24
api_service=10.96.$number.1
dns_service=10.96.$number.10
host_name=host.aardappel.internal

cache=${XDG_CACHE_HOME:-$HOME/.cache}/aardappel
kubernetes=$(env -u KUBEBUILDER_ASSETS "$root/scripts/kube-apiserver.sh" --where)

kube() { KUBECONFIG=$kubeconfig "$kubernetes/kubectl" --cache-dir "$state/kubectl" --request-timeout=10s "$@"; }

# theirs: whether KUBECONFIG names a cluster that is not this one.
theirs() { [ -n "${KUBECONFIG:-}" ] && [ "$(realpath -m "$KUBECONFIG")" != "$kubeconfig" ]; }

# lock_state: one script at a time brings a cluster up or down. The folder is the lock: no file of it stays behind.
lock_state() {
  while :; do
    mkdir -p -m 700 "$state"
    exec 9<"$state"
    if ! flock -n 9; then
      echo "waiting for another script that brings cluster $number up or down"
      flock -w 600 9 || { echo "FAILED: another has held $state for ten minutes; see who: fuser -v $state"; exit 1; }
    fi
    # It may have been removed, and made anew, meanwhile.
    [ ! "$state" -ef /proc/self/fd/9 ] || return 0
  done
}

# started PID: when the process began, in ticks since the machine did; nothing when there is none, or when it has
# ended and only waits to be asked for its code.
started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '$1 != "Z" {print $20}' || true; }

# init_pid: the cluster's first process, as the host numbers it; nothing when the cluster is down. The moment that it
# began is compared, since the number may have gone to another process.
init_pid() {
  local pid began
  read -r pid began 2>/dev/null <"$state/init.pid" || return 0
  [ "$(started "$pid")" != "$began" ] || echo "$pid"
}

# inside COMMAND...: runs it where the cluster's processes run.
inside() {
  local pid
  pid=$(init_pid)
  [ -n "$pid" ] || { echo "cluster $number is down: bring it up with make cluster-up"; return 1; }
  nsenter --target "$pid" --mount --net --pid "$@"
}
