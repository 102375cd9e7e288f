//! The law of the strip games, vectors of rows at a time: which lines of a table have a row that breaks it.
//!
//! No order is needed: all values are there. Rows are cut into top, middle and low, eight cells each of
//! the latter two. The rows that share all but the low cells make a *band* of four lines. A move among the
//! other cells leads from band to band, lane by lane, and one into the low cells to other lanes
//! (`bands.rs`); a move among the low cells from line to line, and to other lanes (`lows.rs`).
//!
//! Moves are found from where they end (`rows.rs`): for an empty cell, the pieces on its left up to and
//! including the first that cannot be passed. The generator starts from the pieces.

use rayon::prelude::*;

use super::bands::{Bands, Bits, Moves, Top, Values};
use super::lows::{BY_TABLES, CHESS, LINES, SLIDE, WELTER};
use super::rows::{LOW, MIDDLE, Rows};
use crate::game::{Rule, Strip};
use crate::simd::{Aligned, Kernel, LINE, Level, Line, Vector};

/// The bands of one top.
const BANDS: usize = 1 << MIDDLE;

/// How many tops a thread takes at a time.
const TOPS: usize = 4;

/// The planes of values that a byte holds, of eight values each.
const PLANES: u8 = u8::MAX / 8 + 1;

/// The lines of `values` in which some row is not the mex of its options, in increasing order. The strip
/// must be at least a middle and a band wide.
pub(super) fn broken_lines(strip: Strip, values: &[u8], level: Level) -> Vec<usize> {
    let moves = Moves::new(Rows { strip });
    let tops = values.as_chunks().0.as_chunks().0.as_chunks().0;
    let starts: Vec<usize> = (0..tops.len()).step_by(TOPS).collect();
    let broken = starts.into_par_iter().flat_map_iter(|first| {
        let scanned = first..tops.len().min(first + TOPS);
        level.run(ScanTops { moves: &moves, tops, scanned })
    });
    broken.collect()
}

/// Whether a strip is wide enough for [`broken_lines`].
pub(super) fn applies_to(strip: Strip) -> bool {
    strip.width() >= LOW + MIDDLE
}

/// Scans the lines of some tops for those that break the law.
struct ScanTops<'a> {
    moves: &'a Moves,
    tops: &'a [Bands],
    scanned: std::ops::Range<usize>,
}

impl Kernel for ScanTops<'_> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Vec<usize> {
        let strip = self.moves.rule.strip;
        match (strip.reach(), strip.rule()) {
            (None, Rule::Chess) => self.scan::<V, CHESS>(),
            (None, Rule::Slide) => self.scan::<V, SLIDE>(),
            (None, Rule::Welter) => self.scan::<V, WELTER>(),
            (Some(_), _) => self.scan::<V, BY_TABLES>(),
        }
    }
}

impl ScanTops<'_> {
    #[inline(always)]
    fn scan<V: Vector, const FIXED: usize>(self) -> Vec<usize> {
        let Self { moves, tops, scanned } = self;
        let mut broken = Vec::new();
        let mut bits = vec![[Aligned([0; LINE]); LINES]; BANDS];
        for number in scanned {
            let (top, own) = (Top::new(moves.rule, tops, number), &tops[number]);
            for (own, bits) in own.iter().zip(&mut bits) {
                for n in 0..LINES {
                    V::Line::load(&own[n]).one_hot(0).store(&mut bits[n].0);
                }
            }
            for middle in 0..BANDS {
                let held = hold_first::<V, FIXED>(moves, &bits, &top, middle);
                for n in 0..LINES {
                    let mut held_on = held[n] == Held::All;
                    if held[n] == Held::SoFar {
                        held_on = hold_on::<V, FIXED>(moves, own, &top, middle, n);
                    }
                    if !held_on {
                        broken.push((number * BANDS + middle) * LINES + n);
                    }
                }
            }
        }
        broken
    }
}

/// Whether a line keeps the law.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    All,
    /// In the first plane, and it has values beyond.
    SoFar,
    Broken,
}

/// Whether the lines of a band keep the law as far as the first plane goes: in the plane of its value each
/// row has the lowest that its options leave, and they leave none in the planes below.
#[inline(always)]
fn hold_first<V: Vector, const FIXED: usize>(
    moves: &Moves,
    bits: &[[Aligned<[u8; LINE]>; LINES]],
    top: &Top<'_>,
    middle: usize,
) -> [Held; LINES] {
    let mut seen = [V::Line::splat(0); LINES];
    moves.see::<V, FIXED, LINES, _>(&mut seen, 0, top, middle, Bits(bits), 0);
    let mut held = [Held::All; LINES];
    for n in 0..LINES {
        let own = V::Line::load(&bits[middle][n].0);
        if lowest_missing::<V>(seen[n]).xor(own).any() {
            held[n] = Held::Broken;
        } else if own.equal(V::Line::splat(0)).any() {
            held[n] = Held::SoFar;
        }
    }
    held
}

/// Whether a line that keeps the law in the first plane does so in the others, where it has values.
#[inline(always)]
fn hold_on<V: Vector, const FIXED: usize>(
    moves: &Moves,
    bands: &Bands,
    top: &Top<'_>,
    middle: usize,
    n: usize,
) -> bool {
    let own = V::Line::load(&bands[middle][n]);
    // The rows whose value lies in the plane or beyond.
    let mut asked = own.one_hot(0).equal(V::Line::splat(0));
    for plane in 1..PLANES {
        let mut seen = [V::Line::splat(0)];
        moves.see::<V, FIXED, 1, _>(&mut seen, n, top, middle, Values { bands, plane }, plane);
        let bits = own.one_hot(plane);
        if lowest_missing::<V>(seen[0]).xor(bits).and(asked).any() {
            return false;
        }
        asked = asked.and(bits.equal(V::Line::splat(0)));
        if !asked.any() {
            break;
        }
    }
    true
}

/// The lowest bit that is not set, as a bit; none where all are.
#[inline(always)]
fn lowest_missing<V: Vector>(seen: V::Line) -> V::Line {
    seen.add(V::Line::splat(1)).without(seen)
}
