//! The level of plain code: arrays of 16 bytes in loops that a compiler turns into whatever it has.

use super::Vector;

/// Sixteen bytes.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Portable([u8; 16]);

impl Portable {
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        for l in 0..16 {
            self.0[l] = f(self.0[l], other.0[l]);
        }
        self
    }

    #[inline(always)]
    fn map(mut self, f: impl Fn(u8) -> u8) -> Self {
        for l in 0..16 {
            self.0[l] = f(self.0[l]);
        }
        self
    }
}

impl Vector for Portable {
    const LANES: usize = 16;
    type Line = [Self; 4];

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        let mut lanes = [0; 16];
        lanes.copy_from_slice(&bytes[..16]);
        Self(lanes)
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..16].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self([byte; 16])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, Ord::max)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == b { 0xFF } else { 0 })
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        let mut mask = 0;
        for l in 0..16 {
            mask |= u32::from(self.0[l] >> 7) << l;
        }
        mask
    }

    #[inline(always)]
    fn shuffle(self, control: Self) -> Self {
        control.map(|c| if c < 128 { self.0[usize::from(c & 15)] } else { 0 })
    }

    #[inline(always)]
    fn swap_blocks(self, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn zip_low(self, other: Self) -> Self {
        let mut out = self;
        for l in 0..8 {
            out.0[2 * l] = self.0[l];
            out.0[2 * l + 1] = other.0[l];
        }
        out
    }

    #[inline(always)]
    fn zip_high(self, other: Self) -> Self {
        let mut out = self;
        for l in 0..8 {
            out.0[2 * l] = self.0[l + 8];
            out.0[2 * l + 1] = other.0[l + 8];
        }
        out
    }

    #[inline(always)]
    fn load_blocks(low: &[u8; 16], _: &[u8; 16]) -> Self {
        Self(*low)
    }

    #[inline(always)]
    fn store_blocks(self, low: &mut [u8; 16], _: &mut [u8; 16]) {
        *low = self.0;
    }

    #[inline(always)]
    fn one_hot(self, plane: u8) -> Self {
        // Doubling by sums and choosing by masks: no shift by a different amount in each lane.
        self.map(|value| {
            let v = value.wrapping_sub(8 * plane);
            let bit = 1 + (v & 1);
            let bit = if v & 2 == 0 { bit } else { bit << 2 };
            let bit = if v & 4 == 0 { bit } else { bit << 4 };
            if v < 8 { bit } else { 0 }
        })
    }

    #[inline(always)]
    fn bit_number(self) -> Self {
        self.map(|bit| {
            u8::from(bit & 0xAA != 0)
                | u8::from(bit & 0xCC != 0) << 1
                | u8::from(bit & 0xF0 != 0) << 2
        })
    }

    #[inline(always)]
    fn one_hot_small(self, plane: u8) -> Self {
        self.one_hot(plane)
    }
}
