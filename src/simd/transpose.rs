//! Lines to lanes and back: `LANES` lines of 64 bytes, and 64 vectors of one byte of each line.
//!
//! A vector of two blocks carries line `l` in the low and line `l + 16` in the high one, so that every
//! square of 16 by 16 bytes is transposed inside its block.

use super::{LINE, Vector};

/// The most lanes of any vector, and so the most lines of a batch.
pub(crate) const MAX_LANES: usize = 32;

/// Lines on their way into lanes, or back.
pub(crate) type Lines = [Aligned<[u8; LINE]>; MAX_LANES];

/// Bytes that begin a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// One vector for each byte of a line, in blocks of 16.
pub(crate) type Patterns<V> = [[V; 16]; LINE / 16];

/// Sixteen of a function of `0..16`, without a closure: see [`super::Kernel`].
macro_rules! sixteen {
    ($f:ident, $($argument:expr),*) => {[
        $f($($argument),*, 0), $f($($argument),*, 1), $f($($argument),*, 2), $f($($argument),*, 3),
        $f($($argument),*, 4), $f($($argument),*, 5), $f($($argument),*, 6), $f($($argument),*, 7),
        $f($($argument),*, 8), $f($($argument),*, 9), $f($($argument),*, 10), $f($($argument),*, 11),
        $f($($argument),*, 12), $f($($argument),*, 13), $f($($argument),*, 14), $f($($argument),*, 15),
    ]};
}

/// Vector `c` of the result holds byte `c` of each of the first `LANES` lines.
#[inline(always)]
pub(crate) fn to_lanes<V: Vector>(lines: &Lines) -> Patterns<V> {
    [
        V::transpose(sixteen!(load, lines, 0)),
        V::transpose(sixteen!(load, lines, 1)),
        V::transpose(sixteen!(load, lines, 2)),
        V::transpose(sixteen!(load, lines, 3)),
    ]
}

/// The reverse of [`to_lanes`].
#[inline(always)]
pub(crate) fn from_lanes<V: Vector>(patterns: &Patterns<V>, lines: &mut Lines) {
    for (block, rows) in patterns.iter().enumerate() {
        let rows = V::transpose(*rows);
        for l in 0..16 {
            rows[l].store_low(&mut lines[l].0.as_chunks_mut().0[block]);
            rows[l].store_high(&mut lines[l + 16].0.as_chunks_mut().0[block]);
        }
    }
}

/// One block of line `l`, and of line `l + 16`.
#[inline(always)]
fn load<V: Vector>(lines: &Lines, block: usize, l: usize) -> V {
    V::load_blocks(&lines[l].0.as_chunks().0[block], &lines[l + 16].0.as_chunks().0[block])
}

#[cfg(test)]
mod tests {
    use super::{Aligned, MAX_LANES, from_lanes, to_lanes};
    use crate::simd::{Kernel, LINE, Level, Vector};

    struct ThereAndBack;

    impl Kernel for ThereAndBack {
        type Output = ();

        #[inline(always)]
        fn run<V: Vector>(self) {
            let mut lines = [Aligned([0; LINE]); MAX_LANES];
            for (l, line) in lines.iter_mut().enumerate() {
                for (c, byte) in line.0.iter_mut().enumerate() {
                    *byte = (l * 67 + c * 5) as u8;
                }
            }
            let patterns = to_lanes::<V>(&lines);
            for (c, lane) in patterns.as_flattened().iter().enumerate() {
                let mut bytes = [0; MAX_LANES];
                lane.store(&mut bytes);
                for l in 0..V::LANES {
                    assert_eq!(bytes[l], lines[l].0[c], "line {l}, byte {c}");
                }
            }
            let mut back = [Aligned([0; LINE]); MAX_LANES];
            from_lanes(&patterns, &mut back);
            assert_eq!(back[..V::LANES], lines[..V::LANES]);
        }
    }

    #[test]
    fn lines_become_lanes_and_lines_again_at_every_level() {
        for level in Level::available() {
            level.run(ThereAndBack);
        }
    }
}
