#!/usr/bin/env bash
# Builds the images that a cluster needs, and one for trying it, into the user's cache, once for each set of sources.
# usage: scripts/cluster/images.sh [--where]   the last line names the folder
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
inputs=$(cd "$here" && cat coredns/*.go coredns/go.* programs/go.mod programs/*/*.go scratch-image.sh images.sh | cksum)
folder=$cache/cluster-images-${inputs%% *}
[ "${1:-}" != --where ] || { echo "$folder"; exit; }

# image NAME IMAGE MODULE PACKAGE
image() {
  local began=$SECONDS log=$folder/$1.log
  [ ! -f "$folder/$1.oci" ] || return 0
  echo "building image $2"
  (cd "$here/$3" && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$folder/$1" "$4") >"$log" 2>&1 ||
    { echo "FAILED: image $2. Read $log, the end of which is:"; tail -5 "$log"; exit 1; }
  "$here/scratch-image.sh" "$folder/$1" "$2" "$folder/$1.oci.$$"
  mv "$folder/$1.oci.$$" "$folder/$1.oci"
  echo "built image $2 after $((SECONDS - began)) s"
}

mkdir -p "$folder"
exec 8>"$folder/lock"
flock -n 8 || { echo "waiting for another build in $folder"; flock 8; }
[ -f "$folder/coredns.oci" ] && [ -f "$folder/pause.oci" ] && [ -f "$folder/probe.oci" ] || needs go
image pause aardappel.local/pause:1 programs ./pause
image probe aardappel.local/probe:1 programs ./probe
image coredns aardappel.local/coredns:1 coredns .
echo "images are in $folder"
