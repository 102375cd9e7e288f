#!/bin/bash
# Load for a long time: generation and verification over and over in little memory, and many readers of one table.
#
#   scripts/soak.sh [MINUTES [FOLDER]]
#
# MINUTES in all (default: 30), with the tables in FOLDER (default: a fresh one). Every table is made afresh and proved; each
# process has no more than 1 GiB of addresses. The largest resident sets of the first and of the last runs are compared; and
# as what leaks does so within a process, the last ones check their table ten times over.
# Then 64 processes probe one table at once, while it is replaced under them again and again.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
minutes=${1:-30}
folder=${2:-$(mktemp -d)}
grundy=${GRUNDY_BIN:-${CARGO_TARGET_DIR:-$root/target}/release/grundy}
readers=64
mkdir -p "$folder"
[ -x "$grundy" ] || { echo "no $grundy: run cargo build --release first, or name one with GRUNDY_BIN" >&2; exit 2; }

games=('chess --width 24' 'slide --width 24' 'welter --width 22' 'welter --width 21 --reach 6' 'stones --max 100'
    'chess --width 25 --method closed-form' 'chess --width 18 --method naive')

# measured PEAKS COMMAND..: runs it within its limit, and adds its largest resident set in KiB to the file PEAKS.
measured() {
    local peaks=$1
    shift
    (ulimit -v $((1 << 20)); exec python3 - "$peaks" "$@" <<'PYTHON'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL).returncode
with open(sys.argv[1], "a") as peaks:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=peaks)
sys.exit(status if status >= 0 else 128 - status)
PYTHON
    )
}

# load NAME TIMES: makes every table, proves it so many times in one process, and notes the peaks, one line a game.
load() {
    local game tables
    rm -f "$folder/generate.$1" "$folder/verify.$1"
    mapfile -t tables < <(yes "$folder/table" | head -n "$2")
    for game in "${games[@]}"; do
        # shellcheck disable=SC2086 # the words are arguments
        measured "$folder/generate.$1" "$grundy" generate $game -o "$folder/table" --force --quiet
        measured "$folder/verify.$1" "$grundy" verify "${tables[@]}" --check integrity,law,theory,known --quiet
        runs=$((runs + 2))
    done
}

probe() {
    local probed=0
    while [ "$(date +%s)" -lt "$end" ]; do
        "$grundy" query "$folder/probed" 1,2,9 17,20 --json | cmp -s - "$folder/answer" || return 1
        probed=$((probed + 1))
    done
    echo $probed >"$folder/count.$BASHPID"
}

begin=$(date +%s)
# A sixth of the time is for the readers.
load_end=$((begin + minutes * 50))
runs=0
load first 1
while load last 10 && [ "$(date +%s)" -lt $load_end ]; do :; done
grown=0
for what in generate verify; do
    paste "$folder/$what.first" "$folder/$what.last" >"$folder/peaks"
    number=0
    while read -r before after; do
        echo "$what ${games[$number]}: $before KiB at first, $after KiB at last"
        # A tenth and a megabyte: where the kernel puts pages differs from run to run.
        [ "$after" -le $((before + before / 10 + 1024)) ] || grown=$((grown + 1))
        number=$((number + 1))
    done <"$folder/peaks"
done
echo "$runs runs in $(($(date +%s) - begin)) s, all of them well; $grown grew"

"$grundy" generate chess --width 20 -o "$folder/probed" --force --quiet >/dev/null
"$grundy" query "$folder/probed" 1,2,9 17,20 --json >"$folder/answer"
rm -f "$folder"/count.*
end=$(($(date +%s) + minutes * 10))
pids=()
for _ in $(seq $readers); do
    probe &
    pids+=($!)
done
replaced=0
while [ "$(date +%s)" -lt "$end" ]; do
    "$grundy" generate chess --width 20 -o "$folder/probed" --force --quiet >/dev/null
    replaced=$((replaced + 1))
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + 1)); done
total=$(cat "$folder"/count.* | awk '{ sum += $1 } END { print sum }')
left=$(find "$folder" -name '*.partial' | wc -l)
echo "$readers readers opened the table $total times while it was replaced $replaced times: $failed failed; $left left-overs"
[ $grown -eq 0 ] && [ $failed -eq 0 ] && [ "$left" -eq 0 ]
