# Sourced by tests that bring a cluster up and down: whether the machine is afterwards as it was.

# look_at_machine: what has to be built and installed is, since it stays; then the state of the machine is noted. Ends
# the test where no cluster can be. A cluster that is still up when the test ends is ended.
look_at_machine() {
  local code=0
  if [ -e "$state" ]; then
    echo "FAILED: cluster $number is there already; end it: $how_to_end"
    exit 1
  fi
  { "$here/machine.sh" && "$root/scripts/kube-apiserver.sh" --cluster && "$here/images.sh"; } || code=$?
  [ "$code" = 0 ] || exit "$code"
  before=$(mktemp /tmp/aardappel-machine.XXXXXX)
  trap '[ ! -e "$state" ] || "$here/down.sh"; rm -f "$before" "$before.after"' EXIT
  note_state "$before"
}

# note_state FILE: the packages' moment comes first, for what another installs meanwhile is no leftover.
note_state() {
  { stat -c 'packages %y' /var/lib/dpkg/status 2>/dev/null || echo "packages none"; } >"$1"
  "$here/machine-state.sh" >>"$1"
}

machine_is_as_it_was() {
  note_state "$before.after" || return 1
  if [ "$(head -1 "$before")" != "$(head -1 "$before.after")" ]; then
    diff "$before" "$before.after" || true
    echo "SKIPPED: somebody installed packages meanwhile, which cannot be told from leftovers: run it again"
    return 75
  fi
  diff "$before" "$before.after" && echo "the machine is as it was"
}
