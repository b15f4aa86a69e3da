#!/usr/bin/env bash
# Holds the emulator's changefeeds to the cases of emulator/src/test/cdc, read by the unmodified Python SDK.
# usage: scripts/judge-cdc.sh [SUBSTRING]   runs only the cases whose path holds it
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
. "$root/scripts/emulator.sh"
needs python3
cdc=$root/emulator/src/test/cdc
. "$root/scripts/python.sh"
python_with "$cdc/requirements.txt"
start_emulator
echo "30 cases against $emulator_url"
"$python" -u "$cdc/cdc_cases.py" "$cdc/cases" --endpoint "$emulator_endpoint" --database /local --only "${1:-}" | tee "$root/emulator/target/cdc-cases.txt"
[ -n "${1:-}" ] || grep -qx '30 passed, 0 failed' "$root/emulator/target/cdc-cases.txt"
