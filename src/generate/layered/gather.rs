//! Gathering what the rows of a band see of one plane, from where bands are kept.
//!
//! All lines of a band are looked at together, or one of them: `W` lines from the line `first` on.

use super::low::{LINES, Landing, Low};
use super::shape::{Drops, Shape};
use crate::simd::{LINE, Line, Vector};

/// Where bands are read.
pub(super) trait Read<V: Vector>: Copy {
    /// The sets of line `n` of a band.
    fn line(self, band: usize, n: usize) -> V::Line;
}

/// A plane that stands as bits.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a>(pub(super) &'a [[[u8; LINE]; LINES]]);

/// A plane of a table.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub(super) &'a [[[u8; LINE]; LINES]], pub(super) u8);

impl<V: Vector> Read<V> for Bits<'_> {
    #[inline(always)]
    fn line(self, band: usize, n: usize) -> V::Line {
        V::Line::load(&self.0[band][n])
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
    if drops != 0 {
        for Drops { pieces, landing } in shape.drops() {
            let drops = drops & pieces;
            if drops != 0 {
                see_drops::<V, W, R>(seen, first, read, landing, band, drops);
            }
        }
    }
    for &source in sources {
        see::<V, W, R>(seen, first, read, usize::from(source));
    }
}

/// Adds what lines of a band see where `pieces` of it come down, which reach the same of the low cells.
#[inline(always)]
fn see_drops<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    landing: &Landing,
    band: usize,
    pieces: u16,
) {
    const { assert!(W == 1 || W == LINES, "one line looks, or all") };
    // What stands there in the lines that look, before it is moved to the lanes that see it.
    let mut dropped = [V::Line::splat(0); W];
    let mut left = pieces;
    if W == LINES {
        // What stands in the other lines is among it.
        while left != 0 {
            see::<V, W, R>(&mut dropped, first, read, band ^ 1 << left.trailing_zeros());
            left &= left - 1;
        }
    }
    for w in 0..W {
        let n = first + w;
        let line = landing.line(n);
        if line.inside {
            while W != LINES && left != 0 {
                let without = band ^ 1 << left.trailing_zeros();
                dropped[w] = dropped[w].or(read.line(without, n));
                left &= left - 1;
            }
            seen[w] = seen[w].or(landing.landed::<V>(dropped[w]));
        }
        for cell in (0..Low::CELLS_ABOVE_A_LINE).filter(|cell| line.above >> cell & 1 == 1) {
            let other = n | 1 << cell;
            if W == LINES {
                seen[w] = seen[w].or(dropped[other % W]);
                continue;
            }
            let mut left = pieces;
            while left != 0 {
                seen[w] = seen[w].or(read.line(band ^ 1 << left.trailing_zeros(), other));
                left &= left - 1;
            }
        }
    }
}

/// Adds what lines of a band see where one piece comes down; `band` is without it.
#[inline(always)]
pub(super) fn see_drop<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [V::Line; W],
    first: usize,
    read: R,
    landing: &Landing,
    band: usize,
) {
    for w in 0..W {
        let n = first + w;
        let line = landing.line(n);
        if line.inside {
            seen[w] = seen[w].or(landing.landed::<V>(read.line(band, n)));
        }
        for cell in (0..Low::CELLS_ABOVE_A_LINE).filter(|cell| line.above >> cell & 1 == 1) {
            seen[w] = seen[w].or(read.line(band, n | 1 << cell));
        }
    }
}

/// Adds what a line sees in the lines of its own band.
#[inline(always)]
pub(super) fn see_own_band<V: Vector, R: Read<V>>(
    seen: &mut V::Line,
    read: R,
    shape: &Shape,
    band: usize,
    n: usize,
) {
    let part = shape.low().line(n);
    for &from in &part.straight {
        *seen = seen.or(read.line(band, usize::from(from)));
    }
    for &(from, lowest) in &part.drops {
        if let Some(landing) = shape.low().landing_from(lowest.into()) {
            *seen = seen.or(landing.landed::<V>(read.line(band, usize::from(from))));
        }
    }
}
