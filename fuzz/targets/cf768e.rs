//! Any bytes as the input of Codeforces 768E: an error that names a place, or the same answer by table and formula.

#![no_main]

use std::sync::LazyLock;

use grundy::game::{Game, Stones};
use grundy::generate::{Method, Settings, generate};
use grundy::solve::{PileValues, cf768e};
use libfuzzer_sys::fuzz_target;

static TABLE: LazyLock<(Stones, Vec<u8>)> = LazyLock::new(|| {
    let stones = Stones::new(cf768e::MAX_PILE).expect("a game");
    let mut values = vec![0; stones.entries() as usize];
    let game = Game::from(stones);
    generate(&game, Method::Layered, Settings::detect(), &mut values, &()).expect("a table");
    (stones, values)
});

fuzz_target!(|data: &[u8]| {
    let (stones, values) = &*TABLE;
    let table = PileValues::table(*stones, values).expect("a table");
    let formula = PileValues::formula(*stones);
    let answers = [(table, false), (formula, false), (table, true), (formula, true)]
        .map(|(values, moves)| cf768e::answer(data, values, moves).map_err(|e| e.to_string()));
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[2], answers[3]);
    match (&answers[0], &answers[2]) {
        (Ok(plain), Ok(moves)) => assert!(moves.starts_with(plain.trim_end())),
        (plain, moves) => assert_eq!(plain, moves),
    }
});
