//! Gathering what the rows of a band see, one plane of it, from where bands are kept.
//!
//! All lines of a band are looked at together, or one of them: `W` lines from the line `first` on.

use super::low::{LINES, Landing, Low};
use super::shape::Shape;
use crate::simd::{Aligned, LINE, Line, Vector};

/// Where bands are read, as bits of one plane.
pub(super) trait Read<V: Vector>: Copy {
    /// Line `n` of a band.
    fn line(self, band: usize, n: usize) -> V::Line;
}

/// A plane that stands as bits where the values will be.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a>(pub(super) &'a [[[u8; LINE]; LINES]]);

/// A plane that is kept as bits apart from the table.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a>(pub(super) &'a [[Aligned<[u8; LINE]>; LINES]]);

/// A plane of the table itself.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub(super) &'a [[[u8; LINE]; LINES]], pub(super) u8);

impl<V: Vector> Read<V> for Bits<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n])
    }
}

impl<V: Vector> Read<V> for Kept<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n].0)
    }
}

impl<V: Vector> Read<V> for Values<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n]).one_hot(self.1)
    }
}

/// Adds what a band has to what lines have seen.
#[inline(always)]
pub(super) fn see<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    band: usize,
) {
    for w in 0..W {
        seen[w] = seen[w].or(read.line(band, first + w));
    }
}

/// Adds what lines of a band see in the bands of their own tile.
#[inline(always)]
pub(super) fn see_inside<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    shape: &Shape,
    band: usize,
) {
    let (sources, drops) = shape.moves(band);
    for &source in sources {
        see::<V, W, R>(seen, first, read, usize::from(source));
    }
    for pieces in shape.drops() {
        let mut drops = drops & pieces;
        if drops != 0 {
            let Some(landing) = shape.low().landing(drops.trailing_zeros()) else { continue };
            let mut dropped = Dropped::<V, W>::new(landing, first);
            while drops != 0 {
                dropped.see(seen, read, band ^ 1 << drops.trailing_zeros());
                drops &= drops - 1;
            }
            dropped.land(seen);
        }
    }
}

/// What stands where pieces come down that reach the same of the low cells.
pub(super) struct Dropped<'a, V: Vector, const W: usize> {
    landing: &'a Landing,
    first: usize,
    /// What stands there in the lines that look, before it is moved to the lanes that see it.
    lines: [V::Line; W],
}

impl<'a, V: Vector, const W: usize> Dropped<'a, V, W> {
    /// Nothing yet, for the lines from `first` on.
    #[inline(always)]
    pub(super) fn new(landing: &'a Landing, first: usize) -> Self {
        Self { landing, first, lines: [V::Line::splat(0); W] }
    }

    /// Adds what one piece shows: `band` is the band without it.
    #[inline(always)]
    pub(super) fn see<R: Read<V>>(&mut self, seen: &mut [V::Line; W], read: R, band: usize) {
        if W == LINES {
            // The others are among them: one test at the end is less than one for each piece.
            see::<V, W, R>(&mut self.lines, 0, read, band);
            return;
        }
        for w in 0..W {
            let n = self.first + w;
            let line = self.landing.line(n);
            for cell in 0..Low::CELLS_ABOVE_A_LINE {
                if line.above >> cell & 1 == 1 {
                    seen[w] = seen[w].or(read.line(band, n | 1 << cell));
                }
            }
            if line.inside {
                self.lines[w] = self.lines[w].or(read.line(band, n));
            }
        }
    }

    /// Adds it to what the lines have seen.
    #[inline(always)]
    pub(super) fn land(self, seen: &mut [V::Line; W]) {
        for w in 0..W {
            let line = self.landing.line(self.first + w);
            for cell in 0..Low::CELLS_ABOVE_A_LINE {
                if W == LINES && line.above >> cell & 1 == 1 {
                    seen[w] = seen[w].or(self.lines[w | 1 << cell]);
                }
            }
            if line.inside {
                seen[w] = seen[w].or(self.landing.landed::<V>(self.lines[w]));
            }
        }
    }
}
