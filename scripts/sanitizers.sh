#!/bin/sh
# Looks for undefined behaviour: the test suite under the address sanitizer, and short runs under valgrind.
#
#   scripts/sanitizers.sh [address|valgrind]
#
# Both by default. Slow, as everything is built once more: not for every landing. Wants valgrind for the second.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
what=${1:-both}
target=x86_64-unknown-linux-gnu

if [ "$what" = both ] || [ "$what" = address ]; then
    # The sanitizer is there in the stable compiler, but not a promise of it. A target is named so that what runs
    # while building is built without. Handlers of SIGBUS are the command's own business. The fault tests limit memory
    # and fail calls, which the sanitizer's own memory does not survive.
    echo '== address sanitizer: library, command and tests'
    RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Zsanitizer=address' ASAN_OPTIONS='handle_sigbus=0:detect_stack_use_after_return=1' \
        CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}/address" \
        cargo test --locked --target $target --lib --bins --test methods --test theory --test table_file \
        --test verify_table --test command --test query --test sums --test judges
fi

if [ "$what" = both ] || [ "$what" = valgrind ]; then
    echo '== valgrind: the command'
    cargo build --locked
    grundy=${CARGO_TARGET_DIR:-$root/target}/debug/grundy
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    # What valgrind does not know is AVX-512, and what it does not do is several threads at once.
    check() {
        echo "-- grundy $*"
        valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
            --errors-for-leak-kinds=definite "$grundy" "$@" >/dev/null
    }
    for level in portable sse4.2 avx2; do
        for game in 'chess --width 16' 'welter --width 13' 'slide --width 15 --reach 3' 'stones --max 45'; do
            # shellcheck disable=SC2086 # the words are arguments
            check generate $game --simd $level --threads 2 -o "$folder/table" --force
            check verify "$folder/table" --simd $level --threads 2
        done
    done
    check generate chess --width 16 --method closed-form --simd avx2 -o "$folder/table" --force
    check info "$folder/table"
    check query "$folder/table" 1,2,5 -
    check export "$folder/table" --to npy --cells left-low -o "$folder/npy"
    check solve hdu5724 --moves -i tests/data/judge/hdu_edge.in
fi
echo 'nothing found'
