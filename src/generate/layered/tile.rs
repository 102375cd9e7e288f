//! One tile: its bands from the bands of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all bands, and stands as bits where the values will be, so that to gather is
//! to or; then they become values. A row whose options take all eight stays open, and the next plane goes
//! over the lines with open rows alone: a row that needs no value of a plane does not care what exactly
//! lies beyond it.

use super::above::{Above, see_above};
use super::gather::{Bits, Kept, Values, see, see_inside};
use super::low::LINES;
use super::order::Batches;
use super::shape::Shape;
use super::ties::{Board, Resolve};
use crate::simd::{Aligned, Kernel, LINE, Level, Line, Vector};

/// Stands in the table for the value of a row that is open. No plane that is looked at has it.
pub(super) const OPEN: u8 = 0xFF;

/// The planes below that of [`OPEN`].
const PLANES: u8 = OPEN / 8;

/// From one open line in so many on, a plane is kept as bits as well: some games need it for most rows.
const MANY: usize = 4;

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// Which lines of each band have open rows.
    is_open: Vec<u8>,
    /// The bands with open rows, in the order of the shape.
    open: Vec<u16>,
    batches: Batches,
    /// A plane of every line of the tile, one bit a value; empty where none was kept.
    kept: Vec<Aligned<[u8; LINE]>>,
}

impl Scratch {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            is_open: vec![0; shape.bands()],
            open: Vec::new(),
            batches: Batches::default(),
            kept: Vec::new(),
        }
    }

    fn open_lines(&self) -> usize {
        self.open.iter().map(|&band| self.is_open[usize::from(band)].count_ones() as usize).sum()
    }
}

/// Fills the tile `values`; the error is the band of a row that no byte holds.
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
    let Scratch { is_open, open, .. } = scratch;
    let has_above = !above.is_empty();
    if has_above {
        level.run(SeeAbove { shape, above, bands: values });
    }
    level.run(FirstPlane { level, shape, has_above, bands: values });
    level.run(Convert { bands: values, is_open });
    open.clear();
    let bands = shape.batches().bands().iter().copied();
    open.extend(bands.filter(|&band| is_open[usize::from(band)] != 0));
    for plane in 1..PLANES {
        if scratch.open.is_empty() {
            return Ok(());
        }
        level.run(NextPlane { level, shape, above, values, scratch, plane });
    }
    scratch.open.first().map_or(Ok(()), |&band| Err(usize::from(band)))
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
            level.run(Resolve { low: shape.low(), board: &mut board, lines: u8::MAX });
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
    is_open: &'a mut [u8],
}

impl Kernel for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (lines, is_open) in self.bands.iter_mut().zip(self.is_open) {
            let mut open = 0;
            for n in 0..LINES {
                let value = V::Line::load(&lines[n]).bit_number_or_all();
                value.store(&mut lines[n]);
                open |= u8::from(is_open_line::<V>(value)) << n;
            }
            *is_open = open;
        }
    }
}

/// Finds the values of one plane in the bands with open rows.
struct NextPlane<'a> {
    level: Level,
    shape: &'a Shape,
    above: &'a Above<'a>,
    values: &'a mut [[[u8; LINE]; LINES]],
    scratch: &'a mut Scratch,
    plane: u8,
}

impl Kernel for NextPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { level, shape, above, values, scratch, plane } = self;
        let keep = scratch.open_lines() > shape.lines() / MANY;
        let Scratch { is_open, open, batches, kept } = scratch;
        if keep {
            kept.clear();
            kept.resize(shape.lines(), Aligned([0; LINE]));
        }
        let (kept, _) = kept.as_chunks_mut::<LINES>();
        batches.pack(shape.ranks(), V::LANES, open);
        open.clear();
        let mut board = Board::EMPTY;
        for batch in batches.each() {
            let mut lines = 0;
            for (lane, &band) in batch.iter().enumerate() {
                let band = usize::from(band);
                lines |= is_open[band];
                let own = &values[band];
                let mut seen = [V::Line::splat(0xFF); LINES];
                if keep {
                    for n in 0..LINES {
                        seen[n] = known::<V>(&own[n]);
                    }
                    see_above::<V, LINES>(&mut seen, 0, above, shape, band, plane);
                    see_inside::<V, LINES, _>(&mut seen, 0, Kept(kept), shape, band);
                } else {
                    for n in (0..LINES).filter(|n| is_open[band] >> n & 1 == 1) {
                        let mut line = [known::<V>(&own[n])];
                        see_above::<V, 1>(&mut line, n, above, shape, band, plane);
                        see_inside::<V, 1, _>(&mut line, n, Values(values, plane), shape, band);
                        seen[n] = line[0];
                    }
                }
                for n in 0..LINES {
                    seen[n].store(&mut board.lines[n].0[lane]);
                }
            }
            level.run(Resolve { low: shape.low(), board: &mut board, lines });
            for (lane, &band) in batch.iter().enumerate() {
                let place = usize::from(band);
                let mut still_open = 0;
                for n in (0..LINES).filter(|n| is_open[place] >> n & 1 == 1) {
                    let found = &board.lines[n].0[lane];
                    if keep {
                        kept[place][n] = Aligned(*found);
                    }
                    still_open |= u8::from(settle::<V>(&mut values[place][n], found, plane)) << n;
                }
                is_open[place] = still_open;
                if still_open != 0 {
                    open.push(band);
                }
            }
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
