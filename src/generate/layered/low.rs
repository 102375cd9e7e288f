//! The moves into the low cells of a row, and those among them.
//!
//! The rows that share all but their low cells make a *band* of four lines, 256 neighbours in the table: as
//! many as eight registers of 32 bytes hold, so that what a band sees is gathered without going to memory. The
//! lowest four cells make a *block* of 16 neighbours, the square that is turned at once (`ties.rs`).

use crate::game::{Rule, Strip};
use crate::simd::{Down, LINE, Line, Vector};

/// The cells inside a line.
pub(super) const LINE_CELLS: u32 = LINE.ilog2();

/// The cells inside a block.
pub(super) const BLOCK_CELLS: u32 = 4;

/// The blocks of a line.
pub(super) const BLOCKS: usize = LINE >> BLOCK_CELLS;

/// The low cells.
pub(super) const CELLS: u32 = LINE_CELLS + 2;

/// The lines of a band.
pub(super) const LINES: usize = 1 << (CELLS - LINE_CELLS);

/// The moves of a game into the low cells and among them.
pub(super) struct Low {
    strip: Strip,
    blocks: Vec<Part>,
    /// Of each line of a band, those that it sees row by row: a piece moves among the cells above those of a line.
    lines: Vec<Vec<u8>>,
}

/// Where the rows of a band see what a piece lands on that comes from above the low cells.
pub(super) struct Landing {
    lines: [LineLanding; LINES],
    /// The lanes of any line that see what stands on each of its cells.
    lanes: Down,
}

/// Where the rows of one line see it.
#[derive(Clone, Copy)]
pub(super) struct LineLanding {
    /// The cells above those of the line, from their lowest: the whole line sees what stands there.
    pub(super) above: u8,
    /// Whether the piece comes down to the cells of the line.
    pub(super) inside: bool,
}

/// How far down pieces reach that stand above a number of cells.
pub(super) struct Depth {
    /// The pieces that reach the lowest cell, as a mask.
    pub(super) bottom: u16,
    /// The lowest cell that each piece reaches.
    pub(super) lowest: [u8; u16::BITS as usize],
}

impl Depth {
    /// For the pieces above the lowest `cells` of a strip.
    pub(super) fn new(strip: Strip, cells: u32) -> Self {
        let lowest = std::array::from_fn(|piece| strip.nearest(piece as u32 + cells) as u8);
        let bottom = (0..lowest.len()).filter(|&piece| lowest[piece] == 0);
        Self { bottom: bottom.fold(0, |all, piece| all | 1 << piece), lowest }
    }
}

/// What a part of a band, a block or a line, needs of those before it.
#[derive(Default)]
pub(super) struct Part {
    /// Those that it needs row by row: a piece moves among the cells above.
    pub(super) straight: Vec<u8>,
    /// Those from which a piece comes down, and the lowest cell that it reaches.
    pub(super) drops: Vec<(u8, u8)>,
}

impl Low {
    /// The low cells above those of a line.
    pub(super) const CELLS_ABOVE_A_LINE: u32 = CELLS - LINE_CELLS;

    /// The moves of `strip`.
    pub(super) fn new(strip: Strip) -> Self {
        let parts =
            |cells: u32| (0..1 << (CELLS - cells)).map(move |row| Part::new(strip, row, cells));
        let lines = parts(LINE_CELLS).map(|part| part.straight);
        Self { strip, blocks: parts(BLOCK_CELLS).collect(), lines: lines.collect() }
    }

    pub(super) fn strip(&self) -> Strip {
        self.strip
    }

    /// What each block of a band needs of the ones before it.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Part] {
        &self.blocks
    }

    /// The lines of a band that line `n` sees row by row.
    #[inline(always)]
    pub(super) fn line(&self, n: usize) -> &[u8] {
        &self.lines[n]
    }

    /// How a piece lands for which `lowest` is the lowest low cell in reach.
    #[inline(always)]
    pub(super) fn landing(&self, lowest: u8) -> Option<&'static Landing> {
        LANDINGS[self.strip.rule() as usize].get(usize::from(lowest))
    }
}

/// How a piece lands by each rule, by the lowest low cell that it reaches.
static LANDINGS: [[Landing; CELLS as usize]; Rule::ALL.len()] =
    [landings(Rule::Chess), landings(Rule::Slide), landings(Rule::Welter)];

const fn landings(rule: Rule) -> [Landing; CELLS as usize] {
    let mut landings = [const { Landing::new(Rule::Chess, CELLS) }; CELLS as usize];
    let mut lowest = 0;
    while lowest < CELLS {
        landings[lowest as usize] = Landing::new(rule, lowest);
        lowest += 1;
    }
    landings
}

impl Landing {
    /// How a piece lands for which `lowest` is the lowest low cell in reach.
    pub(super) const fn new(rule: Rule, lowest: u32) -> Self {
        let in_reach = u64::MAX << lowest;
        let mut lines = [LineLanding { above: 0, inside: false }; LINES];
        let mut n = 0;
        while n < LINES {
            let above = rule.landings(n as u64, Low::CELLS_ABOVE_A_LINE) << LINE_CELLS;
            let inside = rule.passes_all(n as u64, Low::CELLS_ABOVE_A_LINE);
            lines[n] = LineLanding {
                above: ((above & in_reach) >> LINE_CELLS) as u8,
                inside: inside && lowest < LINE_CELLS,
            };
            n += 1;
        }
        let mut seen = [0; LINE];
        let mut lane = 0;
        while lane < LINE {
            seen[lane] = (rule.landings(lane as u64, LINE_CELLS) & in_reach) as u8;
            lane += 1;
        }
        Self { lines, lanes: Down::new(&seen) }
    }

    /// Where the rows of line `n` of a band see it.
    #[inline(always)]
    pub(super) fn line(&self, n: usize) -> &LineLanding {
        &self.lines[n % LINES]
    }

    /// What stands on the cells of a line, in the lanes that see it.
    #[inline(always)]
    pub(super) fn landed<V: Vector>(&self, line: V::Line) -> V::Line {
        line.come_down(&self.lanes)
    }
}

impl Part {
    /// For the part with `row` above its `cells` cells.
    fn new(strip: Strip, row: u64, cells: u32) -> Self {
        let mut part = Self::default();
        for piece in (0..u64::BITS - row.leading_zeros()).filter(|piece| row >> piece & 1 == 1) {
            let without = row ^ 1 << piece;
            let mut targets = strip.targets(row, piece);
            while targets != 0 {
                part.straight.push((without | 1 << targets.trailing_zeros()) as u8);
                targets &= targets - 1;
            }
            let lowest = strip.nearest(piece + cells);
            if lowest < cells && strip.rule().passes_all(row, piece) {
                part.drops.push((without as u8, lowest as u8));
            }
        }
        part
    }
}
