//! Vectors of AVX-512: sixty-four bytes, four blocks, a whole line.
//!
//! Batches are turned in vectors of AVX2, with the registers and the logic of AVX-512: a tile has too few
//! bands that do not need one another to fill 64 lanes (41 on the average, where 32 lanes hold 27), and most
//! processors that have AVX-512 zip twice as many vectors of 32 bytes in a cycle as of 64.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_adds_epu8, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_broadcast_i32x4, _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_extracti64x4_epi64, _mm512_inserti64x4, _mm512_loadu_si512, _mm512_maskz_shuffle_i64x2,
    _mm512_movm_epi8, _mm512_or_si512, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_shuffle_i64x2,
    _mm512_srli_epi16, _mm512_storeu_si512, _mm512_test_epi64_mask, _mm512_xor_si512,
};

use super::avx2::Avx2;
use super::shared::{Blocks, instructions, made_from_others, whole};
use super::sse42::Sse42;
use crate::simd::Vector;

/// Sixty-four bytes.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Avx512(__m512i);

impl Blocks for Avx512 {
    instructions! {
        add_saturating = _mm512_adds_epu8(this, other);
    }

    #[inline(always)]
    fn table(bytes: &[u8; 16]) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm512_broadcast_i32x4(Sse42::load(bytes).0) })
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm512_srli_epi16::<4>(self.0) }).and(Self::splat(15))
    }

    #[inline(always)]
    fn blocks_one_bit_more(self) -> Self {
        // The mask is of pairs of 64 bits: blocks 0 and 2 see the next one, 0 and 1 the one after that.
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe {
            let next = _mm512_maskz_shuffle_i64x2::<0b10_11_00_01>(0b00_11_00_11, self.0, self.0);
            let far = _mm512_maskz_shuffle_i64x2::<0b01_00_11_10>(0b00_00_11_11, self.0, self.0);
            Self(_mm512_or_si512(next, far))
        }
    }
}

impl Vector for Avx512 {
    const LANES: usize = 64;
    type Line = [Self; 1];
    type Turned = Avx2;

    whole!(_mm512_loadu_si512, _mm512_storeu_si512, _mm512_set1_epi8);

    instructions! {
        or = _mm512_or_si512(this, other);
        and = _mm512_and_si512(this, other);
        xor = _mm512_xor_si512(this, other);
        without = _mm512_andnot_si512(other, this);
        add = _mm512_add_epi8(this, other);
        shuffle = _mm512_shuffle_epi8(this, other);
    }

    made_from_others!();

    /// By halves, as those of AVX2.
    #[inline(always)]
    fn stream(self, bytes: &mut [u8]) {
        let (low, high) = bytes[..64].split_at_mut(32);
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe {
            Avx2(_mm512_castsi512_si256(self.0)).stream(low);
            Avx2(_mm512_extracti64x4_epi64::<1>(self.0)).stream(high);
        }
    }

    #[inline(always)]
    fn fence() {
        Sse42::fence();
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn swap_blocks(self, k: usize) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe {
            match k {
                0 => self.0,
                1 => _mm512_shuffle_i64x2::<0b10_11_00_01>(self.0, self.0),
                2 => _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0),
                _ => _mm512_shuffle_i64x2::<0b00_01_10_11>(self.0, self.0),
            }
        })
    }

    #[inline(always)]
    fn load_blocks([first, second, third, last]: [&[u8; 16]; 4]) -> Self {
        let low = Avx2::load_blocks([first, second, first, second]);
        let high = Avx2::load_blocks([third, last, third, last]);
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low.0), high.0) })
    }
}
