#!/usr/bin/env bash
# Brings up a one-node Kubernetes cluster on this machine, or says that it is up. Ends with 75 where that cannot be, and
# says why. AARDAPPEL_CLUSTER=1 names a second cluster beside the first. With KUBECONFIG set to another cluster, that
# one is looked at and nothing made.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
for part in await keys configuration cgroups network; do
  . "$here/$part.sh"
done
log=$logs/up.log

if theirs; then
  exec "$here/theirs.sh"
fi

# phase NAME COMMAND...
phase() {
  local what=$1 began=$SECONDS
  shift
  "$@"
  echo "$what took $((SECONDS - began)) s"
}

explain() {
  local version
  version=$(kube get --raw /version | sed -n 's/.*"gitVersion": "\(.*\)".*/\1/p')
  echo
  echo "cluster $number is up: Kubernetes $version, node $node"
  echo "  from the host: API server https://$address:6443, pods in $pods, Services in $services"
  echo "  from pods: the host is $host_address, also by the name $host_name"
  echo "  images: scripts/cluster/load-image.sh FILE.oci; logs: $logs; end it: $how_to_end"
  command -v kubectl >/dev/null || echo "  kubectl: $kubernetes/kubectl"
  echo
  echo "export KUBECONFIG=$kubeconfig"
}

node_ready() { grep -qx True <<<"$(kube get node "$node" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')"; }
dns_ready() { grep -qx 1 <<<"$(kube -n kube-system get deployment coredns -o 'jsonpath={.status.readyReplicas}')"; }
api_ready() { kube get --raw /readyz; }
services_ready() { grep -q "$api_service" <<<"$(inside iptables -t nat -S KUBE-SERVICES)"; }
default_account() { kube get serviceaccount default; }
containerd_ready() { inside ctr version; }
import() {
  local image
  for image in "$@"; do
    inside ctr -n k8s.io images import - <"$image" >>"$log" 2>&1 || return 1
  done
}

begin() {
  local shell pid
  rm -rf "${state:?}"/*
  mkdir -p "$logs" "$state/lib" "$state/ended"
  umask 077
  make_keys
  umask 022
  write_configuration
  make_cgroups
  setsid unshare --mount --net --pid --fork --mount-proc "$here/init.sh" >"$logs/init.log" 2>&1 </dev/null 9<&- &
  shell=$!
  await 10 "the cluster's first process" "$logs/init.log" pgrep -P "$shell"
  pid=$(pgrep -P "$shell")
  echo "$pid $(started "$pid")" >"$state/init.pid"
  make_network "$pid" >>"$log" 2>&1 || { echo "FAILED: interfaces and routes. Read $log"; return 1; }
}

fill_cluster() {
  local images import
  images=$("$here/images.sh" --where)
  await 30 "containerd" "$logs/containerd.log" containerd_ready
  import "$images/pause.oci" "$images/coredns.oci" &
  import=$!
  await 60 "API server" "$logs/kube-apiserver.log" api_ready
  # A pod that connects to a Service before kube-proxy knows it tries again only seconds later.
  await 30 "Services (kube-proxy)" "$logs/kube-proxy.log" services_ready
  sed "s/@HOST_ADDRESS@/$host_address/; s/@HOST_NAME@/$host_name/; s/@DNS_SERVICE@/$dns_service/" "$here/coredns.yaml" |
    kube apply -f - >>"$log" 2>&1 || { echo "FAILED: CoreDNS was not taken. Read $log"; return 1; }
  wait "$import" || { echo "FAILED: images were not taken. Read $log and $logs/containerd.log"; return 1; }
  await 60 "node $node Ready" "$logs/kubelet.log" node_ready
  await 60 "names (CoreDNS)" "$logs/kubelet.log" dns_ready
  await 30 "accounts of new pods" "$logs/kube-controller-manager.log" default_account
}

phase "the look at this machine" "$here/machine.sh"
phase "building Kubernetes" "$root/scripts/kube-apiserver.sh" --cluster
phase "building images" "$here/images.sh"
lock_state
if [ -n "$(init_pid)" ]; then
  if api_ready >/dev/null 2>&1 && node_ready; then
    echo "cluster $number was up already"
    explain
    exit
  fi
  echo "FAILED: cluster $number runs, but does not answer. Read $logs/*.log; then: $how_to_end, and make it anew"
  exit 1
fi
if others_use_addresses; then
  echo "FAILED: those routes have addresses of cluster $number. Choose another: AARDAPPEL_CLUSTER=1 make cluster-up"
  exit 1
fi
began=$SECONDS
echo "starting cluster $number in $state: less than a minute"
"$here/remove.sh" >/dev/null # what one that was killed left behind
phase "keys, configuration, namespaces" begin
phase "start of all programs" fill_cluster
echo "up after $((SECONDS - began)) s"
explain
