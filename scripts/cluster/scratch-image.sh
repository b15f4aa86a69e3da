#!/usr/bin/env bash
# Packs one static program as an OCI image with nothing else in it: it runs as user 65532, its path is /FILENAME.
# usage: scripts/cluster/scratch-image.sh PROGRAM IMAGE OUT.oci    IMAGE as in example.org/thing:1
set -euo pipefail
program=$1 image=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/content" "$work/oci/blobs/sha256"
cp "$program" "$work/content/"
chmod 755 "$work/content" "$work/content/"*
command=$(basename "$program")
case $(uname -m) in x86_64) architecture=amd64 ;; aarch64) architecture=arm64 ;; *) architecture=$(uname -m) ;; esac

# blob FILE: moves it to where its digest says; prints digest and size as a descriptor has them.
blob() {
  local digest size
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  size=$(stat -c %s "$1")
  mv "$1" "$work/oci/blobs/sha256/$digest"
  printf '"digest": "sha256:%s", "size": %s' "$digest" "$size"
}

tar -C "$work/content" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$work/layer" .
layer=$(blob "$work/layer")
digest=${layer#*\"digest\": }
cat >"$work/config" <<JSON
{"architecture": "$architecture", "os": "linux",
 "config": {"User": "65532:65532", "Entrypoint": ["/$command"], "WorkingDir": "/"},
 "rootfs": {"type": "layers", "diff_ids": [${digest%%,*}]}}
JSON
config=$(blob "$work/config")
cat >"$work/manifest" <<JSON
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
 "config": {"mediaType": "application/vnd.oci.image.config.v1+json", $config},
 "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar", $layer}]}
JSON
manifest=$(blob "$work/manifest")
cat >"$work/oci/index.json" <<JSON
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
 "manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", $manifest,
  "platform": {"architecture": "$architecture", "os": "linux"},
  "annotations": {"io.containerd.image.name": "$image", "org.opencontainers.image.ref.name": "$image"}}]}
JSON
echo '{"imageLayoutVersion": "1.0.0"}' >"$work/oci/oci-layout"
tar -C "$work/oci" -cf "$out" oci-layout index.json blobs
