//! The moves of rows of any number of cells, found from where they end.

use crate::game::{Rule, Strip};

/// The low cells of a row: those whose patterns a band has.
pub(super) const LOW: u32 = 8;

/// The middle cells of a row.
pub(super) const MIDDLE: u32 = 8;

/// The moves of rows of any number of cells.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) strip: Strip,
}

/// Of the pieces of `row` in `cells` cells, those at bit `first` and above that can leave these cells to the
/// right, whatever the reach.
pub(super) const fn arriving(rule: Rule, row: u64, first: u32, cells: u32) -> u64 {
    let (mut pieces, mut from) = (0, first);
    while from < cells {
        let piece = row >> from & 1 == 1;
        if piece {
            pieces |= 1 << from;
        }
        if !(if piece { rule.passes_pieces() } else { rule.passes_empty() }) {
            break;
        }
        from += 1;
    }
    pieces
}

/// The cells of `row`, of `cells` cells, where a piece from beyond its left end can land, whatever the
/// reach.
pub(super) const fn entered(rule: Rule, row: u64, cells: u32) -> u64 {
    let beyond = 1 << cells;
    let (mut entered, mut to) = (0, 0);
    while to < cells {
        if row >> to & 1 == 0 && arriving(rule, row | beyond, to + 1, cells + 1) & beyond != 0 {
            entered |= 1 << to;
        }
        to += 1;
    }
    entered
}

impl Rows {
    pub(super) fn rule(self) -> Rule {
        self.strip.rule()
    }

    /// See [`arriving`].
    pub(super) fn arriving(self, row: u64, first: u32, cells: u32) -> u64 {
        arriving(self.rule(), row, first, cells)
    }

    /// See [`entered`].
    pub(super) fn entered(self, row: u64, cells: u32) -> u64 {
        entered(self.rule(), row, cells)
    }

    /// How far below its cell a piece at bit `from` reaches.
    pub(super) fn lowest(self, from: u32) -> u32 {
        self.strip.reach().map_or(0, |reach| from.saturating_sub(reach))
    }

    /// The options of `row`, a row of `cells` cells.
    pub(super) fn options(self, row: u64, cells: u32) -> Vec<u64> {
        let mut options = Vec::new();
        for to in (0..cells).filter(|to| row >> to & 1 == 0) {
            let arriving = self.arriving(row, to + 1, cells);
            let near = |from: &u32| arriving >> from & 1 == 1 && self.lowest(*from) <= to;
            options.extend((0..cells).filter(near).map(|from| row ^ 1 << from ^ 1 << to));
        }
        options
    }
}
