//! The kernel: the values of one line, from the lines of its options.

use super::walk::Places;
use crate::simd::{Kernel, LINE, LaneMap, Line, PACKED, Packing, SPAN, Vector};

/// The amounts whose subsets make a line: 1 to 8.
pub(super) const LOW: u32 = 8;

/// From this budget on a line is whole: the sum of the low amounts.
const WHOLE: usize = (LOW * (LOW + 1) / 2) as usize;

/// The amounts within 64 lanes; taking a larger low amount leads to other lines of 64.
const INNER: usize = LINE.ilog2() as usize;

const CHUNKS: usize = PACKED / LINE;

/// The planes that hold values below 24, more than any pile has.
pub(super) const PLANES: usize = 3;

/// 256 lanes in lines of 64 that the kernels read and write.
type Lanes = [[u8; LINE]; CHUNKS];

/// What all lines of all tables have in common.
pub(super) struct Lines {
    packings: Vec<Packing>,
    /// For each amount within 64 lanes, how its options move.
    taken: [LaneMap; INNER],
    /// For `r = 0..=8`, the values of all subsets of the low amounts: amounts above `r` do not matter.
    small: [Lanes; LOW as usize + 1],
}

impl Lines {
    pub(super) fn new() -> Self {
        let packing = |budget| Packing::new(|lane| sum(lane) <= budget);
        Self {
            packings: (0..=WHOLE).map(packing).collect(),
            taken: std::array::from_fn(|n| {
                LaneMap::new((0..LINE).filter(|to| to >> n & 1 == 0).map(|to| (to, to | 1 << n)))
            }),
            small: small(),
        }
    }

    /// The packing of a line whose low amounts may sum up to `budget`.
    #[inline(always)]
    fn packing(&self, budget: u8) -> &Packing {
        &self.packings[usize::from(budget).min(WHOLE)]
    }

    /// The number of states in such a line.
    pub(super) fn states(&self, budget: u32) -> usize {
        self.packing(budget as u8).kept()
    }

    /// The values of the states with `left` stones, up to 8, and their masks, in order.
    pub(super) fn small_states(&self, left: u32) -> impl Iterator<Item = (usize, u8)> {
        let values = self.small[left as usize].as_flattened();
        values.iter().copied().enumerate().take(1 << left)
    }
}

/// The sum of the amounts of a mask.
pub(super) fn sum(mask: usize) -> usize {
    (0..LOW as usize).filter(|n| mask >> n & 1 == 1).map(|n| n + 1).sum()
}

/// The first layers, by the definition.
fn small() -> [Lanes; LOW as usize + 1] {
    let mut small = [[[0; LINE]; CHUNKS]; LOW as usize + 1];
    for left in 1..small.len() {
        for mask in 0..PACKED {
            let free = (1..=left).filter(|amount| mask >> (amount - 1) & 1 == 0);
            let seen = free.fold(0_u32, |seen, amount| {
                seen | 1 << small[left - amount].as_flattened()[mask | 1 << (amount - 1)]
            });
            small[left].as_flattened_mut()[mask] = seen.trailing_ones() as u8;
        }
    }
    small
}

/// The finished layers. A run at their very end is followed by too few bytes to be read as one, so the
/// last bytes are here a second time.
pub(super) struct Done<'a> {
    values: &'a [u8],
    last: [u8; 2 * SPAN],
    last_at: usize,
}

impl<'a> Done<'a> {
    pub(super) fn new(values: &'a [u8]) -> Self {
        let last_at = values.len().saturating_sub(SPAN);
        let mut last = [0; 2 * SPAN];
        last[..values.len() - last_at].copy_from_slice(&values[last_at..]);
        Self { values, last, last_at }
    }

    /// The bytes from `at` on.
    #[inline(always)]
    fn run(&self, at: u32) -> &[u8; SPAN] {
        let at = at as usize;
        match self.values.get(at..).and_then(<[u8]>::first_chunk) {
            Some(run) => run,
            None => self.last[at - self.last_at..].first_chunk().unwrap_or(&[0; SPAN]),
        }
    }
}

/// The values seen by 64 states so far: bit `v % 8` of plane `v / 8` is value `v`.
#[derive(Clone, Copy)]
struct Seen<V: Vector, const P: usize>([V::Line; P]);

impl<V: Vector, const P: usize> Seen<V, P> {
    #[inline(always)]
    fn nothing() -> Self {
        Self([V::Line::splat(0); P])
    }

    /// The values of a line. With two planes or less they must be below 16.
    #[inline(always)]
    fn of(values: V::Line) -> Self {
        let mut seen = Self::nothing();
        for p in 0..P {
            seen.0[p] = if P < PLANES {
                V::Line::load(&BITS[p]).shuffle(values)
            } else {
                values.one_hot(p as u8)
            };
        }
        seen
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for p in 0..P {
            self.0[p] = self.0[p].or(other.0[p]);
        }
        self
    }

    #[inline(always)]
    fn apply(mut self, map: &LaneMap) -> Self {
        for p in 0..P {
            self.0[p] = map.apply::<V>(self.0[p]);
        }
        self
    }

    /// The least value not seen; and, in each lane, `0xFF` where that is more than the planes hold.
    #[inline(always)]
    fn mex(self) -> (V::Line, V::Line) {
        let mut value = V::Line::splat(0);
        let mut overflow = V::Line::splat(0xFF);
        for p in (0..P).rev() {
            let seen = self.0[p];
            let full = seen.equal(V::Line::splat(0xFF));
            let first = seen.add(V::Line::splat(1)).without(seen);
            value = first.bit_number().or(full.and(value.add(V::Line::splat(8))));
            overflow = overflow.and(full);
        }
        (value, overflow)
    }
}

/// For each value below 16 its bit in a plane, as a table for a shuffle.
const BITS: [[u8; LINE]; 2] = {
    let mut bits = [[0; LINE]; 2];
    let mut n = 0;
    while n < LINE {
        bits[n % 16 / 8][n] = 1 << (n % 8);
        n += 1;
    }
    bits
};

/// What the options that leave 8 stones or less add to every line of a layer: their used high amounts
/// do not matter, so they are the same for all.
pub(super) struct Ends([[[u8; LINE]; PLANES]; CHUNKS]);

/// Finds the [`Ends`] of the lines with `left` stones and the high amounts `used` used.
pub(super) struct FindEnds<'a> {
    pub(super) lines: &'a Lines,
    pub(super) left: u32,
    pub(super) used: u128,
}

impl FindEnds<'_> {
    #[inline(always)]
    fn seen<V: Vector>(&self, chunk: usize) -> Seen<V, PLANES> {
        let mut seen = Seen::nothing();
        for (rest, values) in self.lines.small.iter().enumerate() {
            let amount = self.left as usize - rest;
            if amount <= LOW as usize {
                if let Some(from) = source(amount, chunk) {
                    let option = Seen::of(V::Line::load(&values[from]));
                    seen = seen.or(moved(self.lines, amount, option));
                }
            } else if self.used >> (amount - 1) & 1 == 0 {
                seen = seen.or(Seen::of(V::Line::load(&values[chunk])));
            }
        }
        seen
    }
}

impl Kernel for FindEnds<'_> {
    type Output = Ends;

    #[inline(always)]
    fn run<V: Vector>(self) -> Ends {
        let mut ends = Ends([[[0; LINE]; PLANES]; CHUNKS]);
        for chunk in 0..CHUNKS {
            let seen = self.seen::<V>(chunk);
            for p in 0..PLANES {
                seen.0[p].store(&mut ends.0[chunk][p]);
            }
        }
        ends
    }
}

/// The 64 lanes in which the options of 64 states lie that take a low amount, if any may take it.
#[inline(always)]
fn source(amount: usize, chunk: usize) -> Option<usize> {
    if amount <= INNER {
        return Some(chunk);
    }
    let bit = 1 << (amount - 1 - INNER);
    (chunk & bit == 0).then_some(chunk | bit)
}

/// The values of the lanes of a [`source`], in the lanes of the states whose options they are.
#[inline(always)]
fn moved<V: Vector, const P: usize>(
    lines: &Lines,
    amount: usize,
    option: Seen<V, P>,
) -> Seen<V, P> {
    if amount <= INNER { option.apply(&lines.taken[amount - 1]) } else { option }
}

/// Fills one line with `P` planes.
pub(super) struct FillLine<'a, const P: usize> {
    pub(super) lines: &'a Lines,
    pub(super) done: &'a Done<'a>,
    pub(super) ends: &'a Ends,
    /// The lines of the options, those of the low amounts first.
    pub(super) options: &'a Places,
    /// How many there are.
    pub(super) count: usize,
    /// What the low amounts of this line may sum up to.
    pub(super) budget: u32,
    pub(super) run: &'a mut [u8; SPAN],
}

impl<const P: usize> FillLine<'_, P> {
    #[inline(always)]
    fn seen<V: Vector>(&self, chunk: usize) -> Seen<V, P> {
        let mut seen = Seen::nothing();
        for p in 0..P {
            seen.0[p] = V::Line::load(&self.ends.0[chunk][p]);
        }
        let low = self.count.min(LOW as usize);
        for n in low..self.count {
            seen = seen.or(self.option(n, chunk));
        }
        for n in 0..low {
            if let Some(from) = source(n + 1, chunk) {
                seen = seen.or(moved(self.lines, n + 1, self.option(n, from)));
            }
        }
        seen
    }

    #[inline(always)]
    fn option<V: Vector>(&self, n: usize, chunk: usize) -> Seen<V, P> {
        let run = self.done.run(self.options.at[n]);
        Seen::of(self.lines.packing(self.options.budget[n]).expand::<V>(run, chunk))
    }
}

impl<const P: usize> Kernel for FillLine<'_, P> {
    /// Whether all values are within the planes.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let packing = self.lines.packing(self.budget as u8);
        let mut overflow = V::Line::splat(0);
        for chunk in 0..CHUNKS {
            if packing.keeps(chunk) {
                let (values, over) = self.seen::<V>(chunk).mex();
                packing.pack::<V>(values, chunk, self.run);
                overflow = overflow.or(over);
            }
        }
        !overflow.any()
    }
}
