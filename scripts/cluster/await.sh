# Sourced: bounded waits that say how far they are.

# await SECONDS WHAT LOG COMMAND...: until COMMAND succeeds. Fails at once when a program of the cluster has ended.
await() {
  local bound=$1 what=$2 log=$3 began=$SECONDS told=0 ended
  shift 3
  until "$@" >/dev/null 2>&1; do
    ended=$(ls "$state/ended" 2>/dev/null | head -1) || true
    if [ -n "$ended" ]; then
      echo "FAILED: $ended ended with code $(cat "$state/ended/$ended"). Read $logs/$ended.log, the end of which is:"
      tail -5 "$logs/$ended.log"
      echo "then: $how_to_end, and make it anew"
      return 1
    fi
    if [ $((SECONDS - began)) -ge "$bound" ]; then
      echo "FAILED: $what: not after $bound s. Read $log; then: $how_to_end, and make it anew"
      return 1
    fi
    if [ $((SECONDS - began)) -ge $((told + 5)) ]; then
      told=$((SECONDS - began))
      echo "waiting for: $what ($told s of at most $bound)"
    fi
    sleep 0.1
  done
  echo "$what after $((SECONDS - began)) s"
}
