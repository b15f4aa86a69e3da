#!/usr/bin/env bash
# Builds kube-apiserver and etcd, for tests against a real API server, into the user's cache, once for their versions.
# usage: scripts/kube-apiserver.sh           builds them unless they are there; the last line names their folder
#        scripts/kube-apiserver.sh --where   prints the folder and builds nothing
# Where KUBEBUILDER_ASSETS names a folder that holds both programs, that one is taken.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
module=$root/kube-junit/control-plane # pins the versions
programs=(etcd kube-apiserver)
version=$(sed -n 's|^[[:space:]]*k8s.io/kubernetes v\([0-9.]*\).*|\1|p' "$module/go.mod")
minor=${version#*.}
flags="-s -w"
flags+=" -X k8s.io/component-base/version.gitVersion=v$version"
flags+=" -X k8s.io/component-base/version.gitMajor=${version%%.*}"
flags+=" -X k8s.io/component-base/version.gitMinor=${minor%%.*}"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/aardappel
inputs=$({ echo "$flags" && uname -sm && cat "$module/go.mod" "$module/go.sum"; } | cksum)
folder=${KUBEBUILDER_ASSETS:-$cache/kube-apiserver-$version-${inputs%% *}}

built() {
  local program
  for program in "${programs[@]}"; do
    [ -x "$folder/$program" ] || return 1
  done
}

# compile FOLDER PACKAGE...: says every 250 packages how far it is.
compile() {
  local target=$1 packages began=$SECONDS
  shift
  echo "fetching modules"
  packages=$(go list -deps "$@" 2>"$target.log" | wc -l) || { cat "$target.log"; return 1; }
  echo "fetched after $((SECONDS - began)) s"
  echo "compiling $packages packages: about five minutes on two processors when Go's cache is cold"
  go build -v -trimpath -ldflags "$flags" -o "$target/" "$@" 2>&1 | tee "$target.log" |
    while read -r _; do
      compiled=$((${compiled:-0} + 1))
      [ $((compiled % 250)) != 0 ] || echo "$compiled of $packages packages after $((SECONDS - began)) s"
    done || { tail -20 "$target.log"; return 1; }
  echo "compiled and linked after $((SECONDS - began)) s"
}

build() {
  local program
  scratch=$folder/building.$$
  mkdir -p "$scratch"
  trap 'rm -rf "$scratch" "$scratch.log"' EXIT
  trap 'exit 130' INT TERM
  cd "$module"
  export CGO_ENABLED=0
  compile "$scratch" go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kube-apiserver
  mv "$scratch/server" "$scratch/etcd"
  # Each appears whole or not at all, whoever else builds or looks.
  for program in "${programs[@]}"; do
    mv -f "$scratch/$program" "$folder/$program"
  done
}

if [ "${1:-}" = --where ]; then
  echo "$folder"
  exit
fi
if ! built; then
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
  built || build
fi
echo "kube-apiserver $version and etcd are in $folder"
