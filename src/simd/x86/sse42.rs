//! Vectors of SSE4.2: sixteen bytes, one block.

use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_adds_epu8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8,
    _mm_loadu_si128, _mm_or_si128, _mm_set1_epi8, _mm_sfence, _mm_shuffle_epi8, _mm_srli_epi16,
    _mm_storeu_si128, _mm_stream_si128, _mm_testz_si128, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
    _mm_xor_si128,
};

use super::shared::{Blocks, Zip, instructions, made_from_others, transpose, whole};
use crate::simd::{Transpose, Vector};

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Sse42(pub(super) __m128i);

impl Blocks for Sse42 {
    instructions! {
        add_saturating = _mm_adds_epu8(this, other);
    }

    #[inline(always)]
    fn table(bytes: &[u8; 16]) -> Self {
        Self::load(bytes)
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this room says.
        Self(unsafe { _mm_srli_epi16::<4>(self.0) }).and(Self::splat(15))
    }

    #[inline(always)]
    fn blocks_one_bit_more(self) -> Self {
        Self::splat(0)
    }
}

impl Zip for Sse42 {
    instructions! {
        zip_low = _mm_unpacklo_epi8(this, other);
        zip_high = _mm_unpackhi_epi8(this, other);
    }
}

impl Vector for Sse42 {
    const LANES: usize = 16;
    type Line = [Self; 4];
    type Turned = Self;

    whole!(_mm_loadu_si128, _mm_storeu_si128, _mm_set1_epi8);

    instructions! {
        or = _mm_or_si128(this, other);
        and = _mm_and_si128(this, other);
        xor = _mm_xor_si128(this, other);
        without = _mm_andnot_si128(other, this);
        add = _mm_add_epi8(this, other);
        equal = _mm_cmpeq_epi8(this, other);
        shuffle = _mm_shuffle_epi8(this, other);
    }

    made_from_others!();

    #[inline(always)]
    fn stream(self, bytes: &mut [u8]) {
        let bytes = &mut bytes[..16];
        let place: *mut __m128i = bytes.as_mut_ptr().cast();
        if place.is_aligned() {
            // SAFETY: there are 16 bytes, aligned, and kernels that stream end with a fence.
            unsafe { _mm_stream_si128(place, self.0) }
        } else {
            self.store(bytes);
        }
    }

    #[inline(always)]
    fn fence() {
        // SAFETY: every x86-64 processor has it.
        unsafe { _mm_sfence() }
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the instruction set is there, as the head of this room says.
        unsafe { _mm_testz_si128(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn swap_blocks(self, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn load_blocks([block, ..]: [&[u8; 16]; 4]) -> Self {
        Self::load(block)
    }
}

impl Transpose for Sse42 {
    #[inline(always)]
    fn transpose(rows: [Self; 16]) -> [Self; 16] {
        transpose(rows)
    }

    #[inline(always)]
    fn store_block(self, _: usize, block: &mut [u8; 16]) {
        self.store(block);
    }
}
