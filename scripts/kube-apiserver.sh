#!/usr/bin/env bash
# Builds Kubernetes from Go modules into the user's cache, once for each set of versions.
# usage: scripts/kube-apiserver.sh             builds etcd and kube-apiserver, for tests against a real API server,
#                                              unless they are there; the last line names their folder
#        scripts/kube-apiserver.sh --cluster   builds the other programs of a cluster as well, into the same folder
#        scripts/kube-apiserver.sh --where     prints the folder and builds nothing
# Where KUBEBUILDER_ASSETS names a folder that holds etcd and kube-apiserver, those two are taken; a cluster takes ours.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
module=$root/kube-junit/control-plane # pins the versions
programs=(etcd kube-apiserver)
estimate="five minutes"
if [ "${1:-}" = --cluster ]; then
  programs+=(kube-controller-manager kube-scheduler kube-proxy kubelet kubectl)
  estimate="ten minutes"
  unset KUBEBUILDER_ASSETS
fi
version=$(sed -n 's|^[[:space:]]*k8s.io/kubernetes v\([0-9.]*\).*|\1|p' "$module/go.mod")
minor=${version#*.}
flags="-s -w"
flags+=" -X k8s.io/component-base/version.gitVersion=v$version"
flags+=" -X k8s.io/component-base/version.gitMajor=${version%%.*}"
flags+=" -X k8s.io/component-base/version.gitMinor=${minor%%.*}"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/aardappel
inputs=$({ echo "$flags" && uname -sm && cat "$module/go.mod" "$module/go.sum"; } | cksum)
folder=${KUBEBUILDER_ASSETS:-$cache/kube-apiserver-$version-${inputs%% *}}

# missing: those that are yet to be built, one a line.
missing() {
  local program
  for program in "${programs[@]}"; do
    [ -x "$folder/$program" ] || echo "$program"
  done
}

# package_of PROGRAM
package_of() {
  if [ "$1" = etcd ]; then echo go.etcd.io/etcd/server/v3; else echo "k8s.io/kubernetes/cmd/$1"; fi
}

# compile FOLDER PACKAGE...: says every 250 packages how far it is.
compile() {
  local target=$1 packages began=$SECONDS
  shift
  echo "fetching modules"
  packages=$(go list -deps "$@" 2>"$target.log" | wc -l) || { cat "$target.log"; return 1; }
  echo "fetched after $((SECONDS - began)) s"
  echo "compiling $packages packages: about $estimate on two processors when Go's cache is cold"
  go build -v -trimpath -ldflags "$flags" -o "$target/" "$@" 2>&1 | tee "$target.log" |
    while read -r _; do
      compiled=$((${compiled:-0} + 1))
      [ $((compiled % 250)) != 0 ] || echo "$compiled of $packages packages after $((SECONDS - began)) s"
    done || { tail -20 "$target.log"; return 1; }
  echo "compiled and linked after $((SECONDS - began)) s"
}

# build PROGRAM...
build() {
  local program packages=()
  for program in "$@"; do
    packages+=("$(package_of "$program")")
  done
  scratch=$folder/building.$$
  mkdir -p "$scratch"
  trap 'rm -rf "$scratch" "$scratch.log"' EXIT
  trap 'exit 130' INT TERM
  cd "$module"
  export CGO_ENABLED=0
  compile "$scratch" "${packages[@]}"
  [ ! -f "$scratch/server" ] || mv "$scratch/server" "$scratch/etcd"
  # Each appears whole or not at all, whoever else builds or looks.
  for program in "$@"; do
    mv -f "$scratch/$program" "$folder/$program"
  done
}

if [ "${1:-}" = --where ]; then
  echo "$folder"
  exit
fi
if [ -n "$(missing)" ]; then
  if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
    echo "KUBEBUILDER_ASSETS is $KUBEBUILDER_ASSETS, which does not hold ${programs[*]}: unset it to have them built"
    exit 1
  fi
  needs go
  mkdir -p "$folder"
  # Without flock two at once do the work twice, which harms nothing.
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$folder/lock"
    flock -n 9 || { echo "waiting for another build in $folder"; flock 9; }
    rm -rf "$folder"/building.*
  fi
  mapfile -t absent < <(missing)
  [ "${#absent[@]}" = 0 ] || build "${absent[@]}"
fi
echo "Kubernetes $version (${programs[*]}) is in $folder"
