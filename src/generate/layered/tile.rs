//! One tile: its bands from the bands of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all bands, and stands as bits where the values will be, so that to gather is
//! to or; then they become values. A row whose options take all eight stays open, and the next plane goes
//! over the lines with open rows alone: a row that needs no value of a plane does not care what exactly
//! lies beyond it. Where those are few, they are batched as lines, each by itself; where they are many,
//! as bands.

use super::above::{Above, see_above};
use super::gather::{Bits, Kept, Read, Values, see, see_inside};
use super::low::LINES;
use super::order::{Batches, ROWS, pick_in_order};
use super::shape::Shape;
use super::ties::{Board, Resolve};
use crate::simd::{Aligned, Kernel, LINE, Level, Line, Vector};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
pub(super) const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
const PLANES: u8 = OPEN / 8;

/// From one open line in so many on, a plane goes over bands and is kept as bits: some games need it for
/// most rows.
const MANY: usize = 4;

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// Whether each line has open rows.
    is_open: Box<[[bool; LINES]; ROWS / LINES]>,
    /// The lines with open rows, in order.
    open: Vec<u16>,
    batches: Batches,
    /// A plane of every line of the tile, one bit a value; empty where none was kept.
    kept: Vec<Aligned<[u8; LINE]>>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            is_open: Box::new([[false; LINES]; ROWS / LINES]),
            open: Vec::new(),
            batches: Batches::default(),
            kept: Vec::new(),
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
    let has_above = !above.is_empty();
    if has_above {
        level.run(SeeAbove { shape, above, bands: values });
    }
    level.run(FirstPlane { level, shape, has_above, bands: values });
    level.run(Convert { bands: values, is_open: &mut *scratch.is_open });
    scratch.find_open(shape);
    for plane in 1..PLANES {
        if scratch.open.is_empty() {
            return Ok(());
        }
        if scratch.open.len() < shape.lines() / MANY {
            level.run(OpenLines { level, shape, above, values, scratch, plane });
        } else {
            level.run(OpenBands { level, shape, above, values, scratch, plane });
            scratch.find_open(shape);
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
            let mut seen = [V::Line::splat(0); LINES];
            see_above::<V, LINES>(&mut seen, 0, self.above, self.shape, band, 0);
            for n in 0..LINES {
                seen[n].store(&mut lines[n]);
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
        let mut board = Board::EMPTY;
        for batch in shape.batches().each() {
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                let mut seen = [V::Line::splat(0); LINES];
                if has_above {
                    see::<V, LINES, _>(&mut seen, 0, Bits(bands), band);
                }
                see_inside::<V, LINES, _>(&mut seen, 0, Bits(bands), shape, band);
                for n in 0..LINES {
                    seen[n].store(&mut board.lines[n].0[lane]);
                }
            }
            level.run(Resolve { low: shape.low(), board: &mut board, lines: LINES });
            for (lane, &band) in batch.iter().enumerate() {
                let lines = &mut bands[usize::from(band)];
                for n in 0..LINES {
                    V::Line::load(&board.lines[n].0[lane]).store(&mut lines[n]);
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
        let mut board = Board::EMPTY;
        for batch in batches.each() {
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                let mut seen = [known::<V>(&values[band][n])];
                see_above::<V, 1>(&mut seen, n, above, shape, band, plane);
                let read = Values(values, plane);
                see_inside::<V, 1, _>(&mut seen, n, read, shape, band);
                see_own_band::<V, _>(&mut seen[0], read, shape, band, n);
                seen[0].store(&mut board.lines[0].0[lane]);
            }
            level.run(Resolve { low: shape.low(), board: &mut board, lines: 1 });
            for (lane, &line) in batch.iter().enumerate() {
                let (band, n) = split(line);
                if settle::<V>(&mut values[band][n], &board.lines[0].0[lane], plane) {
                    open.push(line);
                }
            }
        }
    }
}

/// Finds the values of one plane in the bands with open rows.
struct OpenBands<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[[u8; LINE]; LINES]],
    scratch: &'a mut Scratch,
    plane: u8,
}

impl Kernel for OpenBands<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, above, values, scratch, plane } = self;
        let Scratch { is_open, open, batches, kept } = scratch;
        kept.clear();
        kept.resize(shape.lines(), Aligned([0; LINE]));
        let (kept, _) = kept.as_chunks_mut::<LINES>();
        pick_in_order(shape.middle(), |band| is_open[band].contains(&true), open);
        batches.pack(V::LANES, open);
        let mut board = Board::EMPTY;
        for batch in batches.each() {
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                let mut seen = [V::Line::splat(0); LINES];
                for n in 0..LINES {
                    seen[n] = known::<V>(&values[band][n]);
                }
                see_above::<V, LINES>(&mut seen, 0, above, shape, band, plane);
                see_inside::<V, LINES, _>(&mut seen, 0, Kept(kept), shape, band);
                for n in 0..LINES {
                    seen[n].store(&mut board.lines[n].0[lane]);
                }
            }
            level.run(Resolve { low: shape.low(), board: &mut board, lines: LINES });
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                for n in 0..LINES {
                    let found = &board.lines[n].0[lane];
                    kept[band][n] = Aligned(*found);
                    is_open[band][n] = settle::<V>(&mut values[band][n], found, plane);
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

/// Adds what a line sees in the lines of its own band.
#[inline(always)]
fn see_own_band<V: Vector, R: Read<V>>(
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

/// What the rows of a line have seen before they look: one that is known everything, so that it takes no
/// part; one that is open nothing.
#[inline(always)]
fn known<V: Vector>(values: &[u8; LINE]) -> V::Line {
    V::Line::load(values).equal(V::Line::splat(OPEN)).not()
}

/// Writes the values that were found in a plane, and says whether rows are still open.
#[inline(always)]
fn settle<V: Vector>(values: &mut [u8; LINE], found: &[u8; LINE], plane: u8) -> bool {
    let number = V::Line::load(found).bit_number_or_all().or(V::Line::splat(8 * plane));
    // Of the old value and the number of the plane all bits are set in one at least.
    let value = V::Line::load(values).and(number);
    value.store(values);
    value.equal(V::Line::splat(OPEN)).any()
}

/// Whether rows are open in a line whose other rows have values below 128.
#[inline(always)]
fn is_open_line<V: Vector>(values: V::Line) -> bool {
    values.and(V::Line::splat(OPEN ^ OPEN >> 1)).any()
}
