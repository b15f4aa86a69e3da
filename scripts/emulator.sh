# Sourced: starts the emulator that was built on a free port, and stops it when the script ends.
emulator_pid=
emulator_log=$(mktemp)

# start_emulator ARG...: sets emulator_url, emulator_endpoint (grpc://HOST:PORT).
start_emulator() {
  "$root/bin/emulator" serve --listen 127.0.0.1:0 --database /local "$@" >"$emulator_log" 2>&1 &
  emulator_pid=$!
  trap stop_emulator EXIT
  trap 'exit 130' INT TERM
  local turn
  for turn in $(seq 1 300); do
    emulator_url=$(sed -n 's/^READY //p' "$emulator_log" | head -1)
    if [ -n "$emulator_url" ]; then
      emulator_endpoint=${emulator_url%%/?database*}
      return 0
    fi
    kill -0 "$emulator_pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "the emulator did not start after $turn tries:"
  cat "$emulator_log"
  return 1
}

stop_emulator() {
  [ -z "$emulator_pid" ] || kill "$emulator_pid" 2>/dev/null || true
  [ -z "$emulator_pid" ] || wait "$emulator_pid" 2>/dev/null || true
  rm -f "$emulator_log"
  emulator_pid=
}
