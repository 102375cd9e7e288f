#!/bin/sh
# Tests the Python package in a fresh environment of its own, also against the built command where there is one.
#
#   scripts/test-python.sh [FOLDER]
#
# FOLDER is that of the environment (default: target/python); it is made anew where it does not work. PYTHON names
# the interpreter (default: python3), GRUNDY_BIN the command (default: target/release/grundy, else target/debug/grundy).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
environment=${1:-$target/python}

for built in "$target/release/grundy" "$target/debug/grundy"; do
    if [ -z "${GRUNDY_BIN:-}" ] && [ -x "$built" ]; then GRUNDY_BIN=$built; fi
done
if [ -n "${GRUNDY_BIN:-}" ]; then
    export GRUNDY_BIN
    echo "testing against $GRUNDY_BIN"
elif [ "${CI:-}" = true ]; then
    echo "no built command: run cargo build --release first, or name one with GRUNDY_BIN" >&2
    exit 2
fi

"$environment/bin/python" -c '' 2>/dev/null || "${PYTHON:-python3}" -m venv --clear "$environment"
# A copy is built, so that nothing is left in the sources.
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
cp -R "$root/python/." "$sources"
"$environment/bin/python" -m pip install --quiet --force-reinstall --no-deps "$sources"
"$environment/bin/python" -m pip install --quiet "$sources[test]"
"$environment/bin/python" -m pytest -p no:cacheprovider --rootdir "$root/python" -c "$root/python/pyproject.toml" "$root/python/tests"
