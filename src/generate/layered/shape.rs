//! The shape of a tile: what its lines need of one another, and the order that follows.
//!
//! It depends on the rule, the reach and the number of middle cells alone, so one shape serves all tiles
//! of a table. Everything here is made from [`Strip::targets`] and its parts: the rule says what a piece
//! may pass, the shape knows no rule by name.

use crate::game::{Rule, Strip};
use crate::simd::{LINE, LaneMap};

/// The cells of a row that lie inside a line.
pub(super) const LOW: u32 = LINE.ilog2();

/// The most middle cells of a tile: a line number fits 16 bits.
pub(super) const MAX_MIDDLE: u32 = 14;

/// The moves inside a tile, and a schedule of its lines.
pub(super) struct Shape {
    strip: Strip,
    middle: u32,
    /// For each line, where its sources begin in `sources`; one more at the end.
    starts: Vec<u32>,
    /// The lines that a line needs: first those that a piece leaves for the low cells (it *drops*), from
    /// the lowest piece up, then those that keep the low cells.
    sources: Vec<u16>,
    /// For each line, how many of its sources drop a piece.
    drops_of: Vec<u8>,
    /// For each line, the middle cells that a piece from above could land on, by the rule alone.
    landings: Vec<u16>,
    /// How a piece that drops from farther and farther lands: `drops[c]` on low cell `c` and above only.
    drops: Vec<LaneMap>,
    /// All lines in batches: the lines of one batch do not need one another.
    batches: Batches,
    ties: Ties,
}

impl Shape {
    /// The shape of the tiles of `strip` with `middle` cells between the low six and the top.
    pub(super) fn new(strip: Strip, middle: u32, lanes: usize) -> Self {
        let rule = strip.rule();
        let lines = 1_usize << middle;
        let mut shape = Self {
            strip,
            middle,
            starts: Vec::with_capacity(lines + 1),
            sources: Vec::with_capacity(lines * middle as usize),
            drops_of: Vec::with_capacity(lines),
            landings: (0..lines as u64).map(|line| rule.landings(line, middle) as u16).collect(),
            drops: (0..LOW).map(|lowest| drop_map(rule, lowest)).collect(),
            batches: Batches::default(),
            ties: Ties::new(strip),
        };
        shape.add_line_without_pieces();
        for piece in 0..middle {
            shape.add_lines_with_highest(piece);
        }
        let mut packer = Packer::new(lines, lanes);
        packer.pack(&shape, &shape.by_layer());
        shape.batches = packer.batches;
        shape
    }

    fn add_line_without_pieces(&mut self) {
        self.starts.extend([0, 0]);
        self.drops_of.push(0);
    }

    /// The lines whose highest piece is at `piece`, from those whose pieces are all lower: the moves of
    /// the lower pieces do not see it.
    fn add_lines_with_highest(&mut self, piece: u32) {
        let bit = 1_u16 << piece;
        let drops = self.strip.nearest(piece + LOW) < LOW;
        for rest in 0..usize::from(bit) {
            let (start, end) = (self.starts[rest] as usize, self.starts[rest + 1] as usize);
            let mut dropped = self.drops_of[rest];
            let kept = start + usize::from(dropped);
            self.copy_with(start, kept, bit);
            if drops && self.strip.rule().passes_all(rest as u64, piece) {
                self.sources.push(rest as u16);
                dropped += 1;
            }
            self.copy_with(kept, end, bit);
            let mut targets = self.strip.targets(rest as u64, piece);
            while targets != 0 {
                self.sources.push(rest as u16 | 1 << targets.trailing_zeros());
                targets &= targets - 1;
            }
            self.drops_of.push(dropped);
            self.starts.push(self.sources.len() as u32);
        }
    }

    fn copy_with(&mut self, start: usize, end: usize, bit: u16) {
        for place in start..end {
            let source = self.sources[place];
            self.sources.push(source | bit);
        }
    }

    /// The lines in the order of their layers: by the sum over the pieces of one more than their bit. A
    /// move among the middle cells lowers the sum, and so does a piece that drops. Within a layer, lines
    /// with equally many sources stand together, so that the loops over them run alike.
    fn by_layer(&self) -> Vec<u16> {
        const KEYS: usize = 1 << 16;
        let mut layer = vec![0_u16; self.lines()];
        for line in 1..self.lines() {
            let bit = line.ilog2();
            layer[line] = layer[line ^ (1 << bit)] + bit as u16 + 1;
        }
        let sources = |line: usize| (self.starts[line + 1] - self.starts[line]) as u16;
        let mut lines: Vec<(u16, u16, u16)> = (0..self.lines())
            .map(|line| {
                (layer[line], sources(line) << 8 | u16::from(self.drops_of[line]), line as u16)
            })
            .collect();
        let _ = KEYS;
        lines.sort_unstable();
        lines.into_iter().map(|(_, _, line)| line).collect()
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

    /// The lines of a tile that `line` needs, with the same low cells.
    #[inline(always)]
    pub(super) fn kept(&self, line: usize) -> &[u16] {
        let start = self.starts[line] as usize + usize::from(self.drops_of[line]);
        &self.sources[start..self.starts[line + 1] as usize]
    }

    /// The lines of a tile that `line` needs after a piece drops, from the lowest piece up.
    #[inline(always)]
    pub(super) fn dropped(&self, line: usize) -> &[u16] {
        let start = self.starts[line] as usize;
        &self.sources[start..start + usize::from(self.drops_of[line])]
    }

    /// All the lines of a tile that `line` needs.
    #[inline(always)]
    fn needed(&self, line: usize) -> &[u16] {
        &self.sources[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// The middle cells of `line` that a piece from above could land on, by the rule alone.
    #[inline(always)]
    pub(super) fn landings(&self, line: usize) -> u64 {
        u64::from(self.landings[line])
    }

    /// How the lanes of a line take from the line that a piece leaves at bit `piece` above the low
    /// cells; `None` where it cannot reach them.
    #[inline(always)]
    pub(super) fn drop_from(&self, piece: u32) -> Option<&LaneMap> {
        self.drops.get(self.strip.nearest(piece + LOW) as usize)
    }

    /// The lines of each batch.
    pub(super) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// The moves inside the low cells.
    pub(super) fn ties(&self) -> &Ties {
        &self.ties
    }
}

/// The pieces of `high` cells that can leave for the low ones, lowest first.
pub(super) fn dropping(strip: Strip, high: u64) -> impl Iterator<Item = u32> {
    let can = move |piece: &u32| {
        high >> piece & 1 == 1
            && strip.rule().passes_all(high, *piece)
            && strip.nearest(piece + LOW) < LOW
    };
    (0..u64::BITS - high.leading_zeros()).filter(can)
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

/// The moves inside the low cells: for each low pattern, the lower patterns it needs.
pub(super) struct Ties {
    ends: [u16; LINE],
    options: Vec<u8>,
}

impl Ties {
    fn new(strip: Strip) -> Self {
        let mut ends = [0; LINE];
        let mut options = Vec::new();
        for (low, end) in ends.iter_mut().enumerate() {
            options.extend(strip.options(low as u64).map(|option| option as u8));
            *end = options.len() as u16;
        }
        Self { ends, options }
    }

    /// The patterns that each low pattern needs, in order.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let options = &self.options[start..usize::from(end)];
            start = usize::from(end);
            options
        })
    }
}

/// Lists of lines that do not need one another.
#[derive(Default)]
pub(super) struct Batches {
    lines: Vec<u16>,
    ends: Vec<u32>,
}

impl Batches {
    /// The lines of each batch, in an order in which each finds what it needs done.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let lines = &self.lines[start..end as usize];
            start = end as usize;
            lines
        })
    }
}

/// Packs lines into batches: each goes to the first batch with room after all those that it needs.
pub(super) struct Packer {
    lanes: usize,
    /// The batch of a line of this packing, counted from 1; 0 for a line that is not part of it.
    batch_of: Vec<u16>,
    fill: Vec<u8>,
    pub(super) batches: Batches,
}

impl Packer {
    pub(super) fn new(lines: usize, lanes: usize) -> Self {
        Self { lanes, batch_of: vec![0; lines], fill: Vec::new(), batches: Batches::default() }
    }

    /// Packs `lines`, given in an order in which every line comes after those that it needs.
    pub(super) fn pack(&mut self, shape: &Shape, lines: &[u16]) {
        self.fill.clear();
        let mut open = 0;
        for &line in lines {
            let needed = shape.needed(usize::from(line)).iter();
            let after = needed.map(|&source| self.batch_of[usize::from(source)]).max().unwrap_or(0);
            let mut batch = open.max(usize::from(after));
            while self.fill.get(batch).is_some_and(|&fill| usize::from(fill) == self.lanes) {
                batch += 1;
            }
            if batch == self.fill.len() {
                self.fill.push(0);
            }
            self.fill[batch] += 1;
            self.batch_of[usize::from(line)] = batch as u16 + 1;
            while self.fill.get(open).is_some_and(|&fill| usize::from(fill) == self.lanes) {
                open += 1;
            }
        }
        let Batches { lines: packed, ends } = &mut self.batches;
        ends.clear();
        let mut place = 0;
        for &fill in &self.fill {
            ends.push(place);
            place += u32::from(fill);
        }
        packed.clear();
        packed.resize(lines.len(), 0);
        for &line in lines {
            let batch = &mut self.batch_of[usize::from(line)];
            let place = &mut ends[usize::from(*batch) - 1];
            packed[*place as usize] = line;
            *place += 1;
            *batch = 0;
        }
    }
}
