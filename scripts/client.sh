#!/usr/bin/env bash
# Runs one client program of emulator/src/test/clients against an emulator of its own.
# The program gets YDB_ENDPOINT (HOST:PORT), YDB_DATABASE and CONTROL (HOST:PORT of the fault interface);
# exit code 0 is a pass, 75 a skip.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
. "$root/scripts/emulator.sh"
start_emulator --control 127.0.0.1:0
CONTROL=$(sed -n 's/^CONTROL http:..//p' "$emulator_log")
export CONTROL YDB_ENDPOINT=${emulator_endpoint#*://} YDB_DATABASE=/local
"$1"
