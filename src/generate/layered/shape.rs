//! The shape of a tile: what its bands need of one another, and the order that follows.
//!
//! It depends on the rule, the reach and the number of cells alone, so one shape serves all tiles of a
//! table.

use super::low::{LINES, Low};
use super::moves::Moves;
use super::order::{Batches, in_order};
use crate::game::Strip;
use crate::simd::Level;

/// The moves inside a tile, and a schedule of its bands.
pub(super) struct Shape {
    strip: Strip,
    middle: u32,
    moves: Moves,
    batches: Batches,
    low: Low,
}

impl Shape {
    /// The shape of the tiles of `strip` with `middle` cells between the low ones and the top, for the vectors
    /// of `level`.
    pub(super) fn new(strip: Strip, middle: u32, level: Level) -> Self {
        let (low, mut batches) = (Low::new(strip), Batches::default());
        batches.pack(level.lanes(), in_order(middle));
        // Where pieces go anywhere, nobody looks at moves one by one: see `lifted.rs`.
        let listed = !goes_anywhere(strip);
        let moves = if listed { Moves::new(strip, middle, level) } else { Moves::NONE };
        Self { strip, middle, moves, batches, low }
    }

    pub(super) fn strip(&self) -> Strip {
        self.strip
    }

    /// The number of middle cells.
    pub(super) fn middle(&self) -> u32 {
        self.middle
    }

    /// The number of cells of a tile above those of a line.
    pub(super) fn cells_above_a_line(&self) -> u32 {
        self.middle + Low::CELLS_ABOVE_A_LINE
    }

    /// Whether pieces go anywhere: over pieces and empty cells, as far as they like.
    pub(super) fn goes_anywhere(&self) -> bool {
        goes_anywhere(self.strip)
    }

    /// The number of bands of a tile.
    pub(super) fn bands(&self) -> usize {
        1 << self.middle
    }

    /// The number of lines of a tile.
    pub(super) fn lines(&self) -> usize {
        self.bands() * LINES
    }

    /// What the bands of a tile need of one another; of a game whose pieces go anywhere there is no list.
    #[inline(always)]
    pub(super) fn moves(&self) -> &Moves {
        debug_assert!(!self.goes_anywhere(), "its moves are not listed");
        &self.moves
    }

    /// All bands, in batches.
    pub(super) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// The moves into the low cells and among them.
    #[inline(always)]
    pub(super) fn low(&self) -> &Low {
        &self.low
    }
}

fn goes_anywhere(strip: Strip) -> bool {
    let rule = strip.rule();
    rule.passes_pieces() && rule.passes_empty() && strip.reach().is_none()
}
