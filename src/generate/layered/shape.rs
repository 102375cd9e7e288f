//! The shape of a tile: what its lines need of one another, and the order that follows.
//!
//! It depends on the rule, the reach and the number of middle cells alone, so one shape serves all tiles
//! of a table. Everything here is made from [`Strip::targets`] and its parts: the rule says what a piece
//! may pass, the shape knows no rule by name.

use super::order::{Batches, Rank, by_layer, ranks};
use super::ties::Ties;
use crate::game::{Rule, Strip};
use crate::simd::{LINE, LaneMap};

/// The cells of a row that lie inside a line.
pub(super) const LOW: u32 = LINE.ilog2();

/// The moves inside a tile, and a schedule of its lines.
pub(super) struct Shape {
    strip: Strip,
    middle: u32,
    /// For each line, where its sources begin in `sources`; one more at the end.
    starts: Vec<u32>,
    /// The lines that a line needs with the same low cells, made an even number by the line itself: what
    /// it has seen so far adds nothing to what it sees.
    sources: Vec<u16>,
    /// For each line, the pieces that can leave for the low cells: they *drop*.
    drops: Vec<u16>,
    /// For each line, the middle cells that a piece from above could land on, by the rule alone.
    landings: Vec<u16>,
    /// How a piece that drops lands on low cell `c` and above, where the reach ends at `c`.
    drop_maps: Vec<LaneMap>,
    ranks: Vec<Rank>,
    batches: Batches,
    ties: Ties,
}

impl Shape {
    /// The shape of the tiles of `strip` with `middle` cells between the low six and the top, for vectors
    /// that hold `lanes` lines.
    pub(super) fn new(strip: Strip, middle: u32, lanes: usize) -> Self {
        let lines = 1_usize << middle;
        let rule = strip.rule();
        let mut shape = Self {
            strip,
            middle,
            starts: Vec::with_capacity(lines + 1),
            sources: Vec::with_capacity(lines * middle as usize),
            drops: Vec::with_capacity(lines),
            landings: (0..lines as u64).map(|line| rule.landings(line, middle) as u16).collect(),
            drop_maps: (0..LOW).map(|lowest| drop_map(rule, lowest)).collect(),
            ranks: ranks(middle),
            batches: Batches::default(),
            ties: Ties::new(strip),
        };
        shape.add_moves();
        let order = by_layer(&shape.ranks, |line| {
            let line = usize::from(line);
            shape.kept(line).len() << 4 | shape.drops[line].count_ones() as usize
        });
        shape.batches.pack(&shape.ranks, lanes, &order);
        shape
    }

    /// The sources and drops of every line, each from the line without its highest piece: the moves of
    /// the lower pieces do not see that one.
    fn add_moves(&mut self) {
        self.starts.push(0);
        self.starts.push(0);
        self.drops.push(0);
        // The number of true sources, without the line itself.
        let mut counts = vec![0_u8; 1 << self.middle];
        for piece in 0..self.middle {
            let bit = 1_u16 << piece;
            let in_reach = self.strip.nearest(piece + LOW) < LOW;
            for rest in 0..bit {
                let (start, line) = (self.starts[usize::from(rest)] as usize, rest | bit);
                for place in start..start + usize::from(counts[usize::from(rest)]) {
                    self.sources.push(self.sources[place] | bit);
                }
                let mut targets = self.strip.targets(rest.into(), piece);
                while targets != 0 {
                    self.sources.push(rest | 1 << targets.trailing_zeros());
                    targets &= targets - 1;
                }
                let start = *self.starts.last().unwrap_or(&0) as usize;
                counts[usize::from(line)] = (self.sources.len() - start) as u8;
                if (self.sources.len() - start) % 2 == 1 {
                    self.sources.push(line);
                }
                self.starts.push(self.sources.len() as u32);
                let drops = in_reach && self.strip.rule().passes_all(rest.into(), piece);
                self.drops.push(self.drops[usize::from(rest)] | u16::from(drops) << piece);
            }
        }
    }

    pub(super) fn strip(&self) -> Strip {
        self.strip
    }

    /// The number of middle cells.
    pub(super) fn middle(&self) -> u32 {
        self.middle
    }

    /// The number of lines of a tile.
    pub(super) fn lines(&self) -> usize {
        1 << self.middle
    }

    /// The lines of a tile that `line` needs with the same low cells, in pairs; perhaps itself.
    #[inline(always)]
    pub(super) fn kept(&self, line: usize) -> &[[u16; 2]] {
        self.sources[self.starts[line] as usize..self.starts[line + 1] as usize].as_chunks().0
    }

    /// The pieces of `line` that can drop into the low cells.
    #[inline(always)]
    pub(super) fn drops(&self, line: usize) -> u16 {
        self.drops[line]
    }

    /// The middle cells of `line` that a piece from above could land on, by the rule alone.
    #[inline(always)]
    pub(super) fn landings(&self, line: usize) -> u64 {
        u64::from(self.landings[line])
    }

    /// How the lanes of a line take from the line that a piece leaves at bit `piece` above the low
    /// cells; `None` where it cannot reach them.
    #[inline(always)]
    pub(super) fn drop_map(&self, piece: u32) -> Option<&LaneMap> {
        self.drop_maps.get(self.strip.nearest(piece + LOW) as usize)
    }

    pub(super) fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// All lines, in batches.
    pub(super) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// The moves inside the low cells.
    pub(super) fn ties(&self) -> &Ties {
        &self.ties
    }
}

/// A piece from above lands on any low cell from `lowest` up that the rule lets it: each lane takes from
/// the lane with one more piece.
fn drop_map(rule: Rule, lowest: u32) -> LaneMap {
    LaneMap::new((0..LINE).flat_map(move |low| {
        let landings = rule.landings(low as u64, LOW);
        (lowest..LOW)
            .filter(move |cell| landings >> cell & 1 == 1)
            .map(move |cell| (low, low | 1 << cell))
    }))
}
