//! One tile: its lines from the lines of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all lines. A row whose options take all eight values stays open, marked
//! with the first value of the next plane, and the next plane goes over the lines with open rows alone:
//! a row that needs no value of a plane does not care what exactly lies beyond it.

use super::shape::{LOW, Packer, Shape, Ties, dropping};
use crate::game::Strip;
use crate::simd::{Kernel, LINE, Line, MAX_LANES, Vector, from_lanes, to_lanes};

/// The planes of a byte: a row still open after all of them has a value above 255.
const PLANES: u8 = 32;

/// Bytes on a cache line of their own.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(T);

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// The first plane of every line of the tile, one bit a value.
    first: Vec<Aligned<[u8; LINE]>>,
    /// The lines with open rows, of this plane and of the next.
    open: Vec<u16>,
    packer: Packer,
}

impl Scratch {
    pub(super) fn new(shape: &Shape, lanes: usize) -> Self {
        Self {
            first: vec![Aligned([0; LINE]); shape.lines()],
            open: Vec::new(),
            packer: Packer::new(shape.lines(), lanes),
        }
    }
}

/// The earlier tiles that a tile needs.
pub(super) struct Above<'a> {
    /// Those of the moves inside the top: same middle, same low cells.
    tops: Vec<&'a [[u8; LINE]]>,
    /// Those of the pieces that leave the top, and the bit of the piece above the middle cells.
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
        let Scratch { first, open, packer } = scratch;
        for line in 0..values.len() {
            from_above::<V>(shape, &above, line, 0).store(&mut first[line].0);
        }
        let mut board = Board::<V>::new();
        open.clear();
        for batch in shape.batches().each() {
            for (place, &line) in batch.iter().enumerate() {
                let line = usize::from(line);
                let seen = V::Line::load(&first[line].0);
                let seen = seen.or(inside::<V, _>(shape, line, FirstPlane(first)));
                board.set(place, seen);
            }
            let full = board.resolve(shape.ties());
            for (place, &line) in batch.iter().enumerate() {
                let bits = board.get(place);
                bits.store(&mut first[usize::from(line)].0);
                numbers::<V>(bits).store(&mut values[usize::from(line)]);
                if full >> place & 1 == 1 {
                    open.push(line);
                }
            }
        }
        for plane in 1..PLANES {
            if open.is_empty() {
                return Ok(());
            }
            packer.pack(shape, open);
            open.clear();
            let unknown = V::Line::splat(8 * plane);
            for batch in packer.batches.each() {
                for (place, &line) in batch.iter().enumerate() {
                    let line = usize::from(line);
                    // A row that is known sees everything, so that it takes no part.
                    let known =
                        V::Line::load(&values[line]).equal(unknown).xor(V::Line::splat(0xFF));
                    let above = from_above::<V>(shape, &above, line, plane);
                    let inside = inside::<V, _>(shape, line, Values(values, plane));
                    board.set(place, known.or(above).or(inside));
                }
                board.resolve(shape.ties());
                for (place, &line) in batch.iter().enumerate() {
                    let values = &mut values[usize::from(line)];
                    let old = V::Line::load(values);
                    let found = numbers::<V>(board.get(place)).and(old.equal(unknown));
                    let new = old.add(found);
                    new.store(values);
                    if new.equal(unknown.add(V::Line::splat(8))).any() {
                        open.push(line);
                    }
                }
            }
        }
        open.first().map_or(Ok(()), |&line| Err(usize::from(line)))
    }
}

/// The values of a plane counted from its first, and 8 where there is none.
#[inline(always)]
fn numbers<V: Vector>(bits: V::Line) -> V::Line {
    let none = bits.equal(V::Line::splat(0)).and(V::Line::splat(8));
    bits.bit_number().or(none)
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
    for top in &above.tops {
        seen = seen.or(Read::<V>::line(Values(top, plane), line));
    }
    let strip = shape.strip();
    let passes = strip.rule().passes_all(line as u64, shape.middle());
    for &(piece, tile) in &above.leaving {
        let bit = piece + shape.middle();
        let mut landings = shape.landings(line) & u64::MAX << strip.nearest(bit);
        while landings != 0 {
            let source = line | 1 << landings.trailing_zeros();
            landings &= landings - 1;
            seen = seen.or(Read::<V>::line(Values(tile, plane), source));
        }
        if passes && let Some(map) = shape.drop_from(bit) {
            seen = seen.or(map.apply::<V>(Read::<V>::line(Values(tile, plane), line)));
        }
    }
    seen
}

/// What the rows of a line see in the lines of their own tile, each read by `read`.
#[inline(always)]
fn inside<V: Vector, R: Read<V>>(shape: &Shape, line: usize, read: R) -> V::Line {
    let mut seen = V::Line::splat(0);
    for &source in shape.kept(line) {
        seen = seen.or(read.line(usize::from(source)));
    }
    let dropped = shape.dropped(line);
    if !dropped.is_empty() {
        seen = seen.or(falling::<V, R>(shape, line, dropped, read));
    }
    seen
}

/// What the rows of a line see after a piece drops from the middle into the low cells. Pieces that reach
/// the same low cells share one permutation of lanes.
#[inline(always)]
fn falling<V: Vector, R: Read<V>>(shape: &Shape, line: usize, dropped: &[u16], read: R) -> V::Line {
    let strip = shape.strip();
    let mut seen = V::Line::splat(0);
    let mut group = V::Line::splat(0);
    let mut of_group = 0;
    for &source in dropped {
        let source = usize::from(source);
        let bit = (line ^ source).ilog2();
        if strip.nearest(bit + LOW) != strip.nearest(of_group + LOW) {
            if let Some(map) = shape.drop_from(of_group) {
                seen = seen.or(map.apply::<V>(group));
            }
            group = V::Line::splat(0);
        }
        of_group = bit;
        group = group.or(read.line(source));
    }
    if let Some(map) = shape.drop_from(of_group) {
        seen = seen.or(map.apply::<V>(group));
    }
    seen
}

/// The lines of a batch, on their way through the moves that tie their own rows.
struct Board<V> {
    lines: Aligned<[[u8; LINE]; MAX_LANES]>,
    lanes: [V; LINE],
}

impl<V: Vector> Board<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { lines: Aligned([[0; LINE]; MAX_LANES]), lanes: [V::splat(0); LINE] }
    }

    #[inline(always)]
    fn set(&mut self, place: usize, seen: V::Line) {
        seen.store(&mut self.lines.0[place]);
    }

    #[inline(always)]
    fn get(&self, place: usize) -> V::Line {
        V::Line::load(&self.lines.0[place])
    }

    /// From what the options outside the line have to the bit of each row's own value: 0 where all
    /// eight are taken. Returns the lines, one bit each, in which that happened.
    #[inline(always)]
    fn resolve(&mut self, ties: &Ties) -> u32 {
        let lanes = &mut self.lanes;
        to_lanes(&self.lines.0, lanes);
        let mut fullest = V::splat(0);
        for (low, options) in ties.each().enumerate() {
            let mut seen = lanes[low];
            for &option in options {
                seen = seen.or(lanes[usize::from(option) % LINE]);
            }
            fullest = fullest.max(seen);
            // The lowest clear bit; none where all are set.
            lanes[low] = seen.add(V::splat(1)).without(seen);
        }
        from_lanes(lanes, &mut self.lines.0);
        fullest.equal(V::splat(0xFF)).mask()
    }
}

/// The pieces of the whole high part are those of the top and of the middle: nothing else drops.
#[cfg(test)]
mod tests {
    use super::{dropping, leaving};
    use crate::game::{Rule, Strip};
    use crate::generate::layered::shape::LOW;

    #[test]
    fn what_drops_from_the_high_cells_drops_from_the_top_or_the_middle() {
        for rule in Rule::ALL {
            let strip = Strip::new(rule, 16, None).expect("a game");
            for high in 0..1_u64 << 10 {
                let (top, middle) = (high >> 6, high & 63);
                let mut split: Vec<u32> = dropping(strip, middle).collect();
                if strip.rule().passes_all(middle, 6) {
                    split.extend(leaving(strip, top).map(|piece| piece + 6));
                }
                assert_eq!(dropping(strip, high).collect::<Vec<_>>(), split, "{strip} {high:b}");
                assert!(split.iter().all(|piece| strip.nearest(piece + LOW) < LOW));
            }
        }
    }
}
