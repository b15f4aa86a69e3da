#!/usr/bin/env bash
# Gives the cluster an image, for pods that name it with imagePullPolicy IfNotPresent or Never.
# usage: scripts/cluster/load-image.sh FILE.oci    the last line is the image's name
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
[ $# = 1 ] && [ -f "$1" ] || { echo "usage: $0 FILE.oci    an OCI archive, as scripts/image.sh writes"; exit 2; }
if theirs; then
  echo "KUBECONFIG is $KUBECONFIG, a cluster of yours: load $1 there, as with: kind load image-archive $1"
  exit 75
fi
[ -n "$(init_pid)" ] || { echo "FAILED: cluster $number is down: bring it up with make cluster-up"; exit 1; }
image=$(tar -xOf "$1" index.json | grep -oE '"(io.containerd.image|org.opencontainers.image.ref).name": *"[^"]*"' |
  sort | head -1 | sed 's/.*"\(.*\)"$/\1/') || true
[ -n "$image" ] || { echo "FAILED: no image in $1 has a name: write one into it, as scripts/image.sh does"; exit 1; }
inside ctr -n k8s.io images import - <"$1" || { echo "FAILED: $1 was not taken. Read $logs/containerd.log"; exit 1; }
# With a name that leaves out the registry, a pod would ask for another one.
# Not into a pipe: grep ends at the name it looks for, and what writes into a pipe that nobody reads has failed.
grep -qxF "$image" <<<"$(inside ctr -n k8s.io images list -q)" ||
  { echo "FAILED: $1 was taken, but not under the name $image. Read $logs/containerd.log"; exit 1; }
echo "$image"
