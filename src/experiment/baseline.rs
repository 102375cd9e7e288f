//! What the work of this project is compared with: the loop of a contest program, and what memory allows.

use std::hint::black_box;

use rayon::prelude::*;

/// How many bytes a thread takes at a time.
const STRETCH: usize = 1 << 18;

/// Fills the table of `chess` as the programs handed in to the judge do: for each row, walk the cells
/// from the right, remember the last empty one, mark the values of the options, scan for the mex.
///
/// `values` has one byte for each of the `2^width` rows; `width` is at most 40.
#[inline(never)]
pub(super) fn contest(width: u32, values: &mut [u8]) {
    for row in 0..values.len() {
        let mut seen = [0_i32; 40];
        let mut last_empty = None;
        for cell in 0..width {
            if row >> cell & 1 == 0 {
                last_empty = Some(cell);
            } else if let Some(empty) = last_empty {
                seen[usize::from(values[row ^ 1 << cell ^ 1 << empty])] = 1;
            }
        }
        let mut value = 0;
        while seen[value] == 1 {
            value += 1;
        }
        values[row] = value as u8;
    }
}

/// Fills `values` with `value`, on the threads of the current pool.
pub(super) fn fill(values: &mut [u8], value: u8) {
    values.par_chunks_mut(STRETCH).for_each(|stretch| black_box(stretch).fill(value));
}

/// Copies the first half of `values` over as many bytes behind it, on the threads of the current pool.
pub(super) fn copy(values: &mut [u8]) {
    let (from, to) = values.split_at_mut(values.len() / 2);
    let to = &mut to[..from.len()];
    let stretches = to.par_chunks_mut(STRETCH).zip(from.par_chunks(STRETCH));
    stretches.for_each(|(to, from)| black_box(to).copy_from_slice(from));
}

/// Reads every byte of `values`, on the threads of the current pool, and returns their [`sum`].
pub(super) fn read(values: &[u8]) -> u64 {
    values.par_chunks(STRETCH).map(sum).reduce(|| 0, u64::wrapping_add)
}

/// Reads one byte after another at `reads` random places of `values`, of which there must be some. Where to
/// read next depends on what was found, so no two reads overlap. Returns where that has led.
pub(super) fn chase(values: &[u8], reads: u64) -> u64 {
    chase_by(values.len() as u64, reads, |place| values[place as usize])
}

/// [`chase`] with another way to look at one of `entries` places.
#[inline(always)]
pub(super) fn chase_by(entries: u64, reads: u64, read: impl Fn(u64) -> u8) -> u64 {
    (0..reads).fold(1, |state, _| {
        let state = next(state);
        state ^ u64::from(read(place(state, entries)))
    })
}

/// So many random places below `entries`.
pub(super) fn places(entries: u64, number: u64) -> Vec<u64> {
    let states = std::iter::successors(Some(next(1)), |&state| Some(next(state)));
    states.take(number as usize).map(|state| place(state, entries)).collect()
}

/// A linear congruential generator;
const fn next(state: u64) -> u64 {
    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// its high bits choose the place.
const fn place(state: u64, entries: u64) -> u64 {
    ((state as u128 * entries as u128) >> 64) as u64
}

/// The sum of the words of 8 bytes of `values` and of the bytes left over.
pub(super) fn sum(values: &[u8]) -> u64 {
    let (words, rest) = values.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_ne_bytes(*word));
    let bytes = rest.iter().map(|&byte| u64::from(byte));
    words.chain(bytes).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::{chase, contest, copy, fill, read};
    use crate::game::Rule;

    #[test]
    fn the_contest_loop_makes_the_table() {
        let mut values = [0xEE; 1 << 10];
        contest(10, &mut values);
        for (row, &value) in values.iter().enumerate() {
            assert_eq!(value, crate::game::rule_value(Rule::Chess, row as u64), "row {row:#b}");
        }
    }

    #[test]
    fn random_places_are_all_over_the_table() {
        let places = super::places(100, 1000);
        assert!(places.len() == 1000 && places.iter().all(|&place| place < 100));
        assert!((0..100).all(|place| places.contains(&place)));
    }

    #[test]
    fn every_byte_is_filled_copied_and_read() {
        for bytes in [1, 2, 7, 8, 4099, super::STRETCH + 9] {
            let mut values = vec![0; bytes];
            fill(&mut values, 3);
            assert!(values.iter().all(|&value| value == 3));
            values[..bytes / 2].fill(5);
            copy(&mut values);
            let (copied, odd) = values.split_at(bytes / 2 * 2);
            assert!(copied.iter().all(|&value| value == 5) && odd.iter().all(|&value| value == 3));
            let before = read(&values);
            values[bytes - 1] ^= 1;
            assert_ne!(read(&values), before);
            let reads = 20 * bytes as u64;
            let led = chase(&values, reads);
            values[bytes / 2] ^= 1;
            assert_ne!(chase(&values, reads), led, "a chase that long comes by every byte");
        }
    }
}
