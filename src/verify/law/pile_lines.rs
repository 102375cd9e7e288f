//! What the entries of a line of stones states should be, from the entries of their options.

use crate::simd::{Kernel, LINE, LaneMap, Line, PACKED, Packing, SPAN, Vector};

/// The amounts whose sets are the lanes of a line: 1 to 8.
pub(super) const LOW: u32 = PACKED.ilog2();

/// The layers in which no used amount is above 8.
pub(super) const FEW: usize = LOW as usize + 1;

/// The sum of all low amounts: from this budget on, a line has all lanes.
const ALL: u32 = LOW * (LOW + 1) / 2;

/// The amounts whose options are in the same 64 lanes.
const INSIDE: u32 = LINE.ilog2();

/// How the lanes of lines lie, and how they move when a low amount is taken.
pub(super) struct Lanes {
    packings: Vec<Packing>,
    moves: [LaneMap; INSIDE as usize],
}

impl Lanes {
    pub(super) fn new() -> Self {
        let packing = |budget| Packing::new(|set| sum(set) <= budget);
        let free = |bit: usize| (0..LINE).filter(move |set| set & bit == 0);
        let taken = |bit| LaneMap::new(free(bit).map(|set| (set, set | bit)));
        Self {
            packings: (0..=ALL).map(packing).collect(),
            moves: std::array::from_fn(|n| taken(1 << n)),
        }
    }

    /// The packing of a line whose low amounts may sum up to `budget`.
    #[inline]
    pub(super) fn packing(&self, budget: u32) -> &Packing {
        &self.packings[budget.min(ALL) as usize]
    }

    /// The packing that keeps all lanes.
    pub(super) fn whole(&self) -> &Packing {
        self.packing(ALL)
    }
}

/// The sum of the amounts of a set.
fn sum(set: usize) -> u32 {
    (1..=LOW).filter(|amount| set >> (amount - 1) & 1 == 1).sum()
}

/// The line in which the options of another lie that take one amount.
pub(super) struct OptionLine<'a> {
    pub(super) run: &'a [u8; SPAN],
    pub(super) packing: &'a Packing,
}

impl OptionLine<'_> {
    /// The entries of 64 lanes as bits of planes. Entries that no plane holds are no bit.
    #[inline(always)]
    fn planes<V: Vector, const P: usize>(&self, quarter: usize) -> [V::Line; P] {
        let entries = self.packing.expand::<V>(self.run, quarter);
        let mut planes = [entries; P];
        for (p, plane) in planes.iter_mut().enumerate() {
            *plane = entries.one_hot(p as u8);
        }
        planes
    }
}

/// Computes what the entries of a line should be, from those of its options, with `P` planes of 8 values.
pub(super) struct CheckLine<'a, const P: usize> {
    pub(super) lanes: &'a Lanes,
    /// The options of all amounts that are not used above 8, lowest amount first.
    pub(super) options: &'a [OptionLine<'a>],
    /// What the low amounts of the line may sum up to.
    pub(super) budget: u32,
    pub(super) values: &'a mut [u8; SPAN],
}

impl<const P: usize> CheckLine<'_, P> {
    /// The entries of all options of 64 states.
    #[inline(always)]
    fn seen<V: Vector>(&self, quarter: usize) -> [V::Line; P] {
        let (low, high) = self.options.split_at(LOW as usize);
        let mut seen = [V::Line::splat(0); P];
        for option in high {
            let planes = option.planes::<V, P>(quarter);
            for p in 0..P {
                seen[p] = seen[p].or(planes[p]);
            }
        }
        let (inside, outside) = low.split_at(INSIDE as usize);
        for (option, map) in inside.iter().zip(&self.lanes.moves) {
            let planes = option.planes::<V, P>(quarter);
            for p in 0..P {
                seen[p] = seen[p].or(map.apply::<V>(planes[p]));
            }
        }
        for (n, option) in outside.iter().enumerate() {
            if quarter >> n & 1 == 0 {
                let planes = option.planes::<V, P>(quarter | 1 << n);
                for p in 0..P {
                    seen[p] = seen[p].or(planes[p]);
                }
            }
        }
        seen
    }
}

impl<const P: usize> Kernel for CheckLine<'_, P> {
    /// Whether every value is within the planes.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        let packing = self.lanes.packing(self.budget);
        let mut beyond = V::Line::splat(0);
        for quarter in 0..PACKED / LINE {
            if !packing.keeps(quarter) {
                continue;
            }
            let mut value = V::Line::splat(0);
            let mut full = V::Line::splat(0xFF);
            for seen in self.seen::<V>(quarter) {
                // As long as the planes below are full, the value is in this one or above.
                let least = seen.add(V::Line::splat(1)).without(seen).bit_number();
                let all = seen.equal(V::Line::splat(0xFF));
                let here = least.or(all.and(V::Line::splat(8)));
                value = value.add(full.and(here));
                full = full.and(all);
            }
            packing.pack::<V>(value, quarter, self.values);
            beyond = beyond.or(full);
        }
        !beyond.any()
    }
}
