#!/usr/bin/env bash
# Looks for the secrets of the tests in everything that the tests wrote: reports with what was printed, logs of programs, status
# pages, metrics, state rows, dead letters, crash reports. What was given to programs, configurations and credential files, is left out.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! cat ./*/target/known-secrets.txt >"$scratch/noted" 2>/dev/null; then
  echo "no test has noted a secret in target/known-secrets.txt: run the tests first"
  exit 1
fi
source=emulator-junit/src/main/java/io/aardappel/emulator/junit/KnownSecrets.java
marker=$(sed -n 's/.*String MARKER = "\(.*\)";/\1/p' "$source")
[ -n "$marker" ] || { echo "$source names no MARKER"; exit 1; }
{ echo "$marker" && cat "$scratch/noted"; } | sort -u >"$scratch/secrets"
secrets=$(wc -l <"$scratch/secrets")

# A search that finds nothing proves nothing unless it can find something.
printf 'before %s after\n' "$(shuf -n 1 "$scratch/secrets")" >"$scratch/planted"
if ! grep -qaF -f "$scratch/secrets" "$scratch/planted"; then
  echo "the search does not find a secret that was planted for it"
  exit 1
fi

find ./*/target/surefire-reports ./*/target/*.log ./*/target/written .demo -type f ! -path '*/given/*' ! -name '*.yaml' -print0 2>/dev/null \
  >"$scratch/files" || true
files=$(tr -dc '\0' <"$scratch/files" | wc -c)
bytes=$(xargs -0 -r cat <"$scratch/files" | wc -c)
echo "looked for $secrets secrets in $files files with $bytes bytes"
if [ "$files" = 0 ]; then
  echo "no test has written anything"
  exit 1
fi
xargs -0 -r grep -laF -f "$scratch/secrets" <"$scratch/files" >"$scratch/found" || true # fails for each lot without a find
if [ -s "$scratch/found" ]; then
  echo "found secrets in:"
  while IFS= read -r file; do
    echo "  $file, first in line $(grep -naFm1 -f "$scratch/secrets" "$file" | cut -d: -f1)"
  done <"$scratch/found"
  exit 1
fi
echo "found none"
