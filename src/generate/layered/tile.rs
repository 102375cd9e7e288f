//! One tile: its lines from the lines of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all lines; its bits are kept as bits, so that to gather is to or. A row
//! whose options take all eight values stays open, and the next plane goes over the lines with open rows
//! alone: a row that needs no value of a plane does not care what exactly lies beyond it.

use super::order::Batches;
use super::shape::{LOW, Shape};
use super::ties::Patterns;
use crate::game::Strip;
use crate::simd::{Kernel, LINE, Line, MAX_LANES, Vector, from_lanes, to_lanes};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
const PLANES: u8 = OPEN / 8;

/// Bytes on a cache line of their own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned<T>(T);

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// The first plane of every line of the tile, one bit a value.
    first: Vec<Aligned<[u8; LINE]>>,
    /// The lines with open rows, in the order in which they were reached.
    open: Vec<u16>,
    batches: Batches,
}

impl Scratch {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            first: vec![Aligned([0; LINE]); shape.lines()],
            open: Vec::new(),
            batches: Batches::default(),
        }
    }
}

/// The earlier tiles that a tile needs.
pub(super) struct Above<'a> {
    /// Those of the moves inside the top: same middle, same low cells.
    tops: Vec<&'a [[u8; LINE]]>,
    /// Those of the pieces that leave the top, and the bit of the piece in the top.
    leaving: Vec<(u32, &'a [[u8; LINE]])>,
}

impl<'a> Above<'a> {
    /// What the tile of `top` needs, from `done`, which gives the finished tile of any lower top.
    pub(super) fn new(strip: Strip, top: u64, done: impl Fn(u64) -> &'a [[u8; LINE]]) -> Self {
        Self {
            tops: strip.options(top).map(&done).collect(),
            leaving: leaving(strip, top).map(|piece| (piece, done(top ^ (1 << piece)))).collect(),
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

/// Fills one tile. Its output is the line of a row that no byte holds, if there is one.
pub(super) struct FillTile<'a> {
    pub(super) shape: &'a Shape,
    pub(super) above: Above<'a>,
    pub(super) values: &'a mut [[u8; LINE]],
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for FillTile<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Result<(), usize> {
        let Self { shape, above, values, scratch } = self;
        let mut board = Board::<V>::new();
        first_plane(shape, &above, values, scratch, &mut board);
        for plane in 1..PLANES {
            if scratch.open.is_empty() {
                return Ok(());
            }
            next_plane(shape, &above, values, scratch, &mut board, plane);
        }
        scratch.open.first().map_or(Ok(()), |&line| Err(usize::from(line)))
    }
}

/// Finds the values 0 to 7, and which lines have others.
#[inline(always)]
fn first_plane<V: Vector>(
    shape: &Shape,
    above: &Above<'_>,
    values: &mut [[u8; LINE]],
    scratch: &mut Scratch,
    board: &mut Board<V>,
) {
    let Scratch { first, open, .. } = scratch;
    for line in 0..values.len() {
        from_above::<V>(shape, above, line, 0).store(&mut first[line].0);
    }
    open.clear();
    for batch in shape.batches().each() {
        for (place, &line) in batch.iter().enumerate() {
            let line = usize::from(line);
            let seen = V::Line::load(&first[line].0);
            board.set(place, seen.or(inside::<V, _>(shape, line, FirstPlane(first))));
        }
        let full = board.resolve(shape);
        for (place, &line) in batch.iter().enumerate() {
            board.get(place).store(&mut first[usize::from(line)].0);
        }
        let mut full = full & (u32::MAX >> (32 - batch.len()));
        while full != 0 {
            open.push(batch[full.trailing_zeros() as usize]);
            full &= full - 1;
        }
    }
    for (bits, values) in first.iter().zip(values) {
        let bits = V::Line::load(&bits.0);
        let none = bits.equal(V::Line::splat(0));
        bits.bit_number().or(none.and(V::Line::splat(OPEN))).store(values);
    }
}

/// Finds the values of one plane in the lines with open rows.
#[inline(always)]
fn next_plane<V: Vector>(
    shape: &Shape,
    above: &Above<'_>,
    values: &mut [[u8; LINE]],
    scratch: &mut Scratch,
    board: &mut Board<V>,
    plane: u8,
) {
    let Scratch { open, batches, .. } = scratch;
    let opened = V::Line::splat(OPEN);
    batches.pack(shape.ranks(), V::LANES, open);
    open.clear();
    for batch in batches.each() {
        for (place, &line) in batch.iter().enumerate() {
            let line = usize::from(line);
            // A row that is known sees everything, so that it takes no part.
            let known = V::Line::load(&values[line]).equal(opened).xor(V::Line::splat(0xFF));
            let above = from_above::<V>(shape, above, line, plane);
            let inside = inside::<V, _>(shape, line, Values(values, plane));
            board.set(place, known.or(above).or(inside));
        }
        board.resolve(shape);
        for (place, &line) in batch.iter().enumerate() {
            let bits = board.get(place);
            let old = V::Line::load(&values[usize::from(line)]);
            let found = bits.equal(V::Line::splat(0)).xor(V::Line::splat(0xFF));
            let value = bits.bit_number().or(V::Line::splat(8 * plane)).and(found);
            let new = value.or(old.without(found));
            new.store(&mut values[usize::from(line)]);
            if new.equal(opened).any() {
                open.push(line);
            }
        }
    }
}

/// Where the values of the lines of a tile are read, as bits of one plane.
trait Read<V: Vector>: Copy {
    fn line(self, line: usize) -> V::Line;
}

/// The first plane, kept as bits.
#[derive(Clone, Copy)]
struct FirstPlane<'a>(&'a [Aligned<[u8; LINE]>]);

/// Any plane of the table itself.
#[derive(Clone, Copy)]
struct Values<'a>(&'a [[u8; LINE]], u8);

impl<V: Vector> Read<V> for FirstPlane<'_> {
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
    let strip = shape.strip();
    for &(piece, tile) in &above.leaving {
        let bit = piece + shape.middle();
        let mut landings = shape.landings(line) & u64::MAX << strip.nearest(bit);
        while landings != 0 {
            let source = line | 1 << landings.trailing_zeros();
            landings &= landings - 1;
            seen = seen.or(Read::<V>::line(Values(tile, plane), source));
        }
        if strip.rule().passes_all(line as u64, shape.middle())
            && let Some(map) = shape.drop_map(bit)
        {
            seen = seen.or(map.apply::<V>(Read::<V>::line(Values(tile, plane), line)));
        }
    }
    seen
}

/// What the rows of a line see in the lines of their own tile.
#[inline(always)]
fn inside<V: Vector, R: Read<V>>(shape: &Shape, line: usize, read: R) -> V::Line {
    let mut seen = V::Line::splat(0);
    for &[one, two] in shape.kept(line) {
        seen = seen.or(read.line(usize::from(one))).or(read.line(usize::from(two)));
    }
    let drops = shape.drops(line);
    if drops != 0 {
        seen = seen.or(falling::<V, R>(shape, line, drops, read));
    }
    seen
}

/// What the rows of a line see after a piece drops from the middle into the low cells. Pieces that reach
/// the same low cells share one permutation of lanes.
#[inline(always)]
fn falling<V: Vector, R: Read<V>>(shape: &Shape, line: usize, drops: u16, read: R) -> V::Line {
    let strip = shape.strip();
    let mut seen = V::Line::splat(0);
    let mut group = V::Line::splat(0);
    let mut of_group = drops.trailing_zeros();
    let mut drops = drops;
    while drops != 0 {
        let piece = drops.trailing_zeros();
        drops &= drops - 1;
        if strip.nearest(piece + LOW) != strip.nearest(of_group + LOW) {
            if let Some(map) = shape.drop_map(of_group) {
                seen = seen.or(map.apply::<V>(group));
            }
            group = V::Line::splat(0);
            of_group = piece;
        }
        group = group.or(read.line(line ^ 1 << piece));
    }
    if let Some(map) = shape.drop_map(of_group) {
        seen = seen.or(map.apply::<V>(group));
    }
    seen
}

/// The lines of a batch, on their way through the moves that tie their own rows.
struct Board<V> {
    lines: Aligned<[[u8; LINE]; MAX_LANES]>,
    patterns: Patterns<V>,
}

impl<V: Vector> Board<V> {
    #[inline(always)]
    fn new() -> Self {
        let lines = Aligned([[0; LINE]; MAX_LANES]);
        Self { lines, patterns: [V::splat(0); LINE] }
    }

    #[inline(always)]
    fn set(&mut self, place: usize, seen: V::Line) {
        seen.store(&mut self.lines.0[place]);
    }

    #[inline(always)]
    fn get(&self, place: usize) -> V::Line {
        V::Line::load(&self.lines.0[place])
    }

    /// From what the rows see outside their line to the bit of their own value: none where all eight are
    /// taken. Returns the lines in which that happened, one bit each.
    #[inline(always)]
    fn resolve(&mut self, shape: &Shape) -> u32 {
        to_lanes(&self.lines.0, &mut self.patterns);
        let full = shape.ties().resolve(&mut self.patterns);
        from_lanes(&self.patterns, &mut self.lines.0);
        full.mask()
    }
}
