//! The kernel: the values of one line, from the lines of its options.

use crate::simd::{Kernel, LINE, Line, PACKED, Packing, Runs, SPAN, Vector};

/// The amounts whose subsets make a line: 1 to 8.
pub(super) const LOW: u32 = 8;

/// From this budget on a line is whole: the sum of the low amounts.
const WHOLE: usize = (LOW * (LOW + 1) / 2) as usize;

/// The amounts within 64 lanes; taking a larger low amount leads to other lines of 64.
const INNER: usize = LINE.ilog2() as usize;

const CHUNKS: usize = PACKED / LINE;

/// The control of a lane that takes nothing.
const NOTHING: u8 = 0x80;

/// The planes that hold values below 24, more than any pile has.
pub(super) const PLANES: usize = 3;

/// 256 lanes in lines of 64 that the kernels read and write.
type Lanes = [[u8; LINE]; CHUNKS];

/// What all lines of all tables have in common.
pub(super) struct Lines {
    packings: Box<[Packing; WHOLE + 1]>,
    /// For each amount within 64 lanes, which lane of its block an option comes from, after its block
    /// was brought where it belongs.
    taken: [[u8; LINE]; INNER],
    /// For `r = 0..=8`, the values of all subsets of the low amounts: amounts above `r` do not matter.
    small: [Lanes; LOW as usize + 1],
}

impl Lines {
    pub(super) fn new() -> Self {
        let packing = |budget| Packing::new(|lane| sum(lane) <= budget);
        Self {
            packings: Box::new(std::array::from_fn(packing)),
            taken: std::array::from_fn(|n| {
                std::array::from_fn(|lane| {
                    if lane >> n & 1 == 0 { (lane | 1 << n) as u8 % 16 } else { NOTHING }
                })
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

    /// Fills the layer of `left` stones, at most 8, with used amounts that sum up to at most `budget`.
    pub(super) fn fill_small(&self, left: u32, budget: u32, layer: &mut [u8]) {
        let values = self.small[left as usize].as_flattened();
        let masks = (0..1 << left).filter(|&mask| sum(mask) <= budget as usize);
        for (entry, mask) in layer.iter_mut().zip(masks) {
            *entry = values[mask];
        }
    }
}

/// The sum of the amounts of a mask.
fn sum(mask: usize) -> usize {
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

/// Calls a function for each low amount as a constant, so that its moves of lanes are known.
macro_rules! each_low_amount {
    ($amount:ident => $call:expr) => {
        each_low_amount!(@ $amount $call; 1 2 3 4 5 6 7 8)
    };
    (@ $amount:ident $call:expr; $($n:literal)*) => {$({
        const $amount: usize = $n;
        $call;
    })*};
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
            seen.0[p] =
                if P < PLANES { values.one_hot_small(p as u8) } else { values.one_hot(p as u8) };
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

    /// The options of states that take a low amount `A`, moved to the lanes of these states.
    #[inline(always)]
    fn taken<const A: usize>(mut self, lines: &Lines) -> Self {
        if A <= INNER {
            let control = V::Line::load(&lines.taken[A - 1]);
            for p in 0..P {
                self.0[p] = self.0[p].swap_blocks((1 << (A - 1)) / 16).shuffle(control);
            }
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
            let amount = self.left - rest as u32;
            if amount > LOW && self.used >> (amount - 1) & 1 == 0 {
                seen = seen.or(Seen::of(V::Line::load(&values[chunk])));
            }
        }
        let mut group = [seen];
        each_low_amount!(AMOUNT => self.low::<V, AMOUNT>(&mut group, chunk));
        group[0]
    }

    /// Adds the options in which the low amount `A` is taken, if that leaves 8 stones or less.
    #[inline(always)]
    fn low<V: Vector, const A: usize>(&self, seen: &mut [Seen<V, PLANES>; 1], chunk: usize) {
        let rest = self.left as usize - A;
        if let (Some(values), Some(from)) = (self.lines.small.get(rest), source::<A>(chunk)) {
            let option = Seen::of(V::Line::load(&values[from]));
            seen[0] = seen[0].or(option.taken::<A>(self.lines));
        }
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

/// The 64 lanes in which the options of 64 states lie that take the low amount `A`, if any may take it.
#[inline(always)]
fn source<const A: usize>(chunk: usize) -> Option<usize> {
    let bit = (1 << (A - 1)) / LINE;
    (chunk & bit == 0).then_some(chunk | bit)
}

/// Fills one line with `P` planes.
pub(super) struct FillLine<'a, const P: usize> {
    pub(super) lines: &'a Lines,
    pub(super) done: &'a Runs<'a>,
    pub(super) ends: &'a Ends,
    /// The lines of the options, those of the low amounts first.
    pub(super) options: Options<'a>,
    /// What the low amounts of this line may sum up to.
    pub(super) budget: u32,
    pub(super) run: &'a mut [u8; SPAN],
}

/// The lines of options: where each begins, and what its low amounts may sum up to.
#[derive(Clone, Copy)]
pub(super) struct Options<'a> {
    pub(super) at: &'a [u32],
    pub(super) budget: &'a [u8],
}

impl<const P: usize> FillLine<'_, P> {
    /// What is seen by `C` times 64 neighbours. Few enough to stay in registers, and more than one, for
    /// half of the work is to find the bytes of an option.
    #[inline(always)]
    fn seen<V: Vector, const C: usize>(&self, chunk: usize) -> [Seen<V, P>; C] {
        let mut seen = [Seen::nothing(); C];
        for (c, seen) in seen.iter_mut().enumerate() {
            for p in 0..P {
                seen.0[p] = V::Line::load(&self.ends.0[chunk + c][p]);
            }
        }
        for (&at, &budget) in self.options.at.iter().zip(self.options.budget).skip(LOW as usize) {
            let run = self.done.at(at);
            let packing = self.lines.packing(budget);
            for (c, seen) in seen.iter_mut().enumerate() {
                *seen = seen.or(Seen::of(packing.expand::<V>(run, chunk + c)));
            }
        }
        each_low_amount!(AMOUNT => self.low::<V, C, AMOUNT>(&mut seen, chunk));
        seen
    }

    /// Adds the options in which the low amount `A` is taken.
    #[inline(always)]
    fn low<V: Vector, const C: usize, const A: usize>(
        &self,
        seen: &mut [Seen<V, P>; C],
        chunk: usize,
    ) {
        let (Some(&at), Some(&budget)) =
            (self.options.at.get(A - 1), self.options.budget.get(A - 1))
        else {
            return;
        };
        let run = self.done.at(at);
        let packing = self.lines.packing(budget);
        for (c, seen) in seen.iter_mut().enumerate() {
            if let Some(from) = source::<A>(chunk + c) {
                let option = Seen::of(packing.expand::<V>(run, from));
                *seen = seen.or(option.taken::<A>(self.lines));
            }
        }
    }

    /// Fills `C` times 64 neighbours, and returns the lanes with a value beyond the planes.
    #[inline(always)]
    fn fill<V: Vector, const C: usize>(&mut self, packing: &Packing, chunk: usize) -> V::Line {
        let mut overflow = V::Line::splat(0);
        let seen = self.seen::<V, C>(chunk);
        for (c, seen) in seen.into_iter().enumerate() {
            let (values, over) = seen.mex();
            packing.pack::<V>(values, chunk + c, self.run);
            overflow = overflow.or(over);
        }
        overflow
    }
}

impl<const P: usize> Kernel for FillLine<'_, P> {
    /// Whether all values are within the planes.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> bool {
        let lines = self.lines;
        let packing = lines.packing(self.budget as u8);
        let overflow = match self.budget {
            ..7 => self.fill::<V, 1>(packing, 0),
            7 => self.fill::<V, 2>(packing, 0),
            8..15 => self.fill::<V, 2>(packing, 0).or(self.fill::<V, 1>(packing, 2)),
            _ => self.fill::<V, 2>(packing, 0).or(self.fill::<V, 2>(packing, 2)),
        };
        !overflow.any()
    }
}
