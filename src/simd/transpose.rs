//! Lines to lanes and back: a block of 16 bytes of each of `LANES` lines, and 16 vectors of one byte of
//! each line.
//!
//! A vector of two blocks carries line `l` in the low and line `l + 16` in the high one, so that every
//! square of 16 by 16 bytes is transposed inside its block.

use super::{LINE, Transpose};

/// The most lanes of a turned vector, and so the most lines of a batch.
pub(crate) const MAX_LANES: usize = 32;

/// Lines on their way into lanes, or back.
pub(crate) type Lines = Aligned<[[u8; LINE]; MAX_LANES]>;

/// Bytes that begin a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Sixteen of a function of `0..16`, without a closure: see [`super::Kernel`].
macro_rules! sixteen {
    ($f:ident, $($argument:expr),*) => {[
        $f($($argument),*, 0), $f($($argument),*, 1), $f($($argument),*, 2), $f($($argument),*, 3),
        $f($($argument),*, 4), $f($($argument),*, 5), $f($($argument),*, 6), $f($($argument),*, 7),
        $f($($argument),*, 8), $f($($argument),*, 9), $f($($argument),*, 10), $f($($argument),*, 11),
        $f($($argument),*, 12), $f($($argument),*, 13), $f($($argument),*, 14), $f($($argument),*, 15),
    ]};
}

/// A column of blocks: from the first byte of that of the first line to the last of that of the last.
///
/// With its length known, and one address for all, a load is one instruction.
type Column = [u8; LINE * (MAX_LANES - 1) + BLOCK];

/// The bytes of a block.
const BLOCK: usize = 16;

/// Vector `c` of the result holds byte `c` of block `block` of each of the first `LANES` lines.
#[inline(always)]
pub(crate) fn to_lanes<V: Transpose>(lines: &Lines, block: usize) -> [V; BLOCK] {
    const { assert!(V::LANES <= MAX_LANES, "a batch has a line for each lane") };
    let bytes = lines.0.as_flattened();
    let Some(column) = bytes[BLOCK * block..].first_chunk() else { return [V::splat(0); BLOCK] };
    V::transpose(sixteen!(load, column))
}

/// The reverse of [`to_lanes`].
#[inline(always)]
pub(crate) fn from_lanes<V: Transpose>(patterns: [V; BLOCK], lines: &mut Lines, block: usize) {
    let rows = V::transpose(patterns);
    let bytes = lines.0.as_flattened_mut();
    let Some(column) = bytes[BLOCK * block..].first_chunk_mut::<{ size_of::<Column>() }>() else {
        return;
    };
    sixteen!(store, &rows, column);
}

/// One block to line `l`, and to line `l + 16`.
#[inline(always)]
fn store<V: Transpose>(rows: &[V; BLOCK], column: &mut Column, l: usize) {
    for b in 0..V::LANES / BLOCK {
        if let Some(block) = column[LINE * (l + BLOCK * b)..].first_chunk_mut() {
            rows[l].store_block(b, block);
        }
    }
}

/// One block of line `l`, and of line `l + 16`.
#[inline(always)]
fn load<V: Transpose>(column: &Column, l: usize) -> V {
    let block = |l: usize| column[LINE * l..].first_chunk().unwrap_or(&[0; BLOCK]);
    let (low, high) = (block(l), block(l + BLOCK));
    V::load_blocks([low, high, low, high])
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
            let mut lines = Aligned([[0; LINE]; MAX_LANES]);
            for (l, line) in lines.0.iter_mut().enumerate() {
                for (c, byte) in line.iter_mut().enumerate() {
                    *byte = (l * 67 + c * 5) as u8;
                }
            }
            let mut back = Aligned([[0; LINE]; MAX_LANES]);
            for block in 0..LINE / 16 {
                let patterns = to_lanes::<V::Turned>(&lines, block);
                for (c, lane) in patterns.iter().enumerate() {
                    let mut bytes = [0; MAX_LANES];
                    lane.store(&mut bytes);
                    for l in 0..V::Turned::LANES {
                        assert_eq!(bytes[l], lines.0[l][16 * block + c], "line {l}, block {block}");
                    }
                }
                from_lanes(patterns, &mut back, block);
            }
            assert_eq!(back.0[..V::Turned::LANES], lines.0[..V::Turned::LANES]);
        }
    }

    #[test]
    fn lines_become_lanes_and_lines_again_at_every_level() {
        for level in Level::available() {
            level.run(ThereAndBack);
        }
    }
}
