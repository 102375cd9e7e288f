//! A plane of the lines with open rows, where they are few.
//!
//! Lines are batched as bands are. Most have one open row or two, but to look at those row by row was tried and
//! lost: rows with large values have many options, a dozen each, and 15 instructions an option are more than
//! what a line costs.

use super::above::{Above, see_above};
use super::gather::{Values, see_inside, see_own_band};
use super::low::LINES;
use super::open::{known, settle};
use super::order::Batches;
use super::shape::Shape;
use super::ties::{Board, Done, Resolve};
use crate::simd::{Kernel, LINE, Level, Line, Vector};

/// Finds the values of one plane in the lines with open rows.
pub(super) struct OpenLines<'a> {
    pub(super) level: Level,
    pub(super) shape: &'a Shape,
    pub(super) above: &'a Above<'a>,
    pub(super) values: &'a mut [[[u8; LINE]; LINES]],
    /// The lines with open rows, in order; those that are left, afterwards.
    pub(super) open: &'a mut Vec<u16>,
    /// Room for their batches.
    pub(super) batches: &'a mut Batches,
    pub(super) plane: u8,
}

impl Kernel for OpenLines<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, above, values, open, batches, plane } = self;
        let rule = shape.strip().rule();
        batches.pack(V::Turned::LANES, open);
        open.clear();
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        for batch in batches.each() {
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                let mut seen = [known::<V>(&values[band][n])];
                see_above::<V, 1>(&mut seen, n, above, (shape, rule), band, plane);
                let read = Values(values, plane);
                see_inside::<V, 1, _>(&mut seen, n, read, shape, band);
                see_own_band::<V, _>(&mut seen[0], read, shape, band, n);
                seen[0].store(&mut board.0[0].0[lane]);
            }
            let (low, board, done) = (shape.low(), &mut board, &mut done);
            level.run(Resolve { low, board, done, lines: 1 });
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                let found = V::Line::load(&board.0[0].0[lane]);
                if settle::<V>(&mut values[band][n], found, plane).any() {
                    open.push(line);
                }
            }
        }
    }
}

/// The band of a line, and its place there.
#[inline(always)]
fn split(line: u16) -> (usize, usize) {
    (usize::from(line) / LINES, usize::from(line) % LINES)
}
