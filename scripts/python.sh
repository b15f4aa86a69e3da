# Sourced: python_with REQUIREMENTS makes a virtual environment for them below target/ once and sets python.
python_with() {
  local mark venv=$root/emulator/target/venv-$(cksum <"$1" | cut -d' ' -f1)
  mark=$venv/.complete
  if [ ! -f "$mark" ]; then
    echo "installing $(grep -v '^#' "$1" | tr '\n' ' ')"
    mkdir -p "$root/emulator/target"
    if ! python3 -m venv --clear "$venv" >"$venv.log" 2>&1; then
      cat "$venv.log"
      echo "SKIPPED: python3 makes no virtual environment here; install its venv package"
      exit 75
    fi
    "$venv/bin/pip" install -q --disable-pip-version-check -r "$1"
    touch "$mark"
  fi
  python=$venv/bin/python
}
