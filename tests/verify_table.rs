//! Proof: right tables pass every check, and one wrong value fails each that can see it.

mod common;

use std::num::NonZeroUsize;

use common::{file_of, game, table_of, values};
use grundy::table::Table;
use grundy::verify::{Bad, Check, Outcome, Settings, Shown, Status, Verifier};

const IDS: [&str; 10] = [
    "chess-1",
    "chess-7",
    "chess-16",
    "chess-15-reach-2",
    "slide-8",
    "slide-15",
    "slide-15-reach-3",
    "welter-6",
    "welter-15",
    "welter-15-reach-4",
];

fn check(table: &Table, check: Check, threads: usize) -> Outcome {
    let threads = NonZeroUsize::new(threads);
    let settings = Settings { threads, ..Settings::detect() };
    Verifier::new(table, settings).expect("threads").run(check).expect("checked")
}

#[test]
fn right_tables_pass_every_check() {
    for id in IDS {
        let table = table_of(game(id), &values(game(id)));
        for kind in Check::ALL {
            let outcome = check(&table, kind, 2);
            let passes = match (kind, outcome.status) {
                (_, Status::Ok) => kind != Check::Theory || !id.contains("reach"),
                (Check::Theory, Status::NotApplicable(_)) => id.contains("reach"),
                (Check::Known, Status::NotApplicable(_)) => true,
                _ => false,
            };
            assert!(passes, "{id}: {kind}");
            assert_eq!((outcome.bad, outcome.first_bad), (0, None), "{id}: {kind}");
        }
    }
}

#[test]
fn one_wrong_value_with_new_digests_fails_law_naive_and_theory_alike() {
    for id in IDS {
        let game = game(id);
        let right = values(game);
        let last = right.len() - 1;
        for index in [0, 1, right.len() / 2, right.len() / 3, last] {
            for wrong in [right[index] ^ 1, right[index] + 2, 255] {
                let mut values = right.clone();
                values[index] = wrong;
                let table = table_of(game, &values);
                let expected = Bad {
                    index: index as u64,
                    row: game.picture(index as u64),
                    found: Shown::Number(wrong.into()),
                    expected: Shown::Number(right[index].into()),
                };
                let kinds = [Check::Law, Check::Naive, Check::Theory];
                for kind in kinds {
                    if kind == Check::Theory && id.contains("reach") {
                        continue;
                    }
                    let outcome = check(&table, kind, 2);
                    assert_eq!(outcome.status, Status::Failed, "{id} {kind} index {index}");
                    assert_eq!(outcome.first_bad.as_ref(), Some(&expected), "{id} {kind}");
                    // The law also finds those that have the wrong entry among their options.
                    assert!(outcome.bad == 1 || kind == Check::Law, "{id} {kind} {index}");
                }
                assert_eq!(check(&table, Check::Integrity, 2).status, Status::Ok, "{id}");
            }
        }
    }
}

#[test]
fn what_is_found_does_not_depend_on_threads() {
    let game = game("slide-17");
    let mut values = values(game);
    for index in (0..values.len()).step_by(997).skip(3) {
        values[index] ^= 4;
    }
    let table = table_of(game, &values);
    for kind in [Check::Law, Check::Naive, Check::Theory] {
        let one = check(&table, kind, 1);
        let first = one.first_bad.as_ref().expect("a bad entry");
        assert_eq!(first.index, 3 * 997, "{kind}");
        for threads in [2, 3, 7] {
            let many = check(&table, kind, threads);
            assert_eq!((many.bad, many.first_bad.as_ref()), (one.bad, Some(first)), "{kind}");
        }
    }
}

#[test]
fn the_law_counts_every_entry_that_breaks_it() {
    // All zero: every row with an option is wrong, and no other.
    for id in ["chess-9", "slide-9", "welter-9", "welter-9-reach-1"] {
        let game = game(id);
        let grundy::game::Game::Strip(strip) = game else { panic!("{id}") };
        let with_options = (0..game.entries()).filter(|&row| strip.options(row).next().is_some());
        let expected = with_options.clone().count() as u64;
        let outcome = check(&table_of(game, &vec![0; 1 << 9]), Check::Law, 2);
        assert_eq!(outcome.bad, expected, "{id}");
        assert_eq!(outcome.first_bad.map(|bad| bad.index), with_options.min(), "{id}");
    }
}

#[test]
fn the_table_of_another_game_fails() {
    let names = ["chess-12", "slide-12", "welter-12", "chess-12-reach-2", "slide-12-reach-2"];
    for id in names {
        for other in names.into_iter().filter(|other| *other != id) {
            let table = table_of(game(id), &values(game(other)));
            for kind in [Check::Law, Check::Naive] {
                let status = check(&table, kind, 2).status;
                assert_eq!(status, Status::Failed, "{other} under the id {id}: {kind}");
            }
        }
    }
}

#[test]
fn a_flipped_value_fails_integrity_and_names_its_chunk() {
    let game = game("chess-25");
    let mut file = file_of(game, &common::formula_values(game));
    file[4096 + (16 << 20) + 5] ^= 1;
    let table = Table::from_bytes(file).expect("a table by its structure");
    let outcome = check(&table, Check::Integrity, 2);
    assert_eq!(outcome.status, Status::Failed);
    let bad = outcome.first_bad.expect("a bad chunk");
    assert_eq!((bad.index, bad.row.as_str()), (16 << 20, "chunk 1, entries 16777216 to 33554431"));
}

#[test]
fn long_work_is_skipped_unless_asked_for() {
    let game = game("chess-27");
    let table = table_of(game, &common::formula_values(game));
    let outcome = check(&table, Check::Naive, 1);
    assert!(matches!(&outcome.status, Status::Skipped(why) if why.contains("--check naive")));
    assert_eq!(outcome.bad, 0);
}
