//! Vectors of AVX2: thirty-two bytes, two blocks.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_permute4x64_epi64,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
    _mm256_xor_si256, _mm256_zextsi128_si256,
};

use super::shared::{Blocks, Zip, instructions, made_from_others, transpose, whole};
use super::sse42::Sse42;
use crate::simd::{Transpose, Vector};

/// Thirty-two bytes.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Avx2(pub(super) __m256i);

impl Blocks for Avx2 {
    instructions! {
        add_saturating = _mm256_adds_epu8(this, other);
    }

    #[inline(always)]
    fn table(bytes: &[u8; 16]) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm256_broadcastsi128_si256(Sse42::load(bytes).0) })
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm256_srli_epi16::<4>(self.0) }).and(Self::splat(15))
    }

    #[inline(always)]
    fn blocks_one_bit_more(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm256_zextsi128_si256(_mm256_extracti128_si256::<1>(self.0)) })
    }
}

impl Zip for Avx2 {
    instructions! {
        zip_low = _mm256_unpacklo_epi8(this, other);
        zip_high = _mm256_unpackhi_epi8(this, other);
    }
}

impl Vector for Avx2 {
    const LANES: usize = 32;
    type Line = [Self; 2];
    type Turned = Self;

    whole!(_mm256_loadu_si256, _mm256_storeu_si256, _mm256_set1_epi8);

    instructions! {
        or = _mm256_or_si256(this, other);
        and = _mm256_and_si256(this, other);
        xor = _mm256_xor_si256(this, other);
        without = _mm256_andnot_si256(other, this);
        add = _mm256_add_epi8(this, other);
        equal = _mm256_cmpeq_epi8(this, other);
        shuffle = _mm256_shuffle_epi8(this, other);
    }

    made_from_others!();

    /// By halves: an allocation of a vector of bytes is aligned to 16 but not to 32.
    #[inline(always)]
    fn stream(self, bytes: &mut [u8]) {
        let (low, high) = bytes[..32].split_at_mut(16);
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe {
            Sse42(_mm256_castsi256_si128(self.0)).stream(low);
            Sse42(_mm256_extracti128_si256::<1>(self.0)).stream(high);
        }
    }

    #[inline(always)]
    fn fence() {
        Sse42::fence();
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn swap_blocks(self, k: usize) -> Self {
        if k == 0 {
            return self;
        }
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0) })
    }

    #[inline(always)]
    fn load_blocks([low, high, ..]: [&[u8; 16]; 4]) -> Self {
        let (low, high) = (Sse42::load(low), Sse42::load(high));
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm256_set_m128i(high.0, low.0) })
    }
}

impl Transpose for Avx2 {
    #[inline(always)]
    fn transpose(rows: [Self; 16]) -> [Self; 16] {
        transpose(rows)
    }

    #[inline(always)]
    fn store_block(self, b: usize, block: &mut [u8; 16]) {
        // SAFETY: the instruction set is there, as the head of this room says.
        let bytes = unsafe {
            if b == 0 {
                _mm256_castsi256_si128(self.0)
            } else {
                _mm256_extracti128_si256::<1>(self.0)
            }
        };
        Sse42(bytes).store(block);
    }
}
