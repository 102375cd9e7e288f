//! The level of plain code: two words of eight bytes, worked on as wholes.
//!
//! Arrays of 16 bytes in loops were tried first: a compiler does not keep them in vector registers, and
//! they take three times the instructions.

use super::{Transpose, Vector};

/// Sixteen bytes, lane 0 lowest.
#[derive(Clone, Copy)]
pub(super) struct Portable([u64; 2]);

/// The lowest bit of every byte.
const ONES: u64 = u64::MAX / 0xFF;
/// The highest bit of every byte.
const HIGH: u64 = ONES << 7;

impl Portable {
    #[inline(always)]
    fn words(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    #[inline(always)]
    fn pairs(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        self.whole().to_le_bytes()
    }

    #[inline(always)]
    fn whole(self) -> u128 {
        u128::from(self.0[1]) << 64 | u128::from(self.0[0])
    }

    #[inline(always)]
    fn from_whole(whole: u128) -> Self {
        Self([whole as u64, (whole >> 64) as u64])
    }
}

/// The highest bit of every byte that is not 0.
#[inline(always)]
fn nonzero(word: u64) -> u64 {
    (((word & !HIGH) + !HIGH) | word) & HIGH
}

/// `0xFF` in every byte whose highest bit is set, 0 elsewhere; no other bit may be set.
#[inline(always)]
fn spread(high: u64) -> u64 {
    (high << 1).wrapping_sub(high >> 7)
}

/// All but the lowest three bits of every byte: the plane of a value.
const HIGH_FIVE: u64 = ONES * 0xF8;

/// The bit of each value in its plane.
#[inline(always)]
fn bit_of_plane(values: u64) -> u64 {
    // 1 or 2, then that 4 times or not, then that 16 times or not: no byte overflows.
    let bits = ONES + (values & ONES);
    let bits = bits + ((bits * 3) & spread((values << 6) & HIGH));
    bits + ((bits * 15) & spread((values << 5) & HIGH))
}

/// The bytes of a word in whose number bit 0 is clear, or bit 1, or bit 2.
const EVEN: [u64; 3] = [0x00FF_00FF_00FF_00FF, 0x0000_FFFF_0000_FFFF, 0x0000_0000_FFFF_FFFF];

/// Eight rows of eight bytes, transposed: squares of 1, 2 and 4 bytes change places.
#[inline(always)]
fn transpose_words(mut rows: [u64; 8]) -> [u64; 8] {
    for (round, mask) in EVEN.into_iter().enumerate() {
        let size = 1 << round;
        for i in (0..8).filter(|i| i & size == 0) {
            let swap = (rows[i] >> (8 * size) ^ rows[i + size]) & mask;
            rows[i + size] ^= swap;
            rows[i] ^= swap << (8 * size);
        }
    }
    rows
}

impl Vector for Portable {
    const LANES: usize = 16;
    type Line = [Self; 4];
    type Turned = Self;

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        let mut lanes = [0; 16];
        lanes.copy_from_slice(&bytes[..16]);
        Self::from_whole(u128::from_le_bytes(lanes))
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..16].copy_from_slice(&self.bytes());
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self([ONES * u64::from(byte); 2])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.pairs(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.pairs(other, |a, b| a & b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.pairs(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.pairs(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.pairs(other, |a, b| ((a & !HIGH) + (b & !HIGH)) ^ ((a ^ b) & HIGH))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        self.pairs(other, |a, b| spread(nonzero(a ^ b) ^ HIGH))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] != 0
    }

    // Long, and needs no instruction set: one copy is enough.
    #[inline(never)]
    fn shuffle(self, control: Self) -> Self {
        let from = self.bytes();
        let lane = |c: u8| if c < 128 { from[usize::from(c & 15)] } else { 0 };
        Self::load(&control.bytes().map(lane))
    }

    #[inline(always)]
    fn swap_blocks(self, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn lower<const N: usize>(self, control: Self) -> Self {
        Self::from_whole(self.whole() >> (8 * N)).and(control.words(|word| spread(!word & HIGH)))
    }

    #[inline(always)]
    fn one_bit_more(self) -> Self {
        let [low, high] = self.0;
        let more = |word: u64| {
            let seen = (0..3).zip(EVEN).map(|(bit, even)| (word >> (8 << bit)) & even);
            seen.fold(0, |all, seen| all | seen)
        };
        Self([more(low) | high, more(high)])
    }

    #[inline(always)]
    fn load_blocks([block, ..]: [&[u8; 16]; 4]) -> Self {
        Self::load(block)
    }

    #[inline(always)]
    fn one_hot(self, plane: u8) -> Self {
        let base = ONES * u64::from(8 * plane);
        self.words(|values| bit_of_plane(values) & !spread(nonzero((values ^ base) & HIGH_FIVE)))
    }

    #[inline(always)]
    fn bit_number(self) -> Self {
        self.words(|bits| {
            let any = |mask: u64| nonzero(bits & (ONES * mask));
            any(0xAA) >> 7 | any(0xCC) >> 6 | any(0xF0) >> 5
        })
    }

    #[inline(always)]
    fn value_or_all(self, plane: u8) -> Self {
        self.bit_number().or(Self::splat(8 * plane)).or(self.equal(Self::splat(0)))
    }

    #[inline(always)]
    fn one_hot_small(self, plane: u8) -> Self {
        self.one_hot(plane)
    }
}

impl Transpose for Portable {
    #[inline(always)]
    fn transpose(rows: [Self; 16]) -> [Self; 16] {
        let mut out = rows;
        for i in 0..2 {
            for j in 0..2 {
                let square = transpose_words(std::array::from_fn(|l| rows[8 * i + l].0[j]));
                for (l, word) in square.into_iter().enumerate() {
                    out[8 * j + l].0[i] = word;
                }
            }
        }
        out
    }

    #[inline(always)]
    fn store_block(self, _: usize, block: &mut [u8; 16]) {
        *block = self.bytes();
    }
}
