#!/usr/bin/env bash
# Whether this machine can run a cluster, and Debian's packages for it. Ends with 75, and the reason, where it cannot.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
. "$here/cgroups.sh"

cannot() {
  echo "SKIPPED: $1; or set KUBECONFIG to a cluster of yours"
  exit 75
}

[ "$(uname -s)" = Linux ] || cannot "a cluster of our own needs Linux, this is $(uname -s)"
[ "$(id -u)" = 0 ] || cannot "a cluster of our own needs root, this is user $(id -un): run as root"
needs unshare nsenter ip openssl flock setsid
[ -x "$kubernetes/kubelet" ] || needs go
unshare --mount --net --pid --fork true 2>/dev/null ||
  cannot "namespaces cannot be made here (in a container? give it --privileged)"
[ -w /sys/fs/cgroup ] || cannot "/sys/fs/cgroup is not writable (in a container? give it --privileged)"
controller=$(turn_controllers_on) ||
  cannot "$controller cannot be turned on in /sys/fs/cgroup/cgroup.subtree_control (in a container? take a machine)"

# missing_packages: one a line.
missing_packages() {
  { command -v containerd && command -v ctr; } >/dev/null || echo containerd
  command -v runc >/dev/null || echo runc
  command -v iptables >/dev/null || echo iptables
  "$here/cni.sh" >/dev/null || echo containernetworking-plugins
}

mapfile -t packages < <(missing_packages)
if [ "${#packages[@]}" != 0 ]; then
  command -v apt-get >/dev/null || cannot "there is neither apt-get nor ${packages[*]}: install them"
  log=$(mktemp /tmp/aardappel-apt-get.XXXXXX)
  echo "installing Debian packages that are not there: ${packages[*]} (apt-get install; they stay)"
  export DEBIAN_FRONTEND=noninteractive
  {
    apt-get update &&
      apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "${packages[@]}"
  } >"$log" 2>&1 ||
    { echo "FAILED: apt-get install ${packages[*]}. Read $log, repair apt-get or install them by hand"; exit 1; }
  rm -f "$log"
  mapfile -t packages < <(missing_packages)
  [ "${#packages[@]}" = 0 ] || { echo "FAILED: ${packages[*]} installed, but not on PATH: $PATH"; exit 1; }
fi
