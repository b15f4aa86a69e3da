#!/usr/bin/env bash
# Migrates as docs/migrating.md says under "Try it on the emulator": runs the commands of the page, with free ports and the
# Python of the other tests in the place of its own, and sees what the page promises.
set -euo pipefail
# Started in the background, a script and all its children may ignore SIGINT, which a step of the page sends.
if [ -z "${SIGINT_HEARD:-}" ] && env --default-signal=INT true 2>/dev/null; then
  SIGINT_HEARD=yes exec env --default-signal=INT "${BASH_SOURCE[0]}" "$@"
fi
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
. "$root/scripts/python.sh"
needs python3 curl
python_with "$root/emulator/src/test/cdc/requirements.txt"

page=$root/docs/migrating.md
work=$(mktemp -d)
section=$work/section.md
sed -n '/^## Try it on the emulator/,$p' "$page" >"$section"
set -m # jobs as at a prompt: numbered, and Ctrl-C reaches them

end_jobs() {
  local code=$?
  [ "$code" = 0 ] || tail -n 20 "$work"/*.log
  # shellcheck disable=SC2046 # one word a job
  [ -z "$(jobs -p)" ] || kill $(jobs -p) 2>/dev/null || true
  wait || true
  rm -rf "$work"
}
trap end_jobs EXIT

fail() {
  echo "docs/migrating.md: $*"
  exit 1
}

free_ports=$(python3 -c 'import socket
open = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in open))')
read -r ydb_port page_port <<<"$free_ports"

# block NUMBER: what stands between its fences, without the indentation of its list
block() {
  awk -v wanted="$1" '
    /^ *```/ { inside = !inside; if (inside) { number++; indent = index($0, "`") } next }
    inside && number == wanted { print substr($0, indent) }' "$section" |
    sed -e "s/2136/$ydb_port/g" -e "s/8980/$page_port/g" -e "s|/tmp/try/bin/python|$python|g"
}

# promised FILE WORDS...: the page speaks of these words, and they come up in the file
promised() {
  local file=$1 words
  shift
  for words in "$@"; do
    grep -qF -e "$words" "$section" || fail "does not speak of '$words' any more"
    seen "$file" "$words"
  done
}

# seen FILE WORDS...: they come up in the file within a minute
seen() {
  local file=$1 words turn
  shift
  for words in "$@"; do
    for turn in $(seq 1 300); do
      ! grep -qF -e "$words" "$file" || continue 2
      sleep 0.2
    done
    fail "'$words' does not come up in $(basename "$file")"
  done
}

# offsets_committed: by the page of the replicator that runs, the consumer has a committed offset in every partition
offsets_committed() {
  local turn page
  for turn in $(seq 1 300); do
    page=$(curl -sf "http://127.0.0.1:$page_port/status" || true)
    if grep -qE '"committedOffset" *: *[1-9]' <<<"$page" && ! grep -qE '"committedOffset" *: *(0|-)' <<<"$page"; then
      return 0
    fi
    sleep 0.2
  done
  fail "no offset is committed in some partition after a minute: $page"
}

cd "$work"
HOME_OF=$root
grep -qF 'pip install ydb' <(block 1) || fail "installs no client in its first block"
block 2 >sql.py
block 3 >config.yaml

echo "1: databases, tables and a feed"
eval "$(block 4)" >one.log 2>&1
[ -n "${sql:-}" ] || fail "names no client in step 1"

echo "2: the predecessor"
predecessor=$(block 5 | head -n 1)
eval "$predecessor &" >two.log 2>&1
promised two.log 'initial scan is done'
promised two.log 'aligned'
offsets_committed # a person takes longer than that to press Ctrl-C
kill -INT %2 # Ctrl-C
wait %2 || fail "the predecessor ended with code $?"
eval "$(block 5 | tail -n +2)" >>two.log 2>&1

echo "3: what it left, and changes that it did not see"
eval "$(block 6)" >three.log 2>&1
seen three.log "'stage': 'RUN'" "'state': 'OK'" "'tea'" "'milk'"

echo "4: the takeover"
eval "$(block 7)" >four.log 2>&1
promised four.log 'nothing wrong' 'lock acquired' 'replication begins' 'aligned'
seen four.log '"aligned":false' '"message":"aligned: '

echo "5: the copy"
eval "$(block 8)" >five.log 2>&1
seen five.log "{'id': 2, 'name': 'milk', 'price': 7}" '"mode"'
! grep -qF "'tea'" five.log || fail "a row that was deleted is still there"

echo "6: the way back"
promised "$section" 'kill %2'
kill %2
wait %2 || fail "the replicator ended with code $?"
eval "$(block 6 | head -n 1)" >six.log 2>&1
seen six.log "'stage': 'RUN'" "'state': 'OK'"
