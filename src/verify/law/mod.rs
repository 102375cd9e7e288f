//! The law: every entry equals the mex of its options' entries in this same table.
//!
//! Every move lowers the index, so by induction along the moves a table that keeps the law everywhere is
//! the table: there is no other. No order and no generator need be trusted, and every entry can be
//! checked apart from all others. The moves are enumerated here anew, in another way than `game` and the
//! generator do it: a missing move in either must show.

mod bands;
mod lows;
mod pile_lines;
mod rows;
mod scan;
mod stones;
mod strip;

use super::finding::Finding;
use crate::game::Game;
use crate::simd::Level;

/// Checks every entry of `values`, on the threads of the current pool.
pub(super) fn law(game: &Game, values: &[u8], level: Level) -> Finding {
    match game {
        Game::Strip(game) => strip::law(*game, values, level),
        Game::Stones(game) => stones::law(*game, values, level),
    }
}
