//! A plane of a game whose pieces go anywhere: what a row sees, from rows with a piece lifted.
//!
//! Where pieces pass everything, as far as they like (Welter's game), a move is to lift a piece and to put it
//! down on any empty cell below. What a row sees by moving one piece therefore depends on two things
//! alone: the row with the piece lifted, and the cell below which it is put down. Put down on one cell after
//! another, from the lowest up, it makes rows of higher and higher layers. So when the rows come by layers,
//! a set for each lifted row, to which every row adds its value under each of its pieces, holds just what
//! a row sees when that row comes: what stands on the cells below the piece, and nothing else (`mod.rs` says
//! why batches keep that order). A row of `n` cells then costs a look and a note for each of its `n / 2`
//! pieces, where its options are `n^2 / 8`.
//!
//! Here a lifted row is a band: its low cells come first, and its set begins with what a piece sees that is
//! put down on one of them. Until a band is done, its place among the sets holds what the band sees in the
//! tiles above. There the sets of all lifted bands would be complete; they are made anew from the values.
//!
//! Two planes at once were tried: 7% fewer instructions, and slower, for the second level of cache limits
//! this as much as instructions do.

use super::above::Above;
use super::gather::{Bits, Values, see};
use super::low::{LINES, Low};
use super::open::{OPEN, PLANES, known, settle};
use super::shape::Shape;
use super::ties::{Board, Done, Resolve};
use crate::simd::{Kernel, LINE, Level, Line, Vector};

/// Fills the tile `values`; the error is the line of a row that has no value in any of the [`PLANES`].
///
/// `sets` is room for a plane; where there is nothing `above`, it is all zeros.
pub(super) fn fill(
    level: Level,
    shape: &Shape,
    above: &Above<'_>,
    values: &mut [[[u8; LINE]; LINES]],
    sets: &mut [[[u8; LINE]; LINES]],
) -> Result<(), usize> {
    for plane in 0..PLANES {
        if !level.run(Lifted { level, shape, above, values, sets, plane }) {
            return Ok(());
        }
    }
    Err(values.as_flattened().iter().position(|line| line.contains(&OPEN)).unwrap_or(0))
}

/// Finds the values of one plane in all bands; the result is whether rows are still open.
struct Lifted<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[[u8; LINE]; LINES]],
    /// Room for the sets, one for each band: empty ones, if there is nothing above the tile.
    sets: &'a mut [[[u8; LINE]; LINES]],
    plane: u8,
}

impl Kernel for Lifted<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        // The first plane by name: the compiler leaves out what it does not need.
        match self.plane {
            0 => self.find::<V>(0),
            plane => self.find::<V>(plane),
        }
    }
}

impl Lifted<'_> {
    #[inline(always)]
    fn find<V: Vector>(self, plane: u8) -> bool {
        let Self { level, shape, above, values, sets, .. } = self;
        if plane > 0 || !above.is_empty() {
            level.run(SeeAbove { above, values, sets, plane });
        }
        let low = shape.low();
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        let mut open = V::Line::splat(0);
        // Who looks under a piece lifted from the highest cell puts it back there, or lower, and then came earlier: for
        // those that come later nothing need be noted under it.
        let lifted_again = (sets.len() - 1) / 2;
        for batch in shape.batches().each() {
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                let mut seen = [V::Line::splat(0); LINES];
                see::<V, LINES, _>(&mut seen, 0, Bits(sets), band);
                let mut pieces = band;
                while pieces != 0 {
                    see::<V, LINES, _>(&mut seen, 0, Bits(sets), band ^ lowest(pieces));
                    pieces &= pieces - 1;
                }
                for n in 0..LINES {
                    seen[n].store(&mut board.0[n].0[lane]);
                }
            }
            level.run(Resolve { low, board: &mut board, done: &mut done, lines: LINES });
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                let mut found = [V::Line::splat(0); LINES];
                for n in 0..LINES {
                    found[n] = V::Line::load(&board.0[n].0[lane]);
                }
                let mut pieces = band & lifted_again;
                while pieces != 0 {
                    let set = &mut sets[band ^ lowest(pieces)];
                    for n in 0..LINES {
                        V::Line::load(&set[n]).or(found[n]).store(&mut set[n]);
                    }
                    pieces &= pieces - 1;
                }
                let seen = put_down::<V>(found);
                for n in 0..LINES {
                    seen[n].store(&mut sets[band][n]);
                    if plane == 0 {
                        // Nothing was known, whatever stood there.
                        V::Line::splat(OPEN).store(&mut values[band][n]);
                    }
                    open = open.or(settle::<V>(&mut values[band][n], found[n], plane));
                }
            }
        }
        open.any()
    }
}

/// The lowest piece, as a mask.
#[inline(always)]
fn lowest(pieces: usize) -> usize {
    pieces & pieces.wrapping_neg()
}

/// What a piece sees that is put down in the low cells of a band where `stands` stands.
#[inline(always)]
fn put_down<V: Vector>(stands: [V::Line; LINES]) -> [V::Line; LINES] {
    let mut seen = [V::Line::splat(0); LINES];
    for n in 0..LINES {
        seen[n] = stands[n].one_bit_more();
        for cell in 0..Low::CELLS_ABOVE_A_LINE {
            if n >> cell & 1 == 0 {
                seen[n] = seen[n].or(stands[n | 1 << cell]);
            }
        }
    }
    seen
}

/// What every row sees in the tiles above; one whose value is known, which none is before the first plane,
/// sees everything.
struct SeeAbove<'a> {
    above: &'a Above<'a>,
    values: &'a [[[u8; LINE]; LINES]],
    sets: &'a mut [[[u8; LINE]; LINES]],
    plane: u8,
}

impl Kernel for SeeAbove<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { above, values, sets, plane } = self;
        // Whatever piece leaves the top, it sees the same of what is left.
        if !above.is_empty() {
            for (band, set) in sets.iter_mut().enumerate() {
                let mut stands = [V::Line::splat(0); LINES];
                for leaving in &above.leaving {
                    see::<V, LINES, _>(&mut stands, 0, Values(leaving.tile, plane), band);
                }
                for n in 0..LINES {
                    stands[n].store(&mut set[n]);
                }
            }
        }
        // A band needs those with one piece more, which come later.
        for band in 0..sets.len() {
            let mut seen = [V::Line::splat(0); LINES];
            if plane > 0 {
                for n in 0..LINES {
                    seen[n] = known::<V>(&values[band][n]);
                }
            }
            if !above.is_empty() {
                for &tile in &above.tops {
                    see::<V, LINES, _>(&mut seen, 0, Values(tile, plane), band);
                }
                let mut empty = !band & (sets.len() - 1);
                while empty != 0 {
                    see::<V, LINES, _>(&mut seen, 0, Bits(sets), band | lowest(empty));
                    empty &= empty - 1;
                }
                let mut stands = [V::Line::splat(0); LINES];
                see::<V, LINES, _>(&mut stands, 0, Bits(sets), band);
                let inside = put_down::<V>(stands);
                for n in 0..LINES {
                    seen[n] = seen[n].or(inside[n]);
                }
            }
            for n in 0..LINES {
                seen[n].store(&mut sets[band][n]);
            }
        }
    }
}
