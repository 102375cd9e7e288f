#!/bin/sh
# Breaks the engines on purpose, one way at a time, and records who notices: the test suite, and each check of `verify`.
#
#   scripts/mutants.sh [FOLDER [NUMBER..]]
#
# Works on a copy in FOLDER (default: target/mutants), with the mutants of these numbers (default: all). Slow: one build
# for each mutant. Ends with 1 where the test suite passes over one, or the law over one that it shares no code with.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=${1:-$root/target/mutants}
[ $# -eq 0 ] || shift
wanted=" $* "
mkdir -p "$folder"
number=0 survivors=0
export CARGO_INCREMENTAL=1

# mutant NAME TEST GAMES FILE EXPRESSION: a sed expression that must change the file. GAMES are those whose tables it
# makes wrong, separated by commas; none where the mutated code is the law itself, or shared with it.
mutant() {
    name=$1 test=$2 games=$3 file=$4 expression=$5
    number=$((number + 1))
    case $wanted in '  ' | *" $number "*) ;; *) return 0 ;; esac
    copy
    sed -i "$expression" "$folder/copy/$file"
    if cmp -s "$root/$file" "$folder/copy/$file"; then
        echo "$name: the expression changes nothing in $file" >&2
        exit 2
    fi
    echo "mutant $number: $name ($file)"
    suite=caught
    # shellcheck disable=SC2086 # the words are arguments
    if cargo_in_copy test --quiet $test >"$folder/suite" 2>&1; then suite='NOT CAUGHT'; fi
    if grep -q 'could not compile' "$folder/suite"; then
        cat "$folder/suite" >&2
        exit 2
    fi
    echo "  cargo test $test: $suite"
    law=no
    for game in $(echo "$games" | tr ' ,' '_ '); do prove "$(echo "$game" | tr _ ' ')"; done
    if [ "$suite" != caught ] || { [ -n "$games" ] && [ $law = no ]; }; then survivors=$((survivors + 1)); fi
}

copy() {
    rm -rf "$folder/copy" && mkdir "$folder/copy"
    (cd "$root" && tar cf - --exclude ./target --exclude ./fuzz/target --exclude ./.git .) | tar xf - -C "$folder/copy"
}

cargo_in_copy() {
    command=$1
    shift
    CARGO_TARGET_DIR="$folder/target" cargo "$command" --locked --manifest-path "$folder/copy/Cargo.toml" "$@"
}

# prove GAME: which checks see that the table is wrong.
prove() {
    grundy="$folder/target/debug/grundy"
    # shellcheck disable=SC2086 # the words are arguments
    "$grundy" generate $1 -o "$folder/table" --force --quiet >/dev/null
    seen=
    for check in integrity law naive theory known; do
        if ! "$grundy" verify "$folder/table" --check $check --quiet >"$folder/report"; then
            seen="$seen $check"
            [ $check != law ] || law=yes
        fi
    done
    echo "  $1:${seen:- no difference}"
}

all='chess --width 20,slide --width 20,welter --width 20,chess --width 20 --reach 3'
# Welter's game without a limit does not go by the options of a band.
options='chess --width 20,slide --width 20,welter --width 20 --reach 10,chess --width 20 --reach 3'
mutant 'layered: a move inside the middle is left out' '--test methods' "$options" src/generate/layered/moves.rs \
    's/\(let mut targets = .*\);$/\1; if rest == 0b1_0110 { targets = 0; }/'
mutant 'layered: the third piece of the middle does not drop into the low cells' '--test methods' "$options" src/generate/layered/gather.rs \
    's/read, depth, band, drops);/read, depth, band, drops \& !4);/'
mutant 'layered: the first option inside a block is left out' '--test methods' "$all" src/generate/layered/ties.rs \
    's/from_option!(0 1 2 3);/from_option!(1 2 3);/'
# Of 22 cells two are above the middle, of 20 none.
mutant 'layered: a piece from the top does not land on the last cell of the middle' '--test methods' 'chess --width 22,slide --width 22,welter --width 22 --reach 12' src/generate/layered/above.rs \
    's/let mut landings = rule.landings(band as u64, shape.middle()) \& near;/let mut landings = rule.landings(band as u64, shape.middle()) \& near \& !1;/'
mutant 'layered: a value of the second plane is eight too low' '--test methods' 'chess --width 20,slide --width 20,welter --width 20' src/generate/layered/open.rs \
    's/found.value_or_all(plane)/found.value_or_all(plane - u8::from(plane == 1))/'
mutant 'layered: no piece lands on the last cell of a block' '--test methods' "$all" src/generate/layered/ties.rs \
    's/if lowest == 0 {/if lowest == 9 {/'
mutant 'stones: the amount that leaves 8 stones and is 9 is left out' '--lib --test query stones' 'stones --max 60' src/generate/stones/line.rs \
    's/if amount > LOW \&\& self.used/if amount > LOW + 1 \&\& self.used/'
mutant 'closed form: the mask of chess is that of an even number of pieces' '--test methods' 'chess --width 20 --method closed-form' src/generate/closed_form/theorem.rs \
    's/lo.count_ones() % 2 == 1 { 0xFF }/lo.count_ones() % 2 == 0 { 0xFF }/'
mutant 'rules: no piece lands on the nearest cell that it could not pass' '--test theory' "$all" src/game/strip.rs \
    's/(u64::MAX << (blocked | 1).ilog2())/(u64::MAX << ((blocked | 1).ilog2() + (blocked != 0) as u32))/'
mutant 'law: the nearest piece does not arrive' '--lib law' '' src/verify/law/rows.rs \
    's/let (mut pieces, mut from) = (0, first);/let (mut pieces, mut from) = (0, first + 1);/'
mutant 'vectors: the number of a bit, with SSE4.2, is wrong for one of eight' '--test methods' '' src/simd/x86/sse42.rs \
    's/and(Self::splat(15))/and(Self::splat(7))/'
mutant 'layered: no value is noted under a piece lifted from the last cell of the middle' '--test methods' 'welter --width 20' src/generate/layered/lifted.rs \
    's/let set = \&mut sets\[band ^ lowest(pieces)\];/let set = \&mut sets[band ^ lowest(pieces \& !1)];/'
mutant 'layered: in later planes no piece comes down inside a band' '--test methods' 'chess --width 20' src/generate/layered/open_lines.rs \
    's/CELLS_ABOVE_A_LINE | n as u16)/CELLS_ABOVE_A_LINE | n as u16 \& !3)/'
mutant 'layered: a piece that is put down in the low cells does not land on the highest of them' '--test methods' 'welter --width 20' src/generate/layered/lifted.rs \
    's/for cell in 0..Low::CELLS_ABOVE_A_LINE {/for cell in 1..Low::CELLS_ABOVE_A_LINE {/'
mutant 'layered: what a tile sees in the first tile of the moves inside the top is left out' '--test methods' 'welter --width 22' src/generate/layered/lifted.rs \
    's/for \&tile in \&above.tops {/for \&tile in above.tops.iter().skip(1) {/'

echo "$survivors mutants survived"
[ "$survivors" -eq 0 ]
