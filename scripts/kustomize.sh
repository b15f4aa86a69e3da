#!/usr/bin/env bash
# Renders a kustomization: kubectl's own kustomize, or one that is built from Go modules into the user's cache, once.
# usage: scripts/kustomize.sh FOLDER    prints the objects
#        scripts/kustomize.sh --check   prints nothing; 75 and a remedy when nothing here can render
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
version=v5.7.1
folder=${XDG_CACHE_HOME:-$HOME/.cache}/aardappel/kustomize-$version

build() {
  echo "building kustomize $version, once (about a minute)" >&2
  CGO_ENABLED=0 GOBIN=$folder GOFLAGS='' go install -trimpath "sigs.k8s.io/kustomize/kustomize/v5@$version" >&2
}

if [ "${KUSTOMIZE:-}" != built ] && kubectl kustomize --help >/dev/null 2>&1; then
  render=(kubectl kustomize)
else
  [ -x "$folder/kustomize" ] || needs go
  render=("$folder/kustomize" build)
fi
if [ "${1:-}" = --check ]; then
  exit
fi
[ "${render[0]}" = kubectl ] || [ -x "$folder/kustomize" ] || build
exec "${render[@]}" "$1"
