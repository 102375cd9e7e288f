#!/bin/sh
# Breaks the layered engine on purpose, one way at a time, and shows that the law check alone notices.
#
#   scripts/mutants.sh [FOLDER]
#
# Works on a copy in FOLDER (default: target/mutants). Slow: one build for each mutant.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=${1:-$root/target/mutants}
mkdir -p "$folder"
survivors=0

# mutant NAME FILE EXPRESSION: a sed expression that must change the file.
mutant() {
    name=$1 file=$2 expression=$3
    rm -rf "$folder/copy" && mkdir "$folder/copy"
    (cd "$root" && tar cf - --exclude ./target --exclude ./.git .) | tar xf - -C "$folder/copy"
    sed -i "$expression" "$folder/copy/$file"
    if cmp -s "$root/$file" "$folder/copy/$file"; then
        echo "$name: the expression changes nothing in $file" >&2
        exit 2
    fi
    CARGO_TARGET_DIR="$folder/target" cargo build --quiet --manifest-path "$folder/copy/Cargo.toml"
    caught=no
    for game in chess slide welter "chess --reach 3"; do
        # shellcheck disable=SC2086 # the words are arguments
        "$folder/target/debug/grundy" generate $game --width 20 -o "$folder/table" --force --quiet >/dev/null
        if "$folder/target/debug/grundy" verify "$folder/table" --check law --quiet >"$folder/report"; then
            echo "$name: $game: not seen"
        else
            echo "$name: $game: caught: $(sed -n 2,3p "$folder/report" | tr -s ' ' | tr '\n' ' ')"
            caught=yes
        fi
    done
    [ "$caught" = yes ] || survivors=$((survivors + 1))
}

mutant 'a move inside the middle is left out' src/generate/layered/shape.rs 's/let mut targets = self.strip.targets(rest.into(), piece);/let mut targets = self.strip.targets(rest.into(), piece); if rest == 0b1_0110 { targets = 0; }/'
mutant 'a piece does not drop into the low cells' src/generate/layered/tile.rs 's/let mut drops = drops \& pieces;/let mut drops = drops \& pieces \& !4;/'
mutant 'an option inside the low cells is left out' src/generate/layered/low.rs 's/while n < count as usize {/while n < (count as usize).min(2) {/'
mutant 'a piece from the top lands nowhere' src/generate/layered/tile.rs 's/let mut landings = rule.landings(line as u64, shape.middle()) \& near;/let mut landings = rule.landings(line as u64, shape.middle()) \& near \& !1;/'
mutant 'a value of the second plane is one too low' src/generate/layered/tile.rs 's/or(V::Line::splat(8 \* plane))/or(V::Line::splat(7 * plane))/'

echo "$survivors mutants not caught"
[ "$survivors" -eq 0 ]
