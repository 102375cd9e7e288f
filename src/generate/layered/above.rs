//! What a tile needs of earlier tiles: those of the moves inside the top, and of the pieces that leave it.

use super::gather::{Values, see, see_drop};
use super::low::{self, LINES, Landing};
use super::shape::Shape;
use crate::game::{Rule, Strip};
use crate::simd::{LINE, Vector};

/// The earlier tiles that a tile needs.
pub(super) struct Above<'a> {
    /// Those of the moves inside the top: same middle, same low cells.
    pub(super) tops: Vec<&'a [[[u8; LINE]; LINES]]>,
    /// Those of the pieces that leave the top.
    pub(super) leaving: Vec<Leaving<'a>>,
}

/// A piece that leaves the top, for a middle cell or for the low cells.
pub(super) struct Leaving<'a> {
    pub(super) tile: &'a [[[u8; LINE]; LINES]],
    /// The middle cells in its reach.
    near: u64,
    /// How it lands in the low cells, if it reaches them.
    landing: Option<&'static Landing>,
}

impl<'a> Above<'a> {
    /// What the tile of `top` needs, from `done`, which gives the finished tile of any lower top.
    pub(super) fn new(shape: &Shape, top: u64, done: impl Fn(u64) -> &'a [[u8; LINE]]) -> Self {
        let done = |top| done(top).as_chunks().0;
        let strip = shape.strip();
        let leave = |piece: u32| {
            let high = piece + shape.middle();
            Leaving {
                tile: done(top ^ (1_u64 << piece)),
                near: u64::MAX << strip.nearest(high),
                landing: shape.low().landing(strip.nearest(high + low::CELLS) as u8),
            }
        };
        Self {
            tops: strip.options(top).map(&done).collect(),
            leaving: leaving(strip, top).map(leave).collect(),
        }
    }

    /// Whether the tile needs no other.
    pub(super) fn is_empty(&self) -> bool {
        self.tops.is_empty() && self.leaving.is_empty()
    }
}

/// The tops that the tile of `top` needs.
pub(super) fn needed_tops(strip: Strip, top: u64) -> impl Iterator<Item = u64> {
    strip.options(top).chain(leaving(strip, top).map(move |piece| top ^ (1 << piece)))
}

/// The pieces of `top` that can pass all the cells of the top below them.
fn leaving(strip: Strip, top: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS - top.leading_zeros())
        .filter(move |&piece| top >> piece & 1 == 1 && strip.rule().passes_all(top, piece))
}

/// Adds what lines of a band see of a plane in the tiles above. `rule` is that of the game: a loop over bands
/// names it once for all of them.
#[inline(always)]
pub(super) fn see_above<V: Vector, const W: usize>(
    seen: &mut [V::Line; W],
    first: usize,
    above: &Above<'_>,
    (shape, rule): (&Shape, Rule),
    band: usize,
    plane: u8,
) {
    for &top in &above.tops {
        see::<V, W, _>(seen, first, Values(top, plane), band);
    }
    for &Leaving { tile, near, landing } in &above.leaving {
        let read = Values(tile, plane);
        let mut landings = rule.landings(band as u64, shape.middle()) & near;
        while landings != 0 {
            see::<V, W, _>(seen, first, read, band | 1 << landings.trailing_zeros());
            landings &= landings - 1;
        }
        if let Some(landing) = landing
            && rule.passes_all(band as u64, shape.middle())
        {
            see_drop::<V, W, _>(seen, first, read, landing, band);
        }
    }
}
