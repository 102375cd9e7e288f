//! One tile: its bands from the bands of earlier tiles and of one another.
//!
//! Values are found plane by plane: plane `p` holds the values `8p .. 8p + 7`, a set of them is one byte.
//! The first plane goes over all bands, and stands as bits where the values will be, so that to gather is
//! to or; then they become values. A row whose options take all eight stays open, and the next plane goes
//! over the lines with open rows alone: a row that needs no value of a plane does not care what exactly
//! lies beyond it. Those lines are batched each by itself. Where they are many, which depends on the game,
//! the next plane goes over all bands as the first did, its bits in a place of their own. Where pieces go anywhere
//! all planes are found in another way: `lifted.rs`.

use super::above::{Above, see_above};
use super::gather::{Bits, see, see_inside};
use super::lifted;
use super::low::{self, Depth, LINES};
use super::open::{OPEN, PLANES, known, settle};
use super::open_lines::OpenLines;
use super::order::{Batches, NO_ROWS, Rows, pick_in_order};
use super::shape::Shape;
use super::ties::{Board, Done, Resolve};
use crate::game::Rule;
use crate::simd::{Kernel, LINE, Level, Line, Vector};

/// From one open line in so many on, a plane goes over all bands: some games need it for most rows.
const ONE_IN: usize = 2;

/// What a worker keeps from tile to tile.
pub(super) struct Scratch {
    /// Which lines have open rows; not kept up by [`OpenLines`], after which nothing asks.
    is_open: Rows,
    /// The lines with open rows, in order.
    open: Vec<u16>,
    batches: Batches,
    /// Room for a plane of all bands, where it does not stand in the place of the values.
    bits: Vec<u8>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { is_open: NO_ROWS, open: Vec::new(), batches: Batches::default(), bits: Vec::new() }
    }
}

/// Room for a plane of all bands of a tile. Lines that begin a cache line are faster by a tenth.
fn room<'a>(bits: &'a mut Vec<u8>, shape: &Shape) -> &'a mut [[[u8; LINE]; LINES]] {
    let bytes = shape.lines() * LINE;
    bits.resize(bytes + LINE, 0);
    let start = bits.as_ptr().align_offset(LINE).min(LINE);
    bits[start..][..bytes].as_chunks_mut().0.as_chunks_mut().0
}

/// Fills the tile `values`; the error is the line of a row that has no value in any of the [`PLANES`].
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
    if shape.goes_anywhere() {
        if above.is_empty() {
            // Nothing is seen there: zeros.
            scratch.bits.clear();
        }
        let sets = room(&mut scratch.bits, shape);
        return lifted::fill(level, shape, above, values, sets);
    }
    let words = shape.lines().div_ceil(64);
    let (mut plane, mut left) = (0, shape.lines());
    while plane < PLANES && left >= shape.lines() / ONE_IN {
        fill_bands(level, shape, above, values, scratch, plane);
        left = scratch.is_open[..words].iter().map(|word| word.count_ones() as usize).sum();
        plane += 1;
    }
    if left == 0 {
        return Ok(());
    }
    let Scratch { is_open, open, .. } = scratch;
    pick_in_order(shape.cells_above_a_line(), &is_open[..words], open);
    while plane < PLANES && !scratch.open.is_empty() {
        let (Scratch { open, batches, .. }, values) = (&mut *scratch, values.as_flattened_mut());
        level.run(OpenLines { level, shape, above, values, open, batches, plane });
        plane += 1;
    }
    scratch.open.first().map_or(Ok(()), |&line| Err(usize::from(line)))
}

/// Finds the values of one plane in all bands.
fn fill_bands(
    level: Level,
    shape: &Shape,
    above: &Above<'_>,
    values: &mut [[[u8; LINE]; LINES]],
    scratch: &mut Scratch,
    plane: u8,
) {
    let is_open = &mut scratch.is_open[..];
    let has_above = !above.is_empty();
    if plane == 0 {
        if has_above {
            level.run(SeeAbove { shape, above, values: None, bits: values, plane });
        }
        level.run(Bands { level, shape, has_above, bits: values });
        level.run(Convert { bands: values, is_open });
        return;
    }
    let bits = room(&mut scratch.bits, shape);
    level.run(SeeAbove { shape, above, values: Some(values), bits, plane });
    level.run(Bands { level, shape, has_above: true, bits });
    level.run(Settle { values, bits, is_open, plane });
}

/// What every row sees of a plane in the tiles above; one whose value is known sees everything.
struct SeeAbove<'a> {
    shape: &'a Shape,
    above: &'a Above<'a>,
    /// The values of the planes before, where there are any.
    values: Option<&'a [[[u8; LINE]; LINES]]>,
    bits: &'a mut [[[u8; LINE]; LINES]],
    plane: u8,
}

impl Kernel for SeeAbove<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        match self.shape.strip().rule() {
            Rule::Chess => self.see_plane::<V, { Rule::Chess as usize }>(),
            Rule::Slide => self.see_plane::<V, { Rule::Slide as usize }>(),
            Rule::Welter => self.see_plane::<V, { Rule::Welter as usize }>(),
        }
    }
}

impl SeeAbove<'_> {
    #[inline(always)]
    fn see_plane<V: Vector, const RULE: usize>(self) {
        // The first plane by name: the compiler knows that nothing is taken off its values.
        match self.plane {
            0 => self.see::<V>(Rule::ALL[RULE], 0),
            plane => self.see::<V>(Rule::ALL[RULE], plane),
        }
    }

    #[inline(always)]
    fn see<V: Vector>(self, rule: Rule, plane: u8) {
        let Self { shape, above, values, bits, .. } = self;
        for (band, lines) in bits.iter_mut().enumerate() {
            let mut seen = [V::Line::splat(0); LINES];
            if let Some(values) = values {
                for n in 0..LINES {
                    seen[n] = known::<V>(&values[band][n]);
                }
            }
            see_above::<V, LINES>(&mut seen, 0, above, (shape, rule), band, plane);
            for n in 0..LINES {
                seen[n].store(&mut lines[n]);
            }
        }
    }
}

/// From what every row sees above to the bit of its value in a plane, or none.
struct Bands<'a> {
    level: Level,
    shape: &'a Shape,
    /// Whether the bands hold what the rows see above; they hold nothing else yet.
    has_above: bool,
    bits: &'a mut [[[u8; LINE]; LINES]],
}

impl Kernel for Bands<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        match self.shape.strip().rule() {
            Rule::Chess => self.find_by_rule::<V, { Rule::Chess as usize }>(),
            Rule::Slide => self.find_by_rule::<V, { Rule::Slide as usize }>(),
            Rule::Welter => self.find_by_rule::<V, { Rule::Welter as usize }>(),
        }
    }
}

impl Bands<'_> {
    #[inline(always)]
    fn find_by_rule<V: Vector, const RULE: usize>(self) {
        if self.has_above { self.find::<V, RULE, true>() } else { self.find::<V, RULE, false>() }
    }

    #[inline(always)]
    fn find<V: Vector, const RULE: usize, const HAS_ABOVE: bool>(self) {
        let Self { level, shape, bits, .. } = self;
        let depth = Depth::new(shape.strip(), low::CELLS);
        let (mut board, mut done) = (Board::EMPTY, Done::NONE);
        let mut moves = shape.moves().in_order();
        for batch in shape.batches().each() {
            for (lane, (&band, needs)) in batch.iter().zip(&mut moves).enumerate() {
                let band = usize::from(band);
                let mut seen = [V::Line::splat(0); LINES];
                if HAS_ABOVE {
                    see::<V, LINES, _>(&mut seen, 0, Bits(bits), band);
                }
                see_inside::<V, RULE, _>(&mut seen, Bits(bits), &depth, needs, band);
                for n in 0..LINES {
                    seen[n].store(&mut board.0[n].0[lane]);
                }
            }
            let (low, board, done) = (shape.low(), &mut board, &mut done);
            level.run(Resolve { low, board, done, lines: LINES });
            for (lane, &band) in batch.iter().enumerate() {
                let lines = &mut bits[usize::from(band)];
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
    is_open: &'a mut [u64],
}

impl Kernel for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (bands, is_open) in self.bands.chunks_mut(64 / LINES).zip(self.is_open) {
            *is_open = 0;
            for (band, lines) in bands.iter_mut().enumerate() {
                let mut open = 0;
                for n in 0..LINES {
                    let value = V::Line::load(&lines[n]).value_or_all(0);
                    value.store(&mut lines[n]);
                    // Values of the first plane have none of these bits, and one instruction looks for them.
                    open |= u64::from(value.and(V::Line::splat(OPEN << 3)).any()) << n;
                }
                *is_open |= open << (band * LINES);
            }
        }
    }
}

/// From the bits of a later plane to values, and which lines have open rows.
struct Settle<'a> {
    values: &'a mut [[[u8; LINE]; LINES]],
    bits: &'a [[[u8; LINE]; LINES]],
    is_open: &'a mut [u64],
    plane: u8,
}

impl Kernel for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { values, bits, is_open, plane } = self;
        let found = bits.as_flattened().chunks(64);
        let values = values.as_flattened_mut().chunks_mut(64);
        for ((lines, found), is_open) in values.zip(found).zip(is_open) {
            let mut open = 0;
            for (n, (line, found)) in lines.iter_mut().zip(found).enumerate() {
                open |= u64::from(settle::<V>(line, V::Line::load(found), plane).any()) << n;
            }
            *is_open = open;
        }
    }
}
