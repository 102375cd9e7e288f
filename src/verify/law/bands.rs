//! What the rows of a band see: by moves of pieces above the low cells, here, and among these (`lows.rs`).

use super::lows::{Entering, LINES, Lows};
use super::rows::{LOW, MIDDLE, Rows};
use crate::simd::{Aligned, LINE, Line, Vector};

/// The rows that share all but the low cells.
pub(super) type Band = [[u8; LINE]; LINES];

/// The bands of one top.
pub(super) type Bands = [Band; 1 << MIDDLE];

/// Where bands are read, as bits of one plane.
pub(super) trait Read<V: Vector>: Copy {
    /// Line `n` of a band.
    fn line(self, band: usize, n: usize) -> V::Line;
}

/// The plane of the bands of a top, as bits.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a>(pub(super) &'a [[Aligned<[u8; LINE]>; LINES]]);

/// A plane of the bands of a top, in the table itself.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) bands: &'a Bands,
    pub(super) plane: u8,
}

impl<V: Vector> Read<V> for Bits<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n % LINES].0)
    }
}

impl<V: Vector> Read<V> for Values<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        // A middle is a number of a band, so that this changes nothing, and there is nothing to check.
        V::Line::load(&self.bands[band % self.bands.len()][n % LINES]).one_hot(self.plane)
    }
}

/// The moves of a game, as far as they are the same whatever the top.
pub(super) struct Moves {
    pub(super) rule: Rows,
    middles: Vec<Middle>,
    lows: Lows,
}

/// What the middle cells of a band say.
struct Middle {
    /// The middles one move away.
    options: Vec<u8>,
    /// The pieces that can leave the middle to the right.
    leaving: u64,
    /// The cells where a piece from the top can land.
    entered: u64,
    /// Whether a piece from the top can pass the whole middle.
    open: bool,
}

impl Moves {
    pub(super) fn new(rule: Rows) -> Self {
        Self {
            rule,
            middles: (0..1 << MIDDLE).map(|middle| Middle::new(rule, middle)).collect(),
            lows: Lows::new(rule),
        }
    }

    /// Adds what `W` lines of the band of `middle` see of one plane, from line `first` on: `own` has that
    /// plane of the bands of the top. `FIXED` says what the compiler knows of the rule (`lows.rs`).
    #[inline(always)]
    pub(super) fn see<V: Vector, const FIXED: usize, const W: usize, R: Read<V>>(
        &self,
        seen: &mut [V::Line; W],
        first: usize,
        top: &Top<'_>,
        middle: usize,
        own: R,
        plane: u8,
    ) {
        let Middle { options, leaving, entered, open } = &self.middles[middle];
        // In an array of their own, which stays in registers: the others are looked into by number.
        let mut straight = [V::Line::splat(0); W];
        for bands in &top.options {
            see::<V, W, _>(&mut straight, first, Values { bands, plane }, middle);
        }
        for &option in options {
            see::<V, W, _>(&mut straight, first, own, usize::from(option));
        }
        for Leaving { reached, bands, .. } in &top.leaving {
            let mut cells = entered & reached;
            while cells != 0 {
                let band = middle | 1 << cells.trailing_zeros();
                see::<V, W, _>(&mut straight, first, Values { bands, plane }, band);
                cells &= cells - 1;
            }
        }
        for w in 0..W {
            seen[w] = seen[w].or(straight[w]);
        }
        let mut entering = Entering::<V, FIXED, W>::new(&self.lows, first);
        let mut pieces = *leaving;
        while pieces != 0 {
            let piece = pieces.trailing_zeros();
            pieces &= pieces - 1;
            entering.see(seen, piece + LOW, own, middle ^ 1 << piece);
        }
        if *open {
            for &Leaving { from, bands, .. } in &top.leaving {
                entering.see(seen, from, Values { bands, plane }, middle);
            }
        }
        entering.enter(seen);
        self.lows.see::<V, FIXED, W, R>(seen, first, own, middle);
    }
}

#[inline(always)]
fn see<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    band: usize,
) {
    for w in 0..W {
        seen[w] = seen[w].or(read.line(band, first + w));
    }
}

impl Middle {
    fn new(rule: Rows, middle: u64) -> Self {
        let beyond = 1 << MIDDLE;
        Self {
            options: rule.options(middle, MIDDLE).into_iter().map(|option| option as u8).collect(),
            leaving: rule.arriving(middle, 0, MIDDLE),
            entered: rule.entered(middle, MIDDLE),
            open: rule.arriving(middle | beyond, 0, MIDDLE + 1) & beyond != 0,
        }
    }
}

/// What the top cells say for each of their bands.
pub(super) struct Top<'a> {
    /// The bands of each top one move away.
    options: Vec<&'a Bands>,
    leaving: Vec<Leaving<'a>>,
}

/// A piece that can leave the top.
struct Leaving<'a> {
    /// Its bit of the row.
    from: u32,
    /// The middle cells that it reaches.
    reached: u64,
    /// The bands of the top without it.
    bands: &'a Bands,
}

impl<'a> Top<'a> {
    /// Of a table of which `tops` are the bands.
    pub(super) fn new(rule: Rows, tops: &'a [Bands], top: usize) -> Self {
        let cells = rule.strip.width() - LOW - MIDDLE;
        let leaving = rule.arriving(top as u64, 0, cells);
        let leave = |piece: u32| Leaving {
            from: piece + MIDDLE + LOW,
            reached: u64::MAX << rule.lowest(piece + MIDDLE),
            bands: &tops[top ^ 1 << piece],
        };
        let options = rule.options(top as u64, cells).into_iter();
        Self {
            options: options.map(|option| &tops[option as usize]).collect(),
            leaving: (0..cells).filter(|piece| leaving >> piece & 1 == 1).map(leave).collect(),
        }
    }
}
