# Sourced by the scripts that run a job in parts: each part is announced, timed and judged, and `verdict` sums up.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
part_names=() part_results=() part_seconds=() part_failed=0
parts_began=$SECONDS

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

# part NAME COMMAND...: exit code 0 is a pass, 75 a skip (the command says why), anything else a failure.
part() {
  local name=$1 began=$SECONDS code=0
  shift
  say "$name"
  "$@" || code=$?
  local seconds=$((SECONDS - began)) result=passed
  if [ "$code" = 75 ] && [ "${CI:-}" != true ]; then
    result=skipped
  elif [ "$code" != 0 ]; then
    result=FAILED
    part_failed=1
  fi
  part_names+=("$name") part_results+=("$result") part_seconds+=("$seconds")
  echo "-- $name: $result after ${seconds} s"
}

# needs TOOL...: ends the calling script as skipped when one is missing. With CI=true a skip counts as a failure.
needs() {
  local tool
  for tool in "$@"; do
    if ! command -v "$tool" >/dev/null 2>&1; then
      echo "SKIPPED: $tool is not on this machine; install it to run this part (with CI=true this is a failure)"
      exit 75
    fi
  done
}

# verdict JOB: prints the table and ends the script.
verdict() {
  local i
  say "$1 in $((SECONDS - parts_began)) s"
  for i in "${!part_names[@]}"; do
    printf '   %-34s %-8s %5s s\n' "${part_names[$i]}" "${part_results[$i]}" "${part_seconds[$i]}"
  done
  if [ "$part_failed" = 0 ]; then
    echo "VERDICT: passed"
  else
    echo "VERDICT: FAILED (see the first part marked FAILED above)"
  fi
  exit "$part_failed"
}
