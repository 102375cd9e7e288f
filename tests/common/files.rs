//! Tables for tests, made in memory.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its part")]

use grundy::game::{Game, strip_value};
use grundy::generate::{Method, Settings, generate};
use grundy::table::{Digest, Header, Summary, Table};

/// The game of an id.
pub fn game(id: &str) -> Game {
    id.parse().expect(id)
}

/// The right values of a game: by the oracle.
pub fn values(game: Game) -> Vec<u8> {
    let mut values = vec![0xAA; game.entries() as usize];
    generate(&game, Method::Naive, Settings::detect(), &mut values, &()).expect("generated");
    values
}

/// The right values of a strip game that has a formula: by the formula.
pub fn formula_values(game: Game) -> Vec<u8> {
    let Game::Strip(strip) = game else { panic!("{game} has no formula") };
    (0..game.entries()).map(|row| strip_value(strip, row).expect("a formula")).collect()
}

/// The file of a table with these values, right or wrong, and digests that fit them.
pub fn file_of(game: Game, values: &[u8]) -> Vec<u8> {
    let summary = Summary::of(values);
    let digests = summary.chunks.iter().flat_map(|chunk: &Digest| *chunk.bytes());
    let header = Header::new(game, &summary).encode();
    header.iter().copied().chain(values.iter().copied()).chain(digests).collect()
}

/// The table with these values, right or wrong, and digests that fit them.
pub fn table_of(game: Game, values: &[u8]) -> Table {
    Table::from_bytes(file_of(game, values)).expect("a table")
}

/// The right values of the stones game, from its moves and nothing else: layer by layer, as sets of
/// amounts, without the ranks of the library.
pub fn stones_values(max: u32) -> Vec<u8> {
    use std::collections::BTreeMap;
    // Within one number of stones left, masks in increasing order: the order of the table.
    let mut states: BTreeMap<(u32, u64), u8> = BTreeMap::new();
    for left in 0..=max {
        for used in subsets(left, max - left) {
            let amounts = (1..=left).filter(|amount| used >> (amount - 1) & 1 == 0);
            let options: Vec<u8> = amounts
                .map(|amount| {
                    let rest = left - amount;
                    let kept = (used | 1 << (amount - 1)) & ((1 << rest) - 1);
                    states[&(rest, kept)]
                })
                .collect();
            let mex = (0..=u8::MAX).find(|value| !options.contains(value)).expect("a mex");
            states.insert((left, used), mex);
        }
    }
    states.into_values().collect()
}

/// The sets of amounts of `1..=largest` with a sum of at most `budget`, as masks.
fn subsets(largest: u32, budget: u32) -> Vec<u64> {
    let mut sets = vec![(0, budget)];
    for amount in 1..=largest {
        let with: Vec<(u64, u32)> = sets
            .iter()
            .filter(|(_, left)| *left >= amount)
            .map(|(set, left)| (set | 1 << (amount - 1), left - amount))
            .collect();
        sets.extend(with);
    }
    sets.into_iter().map(|(set, _)| set).collect()
}
