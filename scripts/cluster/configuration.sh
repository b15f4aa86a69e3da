# Sourced: the files that containerd, its network, kubelet and kube-proxy read. Paths in them are those inside the
# cluster's mount namespace, where /run/cluster is the state folder.

containerd_configuration() { # FOLDER_WITH_CNI_PLUGINS
  cat <<TOML
version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
# opt would write to /opt/containerd; the others need what is not here, and each says so at every start.
disabled_plugins = [
  "io.containerd.internal.v1.opt",
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
]

[grpc]
address = "/run/containerd/containerd.sock"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "aardappel.local/pause:1"
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
default_runtime_name = "runc"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "$1"
conf_dir = "/run/cluster/cni"
TOML
}

network_configuration() {
  cat <<JSON
{
  "cniVersion": "0.4.0",
  "name": "$name",
  "plugins": [{
    "type": "ptp",
    "ipMasq": false,
    "ipam": {"type": "host-local", "subnet": "$pods", "routes": [{"dst": "0.0.0.0/0"}]}
  }]
}
JSON
}

kubelet_configuration() {
  cat <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  x509: {clientCAFile: /run/cluster/keys/ca.crt}
cgroupDriver: cgroupfs
cgroupRoot: /$name
cgroupsPerQOS: true
clusterDNS: [$dns_service]
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
enforceNodeAllocatable: []
# What runs on the rest of the machine is no reason to end pods or to drop images that no registry has.
evictionHard: {}
imageGCHighThresholdPercent: 100
failCgroupV1: false
failSwapOn: false
localStorageCapacityIsolation: false
resolvConf: ""
volumePluginDir: /run/cluster/volume-plugins
YAML
}

proxy_configuration() {
  cat <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: /run/cluster/keys/kube-proxy.kubeconfig}
clusterCIDR: $pods
hostnameOverride: $node
mode: iptables
iptables: {localhostNodePorts: false}
# 0: leaves the limits of the machine as they are.
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
YAML
}

write_configuration() {
  mkdir -p "$state/cni" "$state/volume-plugins"
  containerd_configuration "$("$here/cni.sh")" >"$state/containerd.toml"
  network_configuration >"$state/cni/10-ptp.conflist"
  kubelet_configuration >"$state/kubelet.yaml"
  proxy_configuration >"$state/kube-proxy.yaml"
}
