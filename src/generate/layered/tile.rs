//! One tile: its bands from the bands of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all bands, and stands as bits where the values will be, so that to gather is
//! to or; then they become values. A row whose options take all eight stays open, and the next plane goes
//! over the lines with open rows alone: a row that needs no value of a plane does not care what exactly
//! lies beyond it. Where those lines are few, they are batched each by itself. Where they are many, which
//! depends on the game, bands are batched again, and several planes of them gathered at once, so that what
//! a row needs is read once; where they were many in the tile before, from the first plane on.

use super::above::{Above, see_above};
use super::gather::{AT_ONCE, Bits, One, Planes, Several, Values, see, see_inside, see_own_band};
use super::low::LINES;
use super::order::{Batches, ROWS, pick_in_order};
use super::shape::Shape;
use super::ties::{Board, Done, Resolve};
use crate::simd::{Kernel, LINE, Level, Line, Vector};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
pub(super) const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
const PLANES: u8 = OPEN / 8;

/// From one open line in so many on, several planes go over bands at once: some games need them for most
/// rows.
const ONE_IN: usize = 2;

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// Whether each line has open rows; not kept up by [`OpenLines`], after which nothing asks.
    is_open: Box<[[bool; LINES]; ROWS / LINES]>,
    /// The lines with open rows, in order.
    open: Vec<u16>,
    /// The bands with open rows, in order.
    bands: Vec<u16>,
    batches: Batches,
    /// Whether many lines of the last tile had rows without a value in the first plane; before the first
    /// tile a guess.
    many_open: bool,
}

impl Scratch {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            is_open: Box::new([[false; LINES]; ROWS / LINES]),
            open: Vec::new(),
            bands: Vec::new(),
            batches: Batches::default(),
            many_open: shape.has_high_values(),
        }
    }

    fn find_open(&mut self, shape: &Shape) {
        let is_open = self.is_open.as_flattened();
        pick_in_order(shape.cells_above_a_line(), |line| is_open[line % ROWS], &mut self.open);
    }
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
    let (values, _) = values.as_chunks_mut::<LINES>();
    let mut plane = 0;
    if scratch.many_open {
        values.fill([[OPEN; LINE]; LINES]);
        scratch.is_open.fill([true; LINES]);
    } else {
        let has_above = !above.is_empty();
        if has_above {
            level.run(SeeAbove { shape, above, bands: values });
        }
        level.run(FirstPlane { level, shape, has_above, bands: values });
        level.run(Convert { bands: values, is_open: &mut *scratch.is_open });
        if !scratch.is_open[..values.len()].as_flattened().contains(&true) {
            return Ok(());
        }
        plane = 1;
    }
    scratch.find_open(shape);
    let many = shape.lines() / ONE_IN;
    if plane > 0 {
        scratch.many_open = scratch.open.len() >= many;
    }
    while plane < PLANES && !scratch.open.is_empty() {
        if scratch.open.len() >= many && plane + AT_ONCE as u8 <= PLANES {
            let left = level.run(OpenBands { level, shape, above, values, scratch, plane });
            if plane == 0 {
                scratch.many_open = left >= many;
            }
            scratch.find_open(shape);
            plane += AT_ONCE as u8;
        } else {
            level.run(OpenLines { level, shape, above, values, scratch, plane });
            plane += 1;
        }
    }
    scratch.open.first().map_or(Ok(()), |&line| Err(usize::from(line)))
}

/// What every row sees of the first plane in the tiles above.
struct SeeAbove<'a> {
    shape: &'a Shape,
    above: &'a Above<'a>,
    bands: &'a mut [[[u8; LINE]; LINES]],
}

impl Kernel for SeeAbove<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (band, lines) in self.bands.iter_mut().enumerate() {
            let mut seen = [One(V::Line::splat(0)); LINES];
            see_above::<V, LINES, Values<'_>>(&mut seen, 0, self.above, self.shape, band, 0);
            for n in 0..LINES {
                seen[n].0.store(&mut lines[n]);
            }
        }
    }
}

/// From what every row sees above to the bit of its value, or none.
struct FirstPlane<'a> {
    level: Level,
    shape: &'a Shape,
    /// Whether the bands hold what the rows see above; they hold nothing else yet.
    has_above: bool,
    bands: &'a mut [[[u8; LINE]; LINES]],
}

impl Kernel for FirstPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, has_above, bands } = self;
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        for batch in shape.batches().each() {
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                let mut seen = [One(V::Line::splat(0)); LINES];
                if has_above {
                    see::<V, LINES, _>(&mut seen, 0, Bits(bands), band);
                }
                see_inside::<V, LINES, _>(&mut seen, 0, Bits(bands), shape, band);
                for n in 0..LINES {
                    seen[n].0.store(&mut board.0[n].0[lane]);
                }
            }
            let (low, board, done) = (shape.low(), &mut board, &mut done);
            level.run(Resolve { low, board, done, lines: LINES });
            for (lane, &band) in batch.iter().enumerate() {
                let lines = &mut bands[usize::from(band)];
                for n in 0..LINES {
                    V::Line::load(&board.0[n].0[lane]).store(&mut lines[n]);
                }
            }
        }
    }
}

/// From bits to values, and which lines have open rows.
struct Convert<'a> {
    bands: &'a mut [[[u8; LINE]; LINES]],
    is_open: &'a mut [[bool; LINES]],
}

impl Kernel for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (lines, is_open) in self.bands.iter_mut().zip(self.is_open) {
            for n in 0..LINES {
                let value = V::Line::load(&lines[n]).bit_number_or_all();
                value.store(&mut lines[n]);
                is_open[n] = is_open_line::<V>(value);
            }
        }
    }
}

/// Finds the values of one plane in the lines with open rows, where they are few.
struct OpenLines<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[[u8; LINE]; LINES]],
    scratch: &'a mut Scratch,
    plane: u8,
}

impl Kernel for OpenLines<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, above, values, scratch, plane } = self;
        let Scratch { open, batches, .. } = scratch;
        batches.pack(V::LANES, open);
        open.clear();
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        for batch in batches.each() {
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                let mut seen = [One(known::<V>(&values[band][n]))];
                see_above::<V, 1, Values<'_>>(&mut seen, n, above, shape, band, plane);
                let read = Values(values, plane);
                see_inside::<V, 1, _>(&mut seen, n, read, shape, band);
                see_own_band::<V, _>(&mut seen[0], read, shape, band, n);
                seen[0].0.store(&mut board.0[0].0[lane]);
            }
            let (low, board, done) = (shape.low(), &mut board, &mut done);
            level.run(Resolve { low, board, done, lines: 1 });
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                if settle::<V>(&mut values[band][n], &board.0[0].0[lane], plane).any() {
                    open.push(line);
                }
            }
        }
    }
}

/// Finds the values of several planes in the bands with open rows, where they are many; the result is the
/// number of lines that had open rows after the first of these planes.
struct OpenBands<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[[u8; LINE]; LINES]],
    scratch: &'a mut Scratch,
    /// The first plane.
    plane: u8,
}

impl Kernel for OpenBands<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self) -> usize {
        let Self { level, shape, above, values, scratch, plane } = self;
        let Scratch { is_open, bands, batches, .. } = scratch;
        pick_in_order(shape.middle(), |band| is_open[band % is_open.len()].contains(&true), bands);
        batches.pack(V::LANES, bands);
        let mut left = 0;
        let (mut boards, mut done) = ([Board::EMPTY; AT_ONCE], Done::NONE);
        for batch in batches.each() {
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                for n in 0..LINES {
                    let mut seen = [Several([known::<V>(&values[band][n]); AT_ONCE])];
                    see_above::<V, 1, Planes<'_>>(&mut seen, n, above, shape, band, plane);
                    see_inside::<V, 1, _>(&mut seen, n, Planes(values, plane), shape, band);
                    for p in 0..AT_ONCE {
                        seen[0].0[p].store(&mut boards[p].0[n].0[lane]);
                    }
                }
            }
            for p in 0..AT_ONCE {
                let (low, board, done) = (shape.low(), &mut boards[p], &mut done);
                level.run(Resolve { low, board, done, lines: LINES });
                for (lane, &band) in batch.iter().enumerate() {
                    let band = usize::from(band);
                    for n in 0..LINES {
                        let found = &boards[p].0[n].0[lane];
                        let open = settle::<V>(&mut values[band][n], found, plane + p as u8);
                        if p == 0 {
                            left += usize::from(open.any());
                        }
                        if let Some(next) = boards.get_mut(p + 1) {
                            // Rows that found a value take no part any more.
                            let seen = &mut next.0[n].0[lane];
                            V::Line::load(seen).or(open.not()).store(seen);
                        } else {
                            is_open[band][n] = open.any();
                        }
                    }
                }
            }
        }
        left
    }
}

/// The band of a line, and its place there.
#[inline(always)]
fn split(line: u16) -> (usize, usize) {
    (usize::from(line) / LINES, usize::from(line) % LINES)
}

/// What the rows of a line have seen before they look: one that is known everything, so that it takes no
/// part; one that is open nothing.
#[inline(always)]
fn known<V: Vector>(values: &[u8; LINE]) -> V::Line {
    V::Line::load(values).equal(V::Line::splat(OPEN)).not()
}

/// Writes the values that were found in a plane, and returns the rows that are still open, as a mask.
#[inline(always)]
fn settle<V: Vector>(values: &mut [u8; LINE], found: &[u8; LINE], plane: u8) -> V::Line {
    let number = V::Line::load(found).bit_number_or_all().or(V::Line::splat(8 * plane));
    // Of the old value and the number of the plane all bits are set in one at least.
    let value = V::Line::load(values).and(number);
    value.store(values);
    value.equal(V::Line::splat(OPEN))
}

/// Whether rows are open in a line whose other rows have values below 128.
#[inline(always)]
fn is_open_line<V: Vector>(values: V::Line) -> bool {
    values.and(V::Line::splat(OPEN ^ OPEN >> 1)).any()
}
