#!/usr/bin/env bash
# Makes the pictures of the README: docs/pictures/. The chart is measured on this machine, so run it on a calm one.
#
#   scripts/pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --quiet --locked --release
grundy=$PWD/target/release/grundy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/pictures

"$grundy" generate chess --width 20 --quiet -o "$work/table" >"$work/talk"
"$grundy" plot "$work/table" -o docs/pictures/chess-20.png
"$grundy" plot "$work/table" --histogram -o docs/pictures/chess-20-histogram.png

"$grundy" bench chess-20 --methods layered,closed-form,naive,contest --what compute,law \
    --report "$work/report" --quiet >"$work/talk"
cp "$work/report/samples.svg" docs/pictures/bench-chess-20.svg
