//! The moves into the low cells of a row, and those among them.
//!
//! The rows that share all but their low cells make a *band* of two lines, 128 neighbours in the table. Four
//! lines would halve the work of finding sources, but then a tile does not fit the second level of cache, and
//! that costs more. The lowest four cells make a *block* of 16 neighbours, the square that is turned at
//! once (`ties.rs`).

use crate::game::{Rule, Strip};
use crate::simd::{Aligned, LINE, Line, Vector};

/// The cells inside a line.
const LINE_CELLS: u32 = LINE.ilog2();

/// The cells inside a block.
pub(super) const BLOCK_CELLS: u32 = 4;

/// The blocks of a line.
pub(super) const BLOCKS: usize = LINE >> BLOCK_CELLS;

/// The low cells.
pub(super) const CELLS: u32 = LINE_CELLS + 1;

/// The lines of a band.
pub(super) const LINES: usize = 1 << (CELLS - LINE_CELLS);

/// The moves of a game into the low cells and among them.
pub(super) struct Low {
    strip: Strip,
    /// How a piece from above lands, by the lowest low cell that it reaches.
    landings: Vec<Landing>,
    blocks: Vec<Block>,
}

/// Where each row of a band sees what a piece from above lands on.
pub(super) struct Landing([LineLanding; LINES]);

/// The rows of one line among them.
pub(super) struct LineLanding {
    /// The cells above those of the line, from their lowest: the whole line sees what stands there.
    pub(super) whole: u8,
    /// The cells of the line for which some lanes see.
    pub(super) cells: u8,
    /// The lanes that see what stands on each cell of the line.
    lanes: [Aligned<[u8; LINE]>; LINE_CELLS as usize],
}

/// What one block of a band needs of the blocks before it.
#[derive(Default)]
pub(super) struct Block {
    /// The blocks that it needs pattern by pattern: a piece moves among the cells above the block.
    pub(super) straight: Vec<u8>,
    /// The blocks from which a piece comes down into the cells of the block, and the lowest cell that it
    /// reaches.
    pub(super) drops: Vec<(u8, u8)>,
}

impl Low {
    /// The low cells above those of a line.
    pub(super) const CELLS_ABOVE_A_LINE: u32 = CELLS - LINE_CELLS;

    /// The moves of `strip`.
    pub(super) fn new(strip: Strip) -> Self {
        let landings = if strip.reach().is_none() { 1 } else { CELLS };
        let landing = |lowest| Landing::new(strip.rule(), lowest);
        Self {
            strip,
            landings: (0..landings).map(landing).collect(),
            blocks: (0..1 << (CELLS - BLOCK_CELLS)).map(|row| Block::new(strip, row)).collect(),
        }
    }

    pub(super) fn strip(&self) -> Strip {
        self.strip
    }

    /// What each block of a band needs of the ones before it.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Whether a piece at bit `high` above the low cells reaches any of them.
    pub(super) fn reaches(&self, high: u32) -> bool {
        self.lowest(high) < CELLS
    }

    /// Whether pieces at two bits above the low cells reach the same of them.
    pub(super) fn alike(&self, high: u32, other: u32) -> bool {
        self.lowest(high) == self.lowest(other)
    }

    #[inline(always)]
    fn lowest(&self, high: u32) -> u32 {
        self.strip.nearest(high + CELLS)
    }

    /// How a piece at bit `high` above the low cells lands, if it does.
    #[inline(always)]
    pub(super) fn landing(&self, high: u32) -> Option<&Landing> {
        self.landings.get(self.lowest(high) as usize)
    }
}

impl Landing {
    fn new(rule: Rule, lowest: u32) -> Self {
        let none = Aligned([0; LINE]);
        let line = |n: usize| {
            let mut line = LineLanding { whole: 0, cells: 0, lanes: [none; LINE_CELLS as usize] };
            for lane in 0..LINE {
                let mut landings =
                    rule.landings((n * LINE + lane) as u64, CELLS) & u64::MAX << lowest;
                line.whole |= (landings >> LINE_CELLS) as u8;
                line.cells |= landings as u8 & (LINE - 1) as u8;
                landings &= LINE as u64 - 1;
                while landings != 0 {
                    line.lanes[landings.trailing_zeros() as usize].0[lane] = 0xFF;
                    landings &= landings - 1;
                }
            }
            line
        };
        Self(std::array::from_fn(line))
    }

    /// The rows of line `n` of a band.
    #[inline(always)]
    pub(super) fn line(&self, n: usize) -> &LineLanding {
        &self.0[n % LINES]
    }
}

impl LineLanding {
    /// What stands on the cells of the line, in the lanes that see it.
    #[inline(always)]
    pub(super) fn landed<V: Vector>(&self, line: V::Line) -> V::Line {
        let far = self.on::<V>(5, line.swap_blocks(2)).or(self.on::<V>(4, line.swap_blocks(1)));
        let middle = self.on::<V>(3, line.lower::<8>()).or(self.on::<V>(2, line.lower::<4>()));
        let near = self.on::<V>(1, line.lower::<2>()).or(self.on::<V>(0, line.lower::<1>()));
        far.or(middle).or(near)
    }

    /// The lanes that see what stands `1 << cell` lanes above them, given line moved there.
    #[inline(always)]
    fn on<V: Vector>(&self, cell: usize, moved: V::Line) -> V::Line {
        moved.and(V::Line::load(&self.lanes[cell].0))
    }
}

impl Block {
    /// For the block whose cells above are `row`.
    fn new(strip: Strip, row: u64) -> Self {
        let mut block = Self::default();
        for piece in (0..u64::BITS - row.leading_zeros()).filter(|piece| row >> piece & 1 == 1) {
            let without = row ^ 1 << piece;
            let mut targets = strip.targets(row, piece);
            while targets != 0 {
                block.straight.push((without | 1 << targets.trailing_zeros()) as u8);
                targets &= targets - 1;
            }
            let lowest = strip.nearest(piece + BLOCK_CELLS);
            if lowest < BLOCK_CELLS && strip.rule().passes_all(row, piece) {
                block.drops.push((without as u8, lowest as u8));
            }
        }
        block
    }
}
