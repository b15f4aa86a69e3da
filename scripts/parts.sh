# Sourced by the scripts that run a job in parts: each part is announced, timed and judged, and `verdict` sums up.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
part_names=() part_results=() part_seconds=() part_failed=0
parts_began=$SECONDS

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
say() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }

# part NAME COMMAND...: exit code 0 is a pass, 75 a skip (the command says why), anything else a failure.
part() {
  local name=$1 began=$SECONDS code=0
  shift
  say "$name"
  "$@" || code=$?
  judge "$name" "$code" $((SECONDS - began))
}

# judge NAME CODE SECONDS
judge() {
  local result=passed
  if [ "$2" = 75 ] && [ "${CI:-}" != true ]; then
    result=skipped
  elif [ "$2" != 0 ]; then
    result=FAILED
    part_failed=1
  fi
  part_names+=("$1") part_results+=("$result") part_seconds+=("$3")
  echo "-- $1: $result after $3 s"
}

# Parts that run beside one another: by their numbers in the order in which they began; no process id is one that was judged.
parts_at_once=3
beside_names=() beside_pids=() beside_began=() beside_folder=

# part_beside NAME COMMAND...: as part, beside others, which it waits for while there are too many. What it prints comes in
# one piece when it has ended. It must not need what the others write.
part_beside() {
  local name=$1 number=${#beside_pids[@]}
  shift
  while [ "$(beside_running)" -ge "$parts_at_once" ]; do
    judge_ended
  done
  if [ -z "$beside_folder" ]; then
    beside_folder=$(mktemp -d)
    trap end_beside EXIT
    trap 'exit 130' INT TERM
  fi
  echo "-- $name: begins"
  set -m # a process group of its own: it can be ended with all that it started, and its children hear Ctrl-C
  "$@" >"$beside_folder/$number" 2>&1 </dev/null &
  set +m
  beside_names+=("$name") beside_pids+=($!) beside_began+=("$SECONDS")
}

beside_running() {
  local pid running=0
  for pid in ${beside_pids[@]+"${beside_pids[@]}"}; do
    [ -z "$pid" ] || running=$((running + 1))
  done
  echo "$running"
}

# Waits until one at least has ended.
judge_ended() {
  local number code ended=0
  while [ "$ended" = 0 ]; do
    for number in "${!beside_pids[@]}"; do
      if [ -n "${beside_pids[$number]}" ] && ! kill -0 "${beside_pids[$number]}" 2>/dev/null; then
        code=0
        wait "${beside_pids[$number]}" || code=$?
        beside_pids[$number]= ended=1
        say "${beside_names[$number]}"
        cat "$beside_folder/$number"
        judge "${beside_names[$number]}" "$code" $((SECONDS - beside_began[number]))
      fi
    done
    [ "$ended" = 1 ] || sleep 0.2
  done
}

# Waits for all parts that run beside one another.
parts_together() {
  while [ "$(beside_running)" -gt 0 ]; do
    judge_ended
  done
}

end_beside() {
  local pid
  for pid in ${beside_pids[@]+"${beside_pids[@]}"}; do
    [ -z "$pid" ] || kill -- "-$pid" 2>/dev/null || true
  done
  rm -rf "$beside_folder"
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
