//! The shape of a tile: what its bands need of one another, and the order that follows.
//!
//! It depends on the rule, the reach and the number of cells alone, so one shape serves all tiles of a
//! table. Everything here is made from [`Rule::landings`] and the reach: the rule says what a piece may pass.
//! Rules are named once, so that the compiler knows what each passes.

use super::low::{LINES, Landing, Low};
use super::order::{Batches, MAX_CELLS, in_order};
use crate::game::{Rule, Strip};
use crate::simd::{Kernel, Level, Vector};

/// How many sources are copied at once: all where each piece, or each empty cell, has one at most.
const CHUNK: usize = 16;

const _: () = assert!(MAX_CELLS as usize <= CHUNK);

/// The moves inside a tile, and a schedule of its bands.
pub(super) struct Shape {
    strip: Strip,
    middle: u32,
    moves: Vec<Moves>,
    /// Of all bands; between those of each highest piece there is room for a chunk.
    sources: Vec<u16>,
    /// The pieces of the middle that reach the low cells.
    drops: Vec<Drops>,
    batches: Batches,
    low: Low,
}

/// What one band needs of its tile.
#[derive(Clone, Copy, Default)]
struct Moves {
    /// Where its sources begin: the bands that it needs with the same low cells.
    start: u32,
    /// The number of sources.
    sources: u16,
    /// The pieces that can leave for the low cells: they *drop*.
    drops: u16,
}

impl Shape {
    /// The shape of the tiles of `strip` with `middle` cells between the low ones and the top, for the vectors
    /// of `level`.
    pub(super) fn new(strip: Strip, middle: u32, level: Level) -> Self {
        let low = Low::new(strip);
        let mut shape = Self {
            strip,
            middle,
            moves: vec![Moves::default(); 1 << middle],
            sources: vec![0; CHUNK],
            drops: drops(&low, middle),
            batches: Batches::default(),
            low,
        };
        // Where pieces go anywhere, nobody looks at moves one by one: see `lifted.rs`.
        let pieces = if shape.goes_anywhere() { 0 } else { middle };
        for piece in 0..pieces {
            level.run(AddMoves { shape: &mut shape, piece });
        }
        shape.batches.pack(level.lanes(), in_order(middle));
        shape
    }

    /// The moves of the bands whose highest piece is `piece`, each from the band without that piece: the
    /// lower pieces do not see it. `RULE` is that of the strip.
    #[inline(always)]
    fn add_moves<const RULE: usize>(&mut self, piece: u32) {
        let (bit, rule) = (1_u16 << piece, Rule::ALL[RULE]);
        let in_reach = u64::MAX << self.strip.nearest(piece);
        let reaches_low = self.low.reaches(piece);
        // As many again, those that the piece adds, and what is too much in the last chunk.
        let start = self.sources.len();
        self.sources.resize(2 * start + piece as usize * usize::from(bit) + CHUNK, 0);
        let (done, sources) = self.sources.split_at_mut(start);
        let mut end = 0;
        let (below, bands) = self.moves.split_at_mut(1 << piece);
        for (rest, (below, moves)) in (0..bit).zip(below.iter().zip(bands)) {
            let from = below.start as usize;
            // Whole chunks are copied; what is too much is overwritten by what follows.
            copy_chunk(done, from, sources, end, bit);
            if rule.passes_pieces() && rule.passes_empty() {
                for more in (CHUNK..usize::from(below.sources)).step_by(CHUNK) {
                    copy_chunk(done, from + more, sources, end + more, bit);
                }
            }
            let first = end;
            end += usize::from(below.sources);
            let mut targets = rule.landings(rest.into(), piece) & in_reach;
            if rule.passes_empty() {
                while targets != 0 {
                    sources[end] = rest | lowest(targets);
                    end += 1;
                    targets &= targets - 1;
                }
            } else {
                // One at most, and not a branch: whether there is one is hard to foresee.
                sources[end] = rest | lowest(targets);
                end += usize::from(targets != 0);
            }
            let drops = reaches_low && rule.passes_all(rest.into(), piece);
            *moves = Moves {
                start: (start + first) as u32,
                sources: (end - first) as u16,
                drops: below.drops | u16::from(drops) << piece,
            };
        }
        // The next ones read whole chunks as well.
        self.sources.truncate(start + end + CHUNK);
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
        let rule = self.strip.rule();
        rule.passes_pieces() && rule.passes_empty() && self.strip.reach().is_none()
    }

    /// The number of bands of a tile.
    pub(super) fn bands(&self) -> usize {
        1 << self.middle
    }

    /// The number of lines of a tile.
    pub(super) fn lines(&self) -> usize {
        self.bands() * LINES
    }

    /// The bands of a tile that `band` needs with the same low cells, and its pieces that can drop into
    /// the low cells.
    #[inline(always)]
    pub(super) fn moves(&self, band: usize) -> (&[u16], u16) {
        debug_assert!(!self.goes_anywhere(), "its moves are not listed");
        let Moves { start, sources, drops } = self.moves[band];
        (&self.sources[start as usize..][..usize::from(sources)], drops)
    }

    /// The pieces of the middle that reach the low cells.
    #[inline(always)]
    pub(super) fn drops(&self) -> &[Drops] {
        &self.drops
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

/// [`Shape::add_moves`], by the rule of the strip.
struct AddMoves<'a> {
    shape: &'a mut Shape,
    piece: u32,
}

/// It has nothing to do with vectors, but with the counting of bits, which older processors lack.
impl Kernel for AddMoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { shape, piece } = self;
        match shape.strip.rule() {
            Rule::Chess => shape.add_moves::<{ Rule::Chess as usize }>(piece),
            Rule::Slide => shape.add_moves::<{ Rule::Slide as usize }>(piece),
            Rule::Welter => shape.add_moves::<{ Rule::Welter as usize }>(piece),
        }
    }
}

/// The lowest target; there are 16 at most.
#[inline(always)]
fn lowest(targets: u64) -> u16 {
    (targets & targets.wrapping_neg()) as u16
}

/// Pieces of the middle that reach equally far into the low cells.
pub(super) struct Drops {
    /// The pieces, as a mask.
    pub(super) pieces: u16,
    /// How they land.
    pub(super) landing: Landing,
}

/// Those of the pieces of the middle.
fn drops(low: &Low, middle: u32) -> Vec<Drops> {
    let mut drops: Vec<Drops> = Vec::new();
    for piece in 0..middle {
        let Some(landing) = low.landing(piece).filter(|_| low.reaches(piece)) else { break };
        match drops.last_mut() {
            Some(last) if low.alike(last.pieces.trailing_zeros(), piece) => {
                last.pieces |= 1 << piece;
            }
            _ => drops.push(Drops { pieces: 1 << piece, landing: landing.clone() }),
        }
    }
    drops
}

/// Copies a chunk, with a bit added to each source.
#[inline(always)]
fn copy_chunk(from: &[u16], start: usize, to: &mut [u16], place: usize, bit: u16) {
    let from = from[start..].first_chunk::<CHUNK>();
    let to = to[place..].first_chunk_mut::<CHUNK>();
    debug_assert!(from.is_some() && to.is_some(), "there is room for a chunk");
    // Arrays, so that all of it is one vector.
    if let (Some(from), Some(to)) = (from, to) {
        *to = from.map(|source| source | bit);
    }
}
