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
