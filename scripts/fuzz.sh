#!/bin/sh
# Throws hostile bytes at the readers: those of the library under cargo-fuzz, the C header under the sanitizers of its compiler.
#
#   scripts/fuzz.sh [SECONDS [TARGET..]]
#
# SECONDS each (default: 60), all targets by default; `c` is the C header. What is found on the way is kept under target/fuzz,
# not in the corpus. An input that fails is named at the end of the output; give it back with
#
#   RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir fuzz TARGET INPUT
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- table hdu5724 cf768e position c
kept=${CARGO_TARGET_DIR:-$root/target}/fuzz
cd "$root"
# Warnings are for the package's own checks, and other flags would be lost among those of the fuzzer.
unset RUSTFLAGS

fuzz_c() {
    mkdir -p "$kept/c"
    "${CC:-cc}" -std=c99 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all \
        -I include fuzz/c/header.c -o "$kept/c/header"
    "$kept/c/header" "$seconds" "$kept/c/case" fuzz/corpus/table/*
}

for target in "$@"; do
    echo "-- $target, $seconds s"
    if [ "$target" = c ]; then
        fuzz_c
        continue
    fi
    mkdir -p "$kept/$target"
    # The first folder is the one that grows.
    RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir fuzz -O "$target" "$kept/$target" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 -seed=1
done
