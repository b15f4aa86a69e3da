#!/usr/bin/env bash
# The first process of a cluster, in mount, PID and network namespaces of its own: when it ends, the kernel ends all
# others, and mounts, interfaces and iptables rules go with them. Started by up.sh; not to be run by hand.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
umask 022

# What is not written down cannot be ended later: up.sh may have been broken off in between.
for _ in {1..100}; do
  [ ! -s "$state/init.pid" ] || break
  sleep 0.1
done
[ -s "$state/init.pid" ] || { echo "nobody wrote $state/init.pid"; exit 1; }

# What programs write at fixed paths lands in the state folder, or in memory.
mount --no-mtab --make-rshared / # with one, mount would make /run/mount while /run is still the host's
mount --no-mtab -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/cluster /run/programs /run/lock
mount --bind "$state" /run/cluster
mount --bind "$kubernetes" /run/programs
mount --bind "$logs" /var/log
# Last, since the folders named above may stand in it. On an overlay, as in a container, none can be mounted for pods.
if [ "$(stat -f -c %T "$state")" = overlayfs ]; then
  mount -t tmpfs -o mode=755 tmpfs /var/lib
else
  mount --bind "$state/lib" /var/lib
fi

# kubelet insists on these settings of the whole kernel. It gets files that hold them; the machine's stay as they are.
tunable() {
  [ "$(cat "/proc/sys/$1")" = "$2" ] && return
  echo "$2" >"/run/${1//\//-}"
  mount --bind "/run/${1//\//-}" "/proc/sys/$1"
}
tunable vm/overcommit_memory 1
tunable vm/panic_on_oom 0
tunable kernel/panic 10
tunable kernel/panic_on_oops 1
tunable kernel/keys/root_maxkeys 1000000
tunable kernel/keys/root_maxbytes 25000000

echo 1 >/proc/sys/net/ipv4/ip_forward

# start NAME COMMAND...: a program that ends leaves its code in a file, which those that wait look for.
start() {
  local program=$1
  shift
  {
    code=0
    "$@" >>"/var/log/$program.log" 2>&1 || code=$?
    echo "$program ended with code $code"
    echo "$code" >"/run/cluster/ended/$program"
  } &
}

keys=/run/cluster/keys
programs=/run/programs
start etcd "$programs/etcd" --data-dir /var/lib/etcd --unsafe-no-fsync \
  --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 \
  --initial-cluster default=http://127.0.0.1:2380
start containerd containerd --config /run/cluster/containerd.toml
start kube-apiserver "$programs/kube-apiserver" --etcd-servers http://127.0.0.1:2379 \
  --advertise-address "$address" --secure-port 6443 --allow-privileged \
  --tls-cert-file $keys/apiserver.crt --tls-private-key-file $keys/apiserver.key \
  --client-ca-file $keys/ca.crt --token-auth-file $keys/tokens.csv \
  --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction \
  --service-account-key-file $keys/service-account.key --service-account-signing-key-file $keys/service-account.key \
  --service-account-issuer https://kubernetes.default.svc --service-cluster-ip-range "$services" \
  --kubelet-client-certificate $keys/kubelet-client.crt --kubelet-client-key $keys/kubelet-client.key \
  --kubelet-preferred-address-types InternalIP
# These give up when the API server is not there yet.
until (exec 3<>"/dev/tcp/$address/6443") 2>/dev/null; do sleep 0.1; done
start kube-controller-manager "$programs/kube-controller-manager" \
  --kubeconfig $keys/kube-controller-manager.kubeconfig --controllers '*,-nodeipam' \
  --leader-elect=false --use-service-account-credentials \
  --service-account-private-key-file $keys/service-account.key --root-ca-file $keys/ca.crt \
  --flex-volume-plugin-dir /run/cluster/volume-plugins
start kube-scheduler "$programs/kube-scheduler" --kubeconfig $keys/kube-scheduler.kubeconfig --leader-elect=false
start kube-proxy "$programs/kube-proxy" --config /run/cluster/kube-proxy.yaml
start kubelet "$programs/kubelet" --config /run/cluster/kubelet.yaml --kubeconfig $keys/kubelet.kubeconfig \
  --hostname-override "$node" --node-ip "$address"
# As the first process it also has to wait for those whose parents ended; bash does.
while :; do wait -n || true; sleep 1; done
