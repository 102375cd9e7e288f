//! Lines to lanes and back: `LANES` lines of 64 bytes, and 64 vectors of one byte of each line.
//!
//! A vector of two blocks carries line `l` in the low and line `l + 16` in the high one, so that every
//! square of 16 by 16 bytes is transposed inside its block.

use super::{LINE, Vector};

/// The most lanes of any vector, and so the most lines of a batch.
pub(crate) const MAX_LANES: usize = 32;

/// Bytes that begin a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Vector `c` of the result holds byte `c` of each of the first `LANES` lines.
#[inline(always)]
pub(crate) fn to_lanes<V: Vector>(lines: &[Aligned<[u8; LINE]>; MAX_LANES], lanes: &mut [V; LINE]) {
    for block in 0..4 {
        let mut rows = [V::splat(0); 16];
        for l in 0..16 {
            rows[l] = V::load_blocks(
                &lines[l].0.as_chunks().0[block],
                &lines[(l + 16) % MAX_LANES].0.as_chunks().0[block],
            );
        }
        let rows = V::transpose(rows);
        for c in 0..16 {
            lanes[16 * block + c] = rows[c];
        }
    }
}

/// The reverse of [`to_lanes`]: line `l` goes to `lines[places[l]]`.
#[inline(always)]
pub(crate) fn from_lanes<V: Vector>(
    lanes: &[V; LINE],
    lines: &mut [Aligned<[u8; LINE]>],
    places: &[u16; MAX_LANES],
) {
    for block in 0..4 {
        let mut rows = [V::splat(0); 16];
        for c in 0..16 {
            rows[c] = lanes[16 * block + c];
        }
        let rows = V::transpose(rows);
        for l in 0..16 {
            rows[l].store_low(&mut lines[usize::from(places[l])].0.as_chunks_mut().0[block]);
            if V::LANES > 16 {
                let line = &mut lines[usize::from(places[l + 16])].0;
                rows[l].store_high(&mut line.as_chunks_mut().0[block]);
            }
        }
    }
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
            let mut lanes = [V::splat(0); LINE];
            to_lanes(&lines, &mut lanes);
            for (c, lane) in lanes.iter().enumerate() {
                let mut bytes = [0; MAX_LANES];
                lane.store(&mut bytes);
                for l in 0..V::LANES {
                    assert_eq!(bytes[l], lines[l].0[c], "line {l}, byte {c}");
                }
            }
            let mut back = [Aligned([0; LINE]); MAX_LANES];
            let places = std::array::from_fn(|l| (l * 7 % V::LANES) as u16);
            from_lanes(&lanes, &mut back, &places);
            for l in 0..V::LANES {
                assert_eq!(back[usize::from(places[l])], lines[l], "line {l}");
            }
        }
    }

    #[test]
    fn lines_become_lanes_and_lines_again_at_every_level() {
        for level in Level::available() {
            level.run(ThereAndBack);
        }
    }
}
