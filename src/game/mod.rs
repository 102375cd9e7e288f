//! The games: what a position is, which moves it has, and what theorems say of its value.
//!
//! This room knows no other. Everything below it (generation, tables, proof, solvers) asks a rule
//! for its moves and nothing else, so a new rule is a new value here, not a new engine.

mod error;
mod formula;
mod mex;
mod row;
mod stones;
mod strip;

use std::fmt;
use std::str::FromStr;

pub use error::GameError;
pub(crate) use formula::rule_value;
pub use formula::{chess_cells, slide_cells, strip_value, untouched_pile, welter_value};
pub use mex::Mex;
pub use row::{CellOrder, Row};
pub use stones::{MAX_STONES, Pile, Stones};
pub use strip::{MAX_FORMULA_WIDTH, MAX_WIDTH, Rule, Strip};

/// A game of which a complete table can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// A game on a strip of cells: the table has one entry for each of the `2^width` rows.
    Strip(Strip),
    /// The stones game: the table has one entry for each state `(r, U)` with `r + sum(U) <= max`.
    Stones(Stones),
}

impl Game {
    /// The number of entries of the complete table, each one byte.
    pub fn entries(&self) -> u64 {
        match self {
            Self::Strip(strip) => strip.entries(),
            Self::Stones(stones) => stones.entries(),
        }
    }

    /// The position at `index` as a person writes it: a picture of the row, or `r:used,used`.
    pub fn picture(&self, index: u64) -> String {
        match self {
            Self::Strip(strip) => Row::new(*strip, index).picture(),
            Self::Stones(stones) => stones.unrank(index).to_string(),
        }
    }
}

/// The id of a game, as in file names: `chess-20`, `slide-24-reach-3`, `stones-60`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strip(strip) => strip.fmt(f),
            Self::Stones(stones) => stones.fmt(f),
        }
    }
}

/// Reads an id. Only the canonical form is one: `chess-020` or `chess-20-reach-19` is refused.
impl FromStr for Game {
    type Err = GameError;

    fn from_str(id: &str) -> Result<Self, GameError> {
        let unknown = || GameError::Id { id: id.to_owned() };
        let mut parts = id.split('-');
        let name = parts.next().ok_or_else(unknown)?;
        let size: u32 = parts.next().and_then(|n| n.parse().ok()).ok_or_else(unknown)?;
        let reach = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => None,
            (Some("reach"), Some(reach), None) => Some(reach.parse().map_err(|_| unknown())?),
            _ => return Err(unknown()),
        };
        let game = match (name, reach) {
            ("stones", None) => Self::Stones(Stones::new(size)?),
            ("stones", Some(_)) => return Err(unknown()),
            _ => Self::Strip(Strip::new(name.parse().map_err(|_| unknown())?, size, reach)?),
        };
        if game.to_string() == id { Ok(game) } else { Err(unknown()) }
    }
}

impl From<Strip> for Game {
    fn from(strip: Strip) -> Self {
        Self::Strip(strip)
    }
}

impl From<Stones> for Game {
    fn from(stones: Stones) -> Self {
        Self::Stones(stones)
    }
}
