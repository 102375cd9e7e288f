//! Gathering what the rows of a band see, one plane of it or several, from where bands are kept.
//!
//! All lines of a band are looked at together, or one of them: `W` lines from the line `first` on.

use super::low::{LINES, Landing, Low};
use super::shape::Shape;
use crate::simd::{LINE, Line, Vector};

/// What the rows of a line have, or have seen: sets of values.
pub(super) trait Sets<V: Vector>: Copy {
    /// Empty sets.
    fn nothing() -> Self;
    /// The unions.
    fn or(self, other: Self) -> Self;
    /// The sets of the cells on which a piece lands, in the lanes that see it.
    fn landed(self, landing: &Landing) -> Self;
}

/// The planes that are gathered at once where most rows need several.
pub(super) const AT_ONCE: usize = 4;

/// Sets of values of one plane.
#[derive(Clone, Copy)]
pub(super) struct One<L>(pub(super) L);

/// Sets of values of [`AT_ONCE`] planes.
#[derive(Clone, Copy)]
pub(super) struct Several<L>(pub(super) [L; AT_ONCE]);

impl<V: Vector<Line = L>, L: Line<V>> Sets<V> for One<L> {
    #[inline(always)]
    fn nothing() -> Self {
        Self(L::splat(0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    #[inline(always)]
    fn landed(self, landing: &Landing) -> Self {
        Self(landing.landed::<V>(self.0))
    }
}

impl<V: Vector<Line = L>, L: Line<V>> Sets<V> for Several<L> {
    #[inline(always)]
    fn nothing() -> Self {
        Self([L::splat(0); AT_ONCE])
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for plane in 0..AT_ONCE {
            self.0[plane] = self.0[plane].or(other.0[plane]);
        }
        self
    }

    #[inline(always)]
    fn landed(mut self, landing: &Landing) -> Self {
        for plane in 0..AT_ONCE {
            self.0[plane] = landing.landed::<V>(self.0[plane]);
        }
        self
    }
}

/// Where bands are read.
pub(super) trait Read<V: Vector>: Copy {
    /// What is read there.
    type Sets: Sets<V>;

    /// Line `n` of a band.
    fn line(self, band: usize, n: usize) -> Self::Sets;
}

/// A plane that stands as bits where the values will be.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a>(pub(super) &'a [[[u8; LINE]; LINES]]);

/// A plane of a table.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub(super) &'a [[[u8; LINE]; LINES]], pub(super) u8);

/// Planes of a table, from one on.
#[derive(Clone, Copy)]
pub(super) struct Planes<'a>(pub(super) &'a [[[u8; LINE]; LINES]], pub(super) u8);

/// Where planes of a finished table are read.
pub(super) trait ReadTable<'a, V: Vector>: Read<V> {
    /// Those of `bands`, from `plane` on.
    fn of(bands: &'a [[[u8; LINE]; LINES]], plane: u8) -> Self;
}

impl<'a, V: Vector> ReadTable<'a, V> for Values<'a> {
    #[inline(always)]
    fn of(bands: &'a [[[u8; LINE]; LINES]], plane: u8) -> Self {
        Self(bands, plane)
    }
}

impl<'a, V: Vector> ReadTable<'a, V> for Planes<'a> {
    #[inline(always)]
    fn of(bands: &'a [[[u8; LINE]; LINES]], plane: u8) -> Self {
        Self(bands, plane)
    }
}

impl<V: Vector> Read<V> for Bits<'_> {
    type Sets = One<V::Line>;

    #[inline(always)]
    fn line(self, band: usize, n: usize) -> One<V::Line> {
        One(V::Line::load(&self.0[band][n]))
    }
}

impl<V: Vector> Read<V> for Values<'_> {
    type Sets = One<V::Line>;

    #[inline(always)]
    fn line(self, band: usize, n: usize) -> One<V::Line> {
        One(V::Line::load(&self.0[band][n]).one_hot(self.1))
    }
}

impl<V: Vector> Read<V> for Planes<'_> {
    type Sets = Several<V::Line>;

    #[inline(always)]
    fn line(self, band: usize, n: usize) -> Several<V::Line> {
        Several(V::Line::load(&self.0[band][n]).one_hots(self.1))
    }
}

/// Adds what a band has to what lines have seen.
#[inline(always)]
pub(super) fn see<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [R::Sets; W],
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
    seen: &mut [R::Sets; W],
    first: usize,
    read: R,
    shape: &Shape,
    band: usize,
) {
    let (sources, drops) = shape.moves(band);
    for pieces in shape.drops() {
        let drops = drops & pieces;
        if drops != 0
            && let Some(landing) = shape.low().landing(drops.trailing_zeros())
        {
            see_drops::<V, W, R>(seen, first, read, landing, band, drops);
        }
    }
    for &source in sources {
        see::<V, W, R>(seen, first, read, usize::from(source));
    }
}

/// Adds what lines of a band see where `pieces` of it come down, which reach the same of the low cells.
#[inline(always)]
fn see_drops<V: Vector, const W: usize, R: Read<V>>(
    seen: &mut [R::Sets; W],
    first: usize,
    read: R,
    landing: &Landing,
    band: usize,
    pieces: u16,
) {
    const { assert!(W == 1 || W == LINES, "one line looks, or all") };
    // What stands there in the lines that look, before it is moved to the lanes that see it.
    let mut dropped = [R::Sets::nothing(); W];
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
            seen[w] = seen[w].or(dropped[w].landed(landing));
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
    seen: &mut [R::Sets; W],
    first: usize,
    read: R,
    landing: &Landing,
    band: usize,
) {
    for w in 0..W {
        let n = first + w;
        let line = landing.line(n);
        if line.inside {
            seen[w] = seen[w].or(read.line(band, n).landed(landing));
        }
        for cell in (0..Low::CELLS_ABOVE_A_LINE).filter(|cell| line.above >> cell & 1 == 1) {
            seen[w] = seen[w].or(read.line(band, n | 1 << cell));
        }
    }
}

/// Adds what a line sees in the lines of its own band.
#[inline(always)]
pub(super) fn see_own_band<V: Vector, R: Read<V>>(
    seen: &mut R::Sets,
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
            *seen = seen.or(read.line(band, usize::from(from)).landed(landing));
        }
    }
}
