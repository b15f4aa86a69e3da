#!/usr/bin/env bash
# Ends the processes of a cluster and removes what it leaves, whether it was whole or not; the state folder is kept.
# For up.sh and down.sh, which hold the lock.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
for part in await cgroups network; do
  . "$here/$part.sh"
done
rm -rf "$state/ended" # that programs end is what is wanted here

pid=$(init_pid)
if [ -n "$pid" ]; then
  processes=$(inside ps -e -o pid= | wc -l)
  # With the first process of a PID namespace the kernel ends all others.
  kill -KILL "$pid"
  gone() { [ -z "$(init_pid)" ]; }
  await 60 "end of about $processes processes" "$logs/init.log" gone
fi
await 30 "interface $name removed" "$logs/init.log" remove_network
await 30 "control groups /$name removed" "$logs/init.log" remove_cgroups
