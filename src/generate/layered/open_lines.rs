//! A plane of the lines with open rows, where they are few.
//!
//! Lines are batched as bands are. Most have one open row or two, but to look at those row by row was tried and
//! lost: rows with large values have many options, a dozen each, and 15 instructions an option are more than
//! what a line costs.

use super::above::{Above, see_above};
use super::low::{self, Depth, LINES, Low};
use super::moves::Needs;
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
    /// The lines of the tile; none has a value of a later plane.
    pub(super) values: &'a mut [[u8; LINE]],
    /// The lines with open rows, in order; those that are left, afterwards.
    pub(super) open: &'a mut Vec<u16>,
    /// Room for their batches.
    pub(super) batches: &'a mut Batches,
    /// The plane, which is not the first.
    pub(super) plane: u8,
}

impl Kernel for OpenLines<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        // The second plane by name: nearly always it is the last one.
        match self.plane {
            1 => self.find::<V>(1),
            plane => self.find::<V>(plane),
        }
    }
}

impl OpenLines<'_> {
    #[inline(always)]
    fn find<V: Vector>(self, plane: u8) {
        let Self { level, shape, above, values, open, batches, .. } = self;
        let rule = shape.strip().rule();
        let arriving = Arriving::new(shape);
        batches.pack(V::Turned::LANES, open);
        open.clear();
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        for batch in batches.each() {
            for (lane, &line) in batch.iter().enumerate() {
                let line = usize::from(line);
                let mut seen = [known::<V>(&values[line])];
                see_above::<V, 1>(
                    &mut seen,
                    line % LINES,
                    above,
                    (shape, rule),
                    line / LINES,
                    plane,
                );
                see_own_tile::<V>(&mut seen[0], Found(values, plane), shape, &arriving, line);
                seen[0].store(&mut board.0[0].0[lane]);
            }
            let (low, board, done) = (shape.low(), &mut board, &mut done);
            level.run(Resolve { low, board, done, lines: 1 });
            for (lane, &line) in batch.iter().enumerate() {
                let found = V::Line::load(&board.0[0].0[lane]);
                if settle::<V>(&mut values[usize::from(line)], found, plane).any() {
                    open.push(line);
                }
            }
        }
    }
}

/// A plane of the lines of a tile that has no value of a later plane.
#[derive(Clone, Copy)]
struct Found<'a>(&'a [[u8; LINE]], u8);

impl Found<'_> {
    #[inline(always)]
    fn line<V: Vector>(self, line: usize) -> V::Line {
        let Self(lines, plane) = self;
        let line = V::Line::load(&lines[line]);
        // While the second plane is found, every value is below 16, or `OPEN`.
        if plane == 1 { line.one_hot_small(1) } else { line.one_hot(plane) }
    }
}

/// How pieces arrive in a line from the cells above those of the line.
struct Arriving {
    /// How far down they reach, as bits of the number of the line.
    depth: Depth,
    lines: [OfLine; LINES],
}

/// Where pieces arrive in one line of a band.
#[derive(Clone, Copy)]
struct OfLine {
    /// Whether pieces of the middle stop on the low cells above those of the line.
    stop: bool,
    /// The pieces that can pass these: of the low cells, and all of the middle or none.
    pass: u16,
}

impl Arriving {
    fn new(shape: &Shape) -> Self {
        let rule = shape.strip().rule();
        let of_line = |n: u64| {
            let piece_passes = |&piece: &u32| n >> piece & 1 == 1 && rule.passes_all(n, piece);
            let own = (0..Low::CELLS_ABOVE_A_LINE).filter(piece_passes);
            let all = rule.passes_all(n, Low::CELLS_ABOVE_A_LINE);
            let middle = if all { u16::MAX << Low::CELLS_ABOVE_A_LINE } else { 0 };
            OfLine {
                stop: rule.landings(n, Low::CELLS_ABOVE_A_LINE) != 0,
                pass: own.fold(middle, |all, piece| all | 1 << piece),
            }
        };
        let depth = Depth::new(shape.strip(), low::LINE_CELLS);
        Self { depth, lines: std::array::from_fn(|n| of_line(n as u64)) }
    }

    /// The lowest cell that a piece reaches.
    #[inline(always)]
    fn lowest(&self, piece: u32) -> u8 {
        self.depth.lowest[piece as usize % self.depth.lowest.len()]
    }
}

/// Adds what a line sees in the lines of its own tile.
#[inline(always)]
fn see_own_tile<V: Vector>(
    seen: &mut V::Line,
    read: Found<'_>,
    shape: &Shape,
    arriving: &Arriving,
    line: usize,
) {
    let (band, n, low) = (line / LINES, line % LINES, shape.low());
    let Needs { sources, drops } = shape.moves().of(band);
    for &source in sources {
        *seen = seen.or(read.line::<V>(usize::from(source) * LINES + n));
    }
    for &from in low.line(n) {
        *seen = seen.or(read.line::<V>(band * LINES + usize::from(from)));
    }
    let OfLine { stop, pass } = arriving.lines[n];
    let mut left = if stop { drops } else { 0 };
    while left != 0 {
        let piece = left.trailing_zeros();
        if let Some(landing) = low.landing(arriving.lowest(piece + Low::CELLS_ABOVE_A_LINE)) {
            for cell in 0..Low::CELLS_ABOVE_A_LINE {
                if landing.line(n).above >> cell & 1 == 1 {
                    let from = (band ^ 1 << piece) * LINES + (n | 1 << cell);
                    *seen = seen.or(read.line::<V>(from));
                }
            }
        }
        left &= left - 1;
    }
    // Those that come down to the cells of the line: together, if it is to the lowest.
    let pieces = (drops << Low::CELLS_ABOVE_A_LINE | n as u16) & pass;
    let (mut left, mut short) = (pieces & arriving.depth.bottom, pieces & !arriving.depth.bottom);
    if left != 0
        && let Some(landing) = low.landing(0)
    {
        let mut dropped = V::Line::splat(0);
        while left != 0 {
            dropped = dropped.or(read.line::<V>(line ^ 1 << left.trailing_zeros()));
            left &= left - 1;
        }
        *seen = seen.or(landing.landed::<V>(dropped));
    }
    while short != 0 {
        let piece = short.trailing_zeros();
        if let Some(landing) = low.landing(arriving.lowest(piece)) {
            *seen = seen.or(landing.landed::<V>(read.line::<V>(line ^ 1 << piece)));
        }
        short &= short - 1;
    }
}
