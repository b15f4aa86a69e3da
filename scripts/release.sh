#!/usr/bin/env bash
# Writes deploy/release.yaml, all that an installation by one file needs: the CRD and the overlay `cluster`.
# usage: scripts/release.sh [FILE]   FILE instead of deploy/release.yaml; - prints
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
shopt -s inherit_errexit
out=${1:-$root/deploy/release.yaml}
"$root/scripts/kustomize.sh" --check
text=$(
  echo "# Rendered by \`make release\` from crds/ and deploy/kustomize/overlays/cluster; not to be edited."
  "$root/scripts/kustomize.sh" "$root/crds"
  echo ---
  "$root/scripts/kustomize.sh" "$root/deploy/kustomize/overlays/cluster"
)
if [ "$out" = - ]; then
  echo "$text"
else
  echo "$text" >"$out"
  echo "wrote $out: $(grep -c '^kind:' "$out") objects"
fi
