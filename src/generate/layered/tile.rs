//! One tile: its lines from the lines of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all lines, and is kept as bits, so that to gather is to or. A row
//! whose options take all eight values stays open, and the next plane goes over the lines with open rows
//! alone: a row that needs no value of a plane does not care what exactly lies beyond it.

use super::low::Low;
use super::order::Batches;
use super::shape::Shape;
use crate::game::Strip;
use crate::simd::{
    Aligned, Kernel, LINE, Level, Line, Lines, MAX_LANES, Vector, from_lanes, to_lanes,
};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
pub(super) const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
const PLANES: u8 = OPEN / 8;

/// From one open line in so many on, a plane is kept as bits.
const MANY: usize = 4;

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// The first plane of every line of the tile, one bit a value.
    first: Vec<Aligned<[u8; LINE]>>,
    /// Whether each line has open rows.
    is_open: Vec<bool>,
    /// The lines with open rows, in the order of the shape.
    open: Vec<u16>,
    batches: Batches,
}

impl Scratch {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            first: vec![Aligned([0; LINE]); shape.lines()],
            is_open: vec![false; shape.lines()],
            open: Vec::new(),
            batches: Batches::default(),
        }
    }
}

/// The earlier tiles that a tile needs.
pub(super) struct Above<'a> {
    /// Those of the moves inside the top: same middle, same low cells.
    tops: Vec<&'a [[u8; LINE]]>,
    /// Those of the pieces that leave the top.
    leaving: Vec<Leaving<'a>>,
}

/// A piece that leaves the top, for a middle cell or for the low cells.
struct Leaving<'a> {
    tile: &'a [[u8; LINE]],
    /// The middle cells in its reach.
    near: u64,
    /// Its bit above the low cells.
    high: u32,
    /// Whether it reaches them.
    drops: bool,
}

impl<'a> Above<'a> {
    /// What the tile of `top` needs, from `done`, which gives the finished tile of any lower top.
    pub(super) fn new(shape: &Shape, top: u64, done: impl Fn(u64) -> &'a [[u8; LINE]]) -> Self {
        let strip = shape.strip();
        let leave = |piece: u32| {
            let high = piece + shape.middle();
            Leaving {
                tile: done(top ^ (1_u64 << piece)),
                near: u64::MAX << strip.nearest(high),
                high,
                drops: shape.low().reaches(high),
            }
        };
        Self {
            tops: strip.options(top).map(&done).collect(),
            leaving: leaving(strip, top).map(leave).collect(),
        }
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

/// Fills the tile `values`; the error is the line of a row that no byte holds.
///
/// Each stage is a kernel of its own: as one function they cost an eighth more instructions, for want of
/// registers.
pub(super) fn fill(
    level: Level,
    shape: &Shape,
    above: &Above<'_>,
    values: &mut [[u8; LINE]],
    scratch: &mut Scratch,
) -> Result<(), usize> {
    level.run(SeeAbove { shape, above, first: &mut scratch.first[..values.len()] });
    level.run(FirstPlane { level, shape, first: &mut scratch.first });
    level.run(Convert { first: &scratch.first, is_open: &mut scratch.is_open, values });
    scratch.open.clear();
    let lines = shape.batches().lines().iter().copied();
    scratch.open.extend(lines.filter(|&line| scratch.is_open[usize::from(line)]));
    for plane in 1..PLANES {
        if scratch.open.is_empty() {
            return Ok(());
        }
        level.run(NextPlane { level, shape, above, values, scratch, plane });
    }
    scratch.open.first().map_or(Ok(()), |&line| Err(usize::from(line)))
}

/// What every row sees of the first plane in the tiles above.
struct SeeAbove<'a> {
    shape: &'a Shape,
    above: &'a Above<'a>,
    first: &'a mut [Aligned<[u8; LINE]>],
}

impl Kernel for SeeAbove<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (line, seen) in self.first.iter_mut().enumerate() {
            from_above::<V>(self.shape, self.above, line, 0).store(&mut seen.0);
        }
    }
}

/// From what every row sees above to the bit of its value, or none.
struct FirstPlane<'a> {
    level: Level,
    shape: &'a Shape,
    first: &'a mut [Aligned<[u8; LINE]>],
}

impl Kernel for FirstPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, first } = self;
        let mut board = BATCH;
        for batch in shape.batches().each() {
            for (&line, seen) in batch.iter().zip(&mut board) {
                let line = usize::from(line);
                let above = V::Line::load(&first[line].0);
                above.or(inside::<V, _>(shape, line, Bits(first))).store(&mut seen.0);
            }
            level.run(Resolve { low: shape.low(), batch: &mut board });
            for (&line, bits) in batch.iter().zip(&board) {
                first[usize::from(line)] = *bits;
            }
        }
    }
}

/// From bits to values, and which lines have open rows.
struct Convert<'a> {
    first: &'a [Aligned<[u8; LINE]>],
    is_open: &'a mut [bool],
    values: &'a mut [[u8; LINE]],
}

impl Kernel for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for ((bits, is_open), values) in self.first.iter().zip(self.is_open).zip(self.values) {
            let bits = V::Line::load(&bits.0);
            let none = bits.equal(V::Line::splat(0));
            *is_open = none.any();
            bits.bit_number().or(none.and(V::Line::splat(OPEN))).store(values);
        }
    }
}

/// Finds the values of one plane in the lines with open rows.
struct NextPlane<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[u8; LINE]],
    scratch: &'a mut Scratch,
    plane: u8,
}

impl Kernel for NextPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, above, values, scratch, plane } = self;
        let Scratch { first: bits, open, batches, .. } = scratch;
        // Where many lines are open, this plane too is kept as bits, in the place of the first.
        let keep = open.len() > shape.lines() / MANY;
        if keep {
            bits.fill(Aligned([0; LINE]));
        }
        batches.pack(shape.ranks(), V::LANES, open);
        open.clear();
        let mut board = BATCH;
        for batch in batches.each() {
            for (&line, seen) in batch.iter().zip(&mut board) {
                let line = usize::from(line);
                let above = from_above::<V>(shape, above, line, plane);
                let inside = if keep {
                    inside::<V, _>(shape, line, Bits(bits))
                } else {
                    inside::<V, _>(shape, line, Values(values, plane))
                };
                // A row that is known sees everything, so that it takes no part.
                let known = V::Line::load(&values[line]).equal(V::Line::splat(OPEN)).not();
                known.or(above).or(inside).store(&mut seen.0);
            }
            level.run(Resolve { low: shape.low(), batch: &mut board });
            for (&line, found) in batch.iter().zip(&board) {
                if keep {
                    bits[usize::from(line)] = *found;
                }
                if settle::<V>(&mut values[usize::from(line)], &found.0, plane) {
                    open.push(line);
                }
            }
        }
    }
}

/// Writes the values that were found in a plane, and says whether rows are still open.
#[inline(always)]
fn settle<V: Vector>(values: &mut [u8; LINE], found: &[u8; LINE], plane: u8) -> bool {
    let (old, bits) = (V::Line::load(values), V::Line::load(found));
    let found = bits.equal(V::Line::splat(0)).not();
    let value = bits.bit_number().or(V::Line::splat(8 * plane)).and(found);
    let new = value.or(old.without(found));
    new.store(values);
    new.equal(V::Line::splat(OPEN)).any()
}

/// Where the values of the lines of a tile are read, as bits of one plane.
trait Read<V: Vector>: Copy {
    fn line(self, line: usize) -> V::Line;
}

/// The first plane, kept as bits.
#[derive(Clone, Copy)]
struct Bits<'a>(&'a [Aligned<[u8; LINE]>]);

/// Any plane of the table itself.
#[derive(Clone, Copy)]
struct Values<'a>(&'a [[u8; LINE]], u8);

impl<V: Vector> Read<V> for Bits<'_> {
    #[inline(always)]
    fn line(self, line: usize) -> V::Line {
        V::Line::load(&self.0[line].0)
    }
}

impl<V: Vector> Read<V> for Values<'_> {
    #[inline(always)]
    fn line(self, line: usize) -> V::Line {
        V::Line::load(&self.0[line]).one_hot(self.1)
    }
}

/// What the rows of a line see of one plane in the tiles above.
#[inline(always)]
fn from_above<V: Vector>(shape: &Shape, above: &Above<'_>, line: usize, plane: u8) -> V::Line {
    let mut seen = V::Line::splat(0);
    for &top in &above.tops {
        seen = seen.or(Read::<V>::line(Values(top, plane), line));
    }
    let rule = shape.strip().rule();
    for &Leaving { tile, near, high, drops } in &above.leaving {
        let mut landings = rule.landings(line as u64, shape.middle()) & near;
        while landings != 0 {
            let source = line | 1 << landings.trailing_zeros();
            landings &= landings - 1;
            seen = seen.or(Read::<V>::line(Values(tile, plane), source));
        }
        if drops && rule.passes_all(line as u64, shape.middle()) {
            let dropped = Read::<V>::line(Values(tile, plane), line);
            seen = seen.or(shape.low().dropped::<V>(high, dropped));
        }
    }
    seen
}

/// What the rows of a line see in the lines of their own tile.
#[inline(always)]
fn inside<V: Vector, R: Read<V>>(shape: &Shape, line: usize, read: R) -> V::Line {
    let (kept, drops) = shape.moves(line);
    let mut seen = V::Line::splat(0);
    for &[one, two] in kept {
        seen = seen.or(read.line(usize::from(one))).or(read.line(usize::from(two)));
    }
    for pieces in shape.drops() {
        let mut drops = drops & pieces;
        if drops != 0 {
            let high = drops.trailing_zeros();
            let mut dropped = V::Line::splat(0);
            while drops != 0 {
                dropped = dropped.or(read.line(line ^ 1 << drops.trailing_zeros()));
                drops &= drops - 1;
            }
            seen = seen.or(shape.low().dropped::<V>(high, dropped));
        }
    }
    seen
}

/// The lines of a batch.
const BATCH: Lines = [Aligned([0; LINE]); MAX_LANES];

/// From what the rows of a batch see outside their line to the bit of their own value, or none where all
/// eight are taken.
///
/// A kernel of its own, as its straight-line code is long and two others need it.
struct Resolve<'a> {
    low: &'a Low,
    batch: &'a mut Lines,
}

impl Kernel for Resolve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut patterns = to_lanes::<V>(self.batch);
        self.low.resolve(&mut patterns);
        from_lanes(&patterns, self.batch);
    }
}
