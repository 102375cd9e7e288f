#!/bin/sh
# Generates the published tables and writes their digests: tables/SHA256SUMS (whole files) and
# tables/BLAKE3ROOTS (roots of the values, built into the command).
#
#   scripts/publish-tables.sh FOLDER [--delete]
#
# With --delete each table is removed once its digests are known, so that the largest one is all the
# room needed. The output depends on nothing but the tables, which are the same on every machine.
set -eu

usage() { echo "usage: $0 FOLDER [--delete]" >&2; exit 2; }
[ $# -ge 1 ] && [ $# -le 2 ] || usage
folder=$1
delete=${2:-}
[ -z "$delete" ] || [ "$delete" = --delete ] || usage

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
mkdir -p "$folder"
cargo build --quiet --release --manifest-path "$root/Cargo.toml"
grundy=${CARGO_TARGET_DIR:-$root/target}/release/grundy

sums=$(mktemp) && roots=$(mktemp)
trap 'rm -f "$sums" "$roots"' EXIT

# The arguments of `grundy generate` for each published table, in the order of the lists.
tables() {
    for rule in chess slide welter; do
        for width in $(seq 1 28); do echo "$rule --width $width"; done
        for width in 16 20 24; do
            for reach in 1 2 3 4; do echo "$rule --width $width --reach $reach"; done
        done
    done
    for max in 20 40 60 80 100 120; do echo "stones --max $max"; done
}

field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

tables | while read -r arguments; do
    # shellcheck disable=SC2086 # the words of a line are arguments
    id=$("$grundy" generate $arguments --dry-run --json --force -o "$folder/x" | field id)
    file=$folder/$id.safetensors
    # shellcheck disable=SC2086
    report=$("$grundy" generate $arguments -o "$file" --force --quiet --json)
    # Two opinions before anything is published: the law, and the formula where there is one.
    "$grundy" verify "$file" --check integrity,law --quiet >&2
    root_of=$(echo "$report" | field blake3)
    case $arguments in
    stones* | *reach*) ;;
    *)
        # shellcheck disable=SC2086
        formula=$("$grundy" generate $arguments --method closed-form -o "$folder/formula" --force --quiet --json)
        [ "$(echo "$formula" | field blake3)" = "$root_of" ] || { echo "$id: layered and closed form differ" >&2; exit 1; }
        rm -- "$folder/formula"
        ;;
    esac
    echo "$root_of  $id" >>"$roots"
    (cd "$folder" && sha256sum "$id.safetensors") >>"$sums"
    [ -z "$delete" ] || rm -- "$file"
done

{
    echo '# Root digests of complete tables, `root  id`: the BLAKE3 of the BLAKE3 of each 16 MiB of values.'
    echo '# Made by scripts/publish-tables.sh, and built into the command (`grundy verify --check known`).'
    cat "$roots"
} >"$root/tables/BLAKE3ROOTS"
cat "$sums" >"$root/tables/SHA256SUMS"
