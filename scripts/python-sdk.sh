#!/usr/bin/env bash
# Makes the virtual environment of the tests with the Python SDK, once; then it takes no time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
. "$root/scripts/python.sh"
needs python3
python_with "$root/emulator/src/test/cdc/requirements.txt"
echo "the Python SDK is in $(dirname "$(dirname "$python")")"
