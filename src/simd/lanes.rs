//! Moving the bytes of a line among its lanes by a map known before the run.

use super::{LINE, Line, Vector};

/// A set of pairs: which lanes of a line take their bytes from which others.
///
/// A lane that takes from several gets the bitwise or of their bytes, one that takes from none gets 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneMap {
    /// Byte shuffles of the whole line, by `swap`: block `b` looks into block `b ^ swap`.
    controls: [Vec<[u8; LINE]>; LINE / BLOCK],
}

/// The lanes of a block.
const BLOCK: usize = 16;

/// The control of a lane that takes nothing.
const NOTHING: u8 = 0x80;

impl LaneMap {
    /// The map in which lane `to` takes from lane `from`, for every pair `(to, from)`.
    pub(crate) fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut map = Self::default();
        for (to, from) in pairs {
            let controls = &mut map.controls[(to ^ from) / BLOCK];
            let free = controls.iter().position(|control| control[to] == NOTHING);
            let free = free.unwrap_or_else(|| {
                controls.push([NOTHING; LINE]);
                controls.len() - 1
            });
            controls[free][to] = (from % BLOCK) as u8;
        }
        map
    }

    /// The line whose lanes take their bytes from `line`.
    #[inline(always)]
    pub(crate) fn apply<V: Vector>(&self, line: V::Line) -> V::Line {
        let [own, next, far, last] = &self.controls;
        let near = shuffled::<V>(own, line).or(shuffled::<V>(next, line.swap_blocks(1)));
        let far =
            shuffled::<V>(far, line.swap_blocks(2)).or(shuffled::<V>(last, line.swap_blocks(3)));
        near.or(far)
    }
}

/// What all of the shuffles take together.
#[inline(always)]
fn shuffled<V: Vector>(controls: &[[u8; LINE]], line: V::Line) -> V::Line {
    let mut out = V::Line::splat(0);
    for control in controls {
        out = out.or(line.shuffle(V::Line::load(control)));
    }
    out
}

/// A map that the compiler knows: its shuffles are a straight line.
pub(crate) trait FixedMap {
    /// Its shuffles.
    const CONTROLS: Controls;
}

/// The shuffles of a [`FixedMap`], each with its `swap`: block `b` looks into block `b ^ swap`.
pub(crate) struct Controls {
    count: usize,
    bytes: [[u8; LINE]; MOST],
    swaps: [usize; MOST],
}

/// The most shuffles of a fixed map.
const MOST: usize = 16;

impl Controls {
    /// Those of the map in which each lane takes from the lanes of its mask.
    pub(crate) const fn new(masks: &[u64; LINE]) -> Self {
        let mut map = Self { count: 0, bytes: [[NOTHING; LINE]; MOST], swaps: [0; MOST] };
        let mut to = 0;
        while to < LINE {
            let mut from = masks[to];
            while from != 0 {
                map.add(to, from.trailing_zeros() as usize);
                from &= from - 1;
            }
            to += 1;
        }
        map
    }

    const fn add(&mut self, to: usize, from: usize) {
        let swap = (to ^ from) / BLOCK;
        let mut n = 0;
        while n < self.count && (self.swaps[n] != swap || self.bytes[n][to] != NOTHING) {
            n += 1;
        }
        if n == self.count {
            self.count += 1;
            self.swaps[n] = swap;
        }
        self.bytes[n][to] = (from % BLOCK) as u8;
    }
}

/// The line whose lanes take their bytes from `line`, by a map that the compiler knows.
#[inline(always)]
pub(crate) fn move_lanes<V: Vector, M: FixedMap>(line: V::Line) -> V::Line {
    let swapped = [line, line.swap_blocks(1), line.swap_blocks(2), line.swap_blocks(3)];
    let mut out = V::Line::splat(0);
    macro_rules! shuffles {
        ($($n:literal)*) => {$(
            if const { $n < M::CONTROLS.count } {
                let control = V::Line::load(const { &M::CONTROLS.bytes[$n] });
                out = out.or(swapped[const { M::CONTROLS.swaps[$n] }].shuffle(control));
            }
        )*};
    }
    shuffles!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    out
}

#[cfg(test)]
mod tests {
    use super::{Controls, FixedMap, LaneMap, move_lanes};
    use crate::simd::{Kernel, LINE, Level, Line, Vector};

    /// The lanes from which a lane takes: some none, some several.
    const fn masks() -> [u64; LINE] {
        let mut masks = [0; LINE];
        let mut to = 0;
        while to < LINE {
            masks[to] = (to as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) & 0x8421_0842_1084_2108;
            to += 1;
        }
        masks
    }

    struct Fixed;

    impl FixedMap for Fixed {
        const CONTROLS: Controls = Controls::new(&masks());
    }

    struct Moved<'a>(&'a LaneMap, &'a [u8; LINE]);

    impl Kernel for Moved<'_> {
        type Output = [[u8; LINE]; 2];

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let line = V::Line::load(self.1);
            let mut out = [[0; LINE]; 2];
            self.0.apply::<V>(line).store(&mut out[0]);
            move_lanes::<V, Fixed>(line).store(&mut out[1]);
            out
        }
    }

    #[test]
    fn each_lane_takes_what_its_sources_have() {
        let sources = |to: usize| (0..LINE).filter(move |from| masks()[to] >> from & 1 == 1);
        let map = LaneMap::new((0..LINE).flat_map(|to| sources(to).map(move |from| (to, from))));
        let line = std::array::from_fn(|lane| (lane * 37 % 251) as u8);
        let expected = std::array::from_fn(|to| sources(to).fold(0, |all, from| all | line[from]));
        for level in Level::available() {
            assert_eq!(level.run(Moved(&map, &line)), [expected; 2], "{level}");
        }
    }
}
