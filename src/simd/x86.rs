//! The shells of the x86-64 instruction sets: the only place that names their instructions.
//!
//! `unsafe` stands here for two duties only. Of an instruction: the processor has it. The run functions
//! ask for [`Found`], which exists only where it was detected, and vectors are used only by kernels
//! inlined into them. Of a load or store: the bytes are there. Each is made from a slice whose length
//! was checked, or an array.
//!
//! AVX-512 runs the 32-byte vectors of AVX2 with its three-operand logic and 32 registers. A batch of
//! 64 lines in 64-byte vectors was not taken: a tile has too few independent lines to fill it (see
//! docs/performance.md).

#![expect(unsafe_code, reason = "instructions of one processor, and loads from checked slices")]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi8, _mm_adds_epu8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8,
    _mm_loadu_si128, _mm_or_si128, _mm_set1_epi8, _mm_setr_epi8, _mm_sfence, _mm_shuffle_epi8,
    _mm_srli_epi16, _mm_storeu_si128, _mm_stream_si128, _mm_testz_si128, _mm_unpackhi_epi8,
    _mm_unpacklo_epi8, _mm_xor_si128, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_permute4x64_epi64,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
    _mm256_xor_si256, _mm256_zextsi128_si256,
};

use super::level::Found;
use super::{Kernel, Vector};

pub(super) fn has_sse42() -> bool {
    is_x86_feature_detected!("sse4.2")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("popcnt")
}

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
}

pub(super) fn run_sse42<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "sse4.2,ssse3,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Sse42>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}

pub(super) fn run_avx2<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}

pub(super) fn run_avx512<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}

/// Lane by lane operations of two vectors that are one instruction each.
macro_rules! instructions {
    ($($name:ident = $instruction:ident($($argument:ident),*);)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            // SAFETY: the instruction set is there, as the head of this file says.
            Self(unsafe { $instruction($(instructions!(@pick a b $argument)),*) })
        }
    )*};
    (@pick $a:ident $b:ident this) => { $a };
    (@pick $a:ident $b:ident other) => { $b };
}

/// Within each block, the bytes of two vectors in turn.
trait Zip: Copy {
    /// The low halves: a0 b0 a1 b1 ..
    fn zip_low(self, other: Self) -> Self;
    /// The high halves: a8 b8 a9 b9 ..
    fn zip_high(self, other: Self) -> Self;
}

impl Zip for Sse42 {
    instructions! {
        zip_low = _mm_unpacklo_epi8(this, other);
        zip_high = _mm_unpackhi_epi8(this, other);
    }
}

impl Zip for Avx2 {
    instructions! {
        zip_low = _mm256_unpacklo_epi8(this, other);
        zip_high = _mm256_unpackhi_epi8(this, other);
    }
}

/// Transposes 16 rows of 16 bytes: four times row `i` is zipped with row `i + 8`, which moves the highest bit
/// of the row number to the low end of the column number. Two times are done on four rows before the next four
/// are looked at: so they fit the registers.
#[inline(always)]
fn transpose<V: Zip>(rows: [V; 16]) -> [V; 16] {
    zip_twice(zip_twice(rows))
}

#[inline(always)]
fn zip_twice<V: Zip>(rows: [V; 16]) -> [V; 16] {
    let mut out = rows;
    for i in 0..4 {
        let even = [rows[i].zip_low(rows[i + 8]), rows[i].zip_high(rows[i + 8])];
        let odd = [rows[i + 4].zip_low(rows[i + 12]), rows[i + 4].zip_high(rows[i + 12])];
        for half in 0..2 {
            out[4 * i + 2 * half] = even[half].zip_low(odd[half]);
            out[4 * i + 2 * half + 1] = even[half].zip_high(odd[half]);
        }
    }
    out
}

/// Bit `n` for the values `n` of a plane, and nothing for the other eight.
const BITS: [i8; 16] = [1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0];
/// Bit `n % 8` for the values `n` of plane 0 and of plane 1.
const SMALL_BITS: [[u8; 16]; 2] = [
    [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128],
];
/// The number of a bit in the low half of a byte, and of one in the high half.
const LOW_NUMBER: [i8; 16] = [0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
const HIGH_NUMBER: [i8; 16] = [0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

/// The same, as two numbers whose sum is 0xFF where neither half has a bit. A byte whose highest bit is set
/// finds 0 in the low half, as any other with a bit in the high half.
const LOW_OR_ALL: [i8; 16] = [0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
const HIGH_OR_ALL: [i8; 16] = [-1, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// Whether a half has a bit: where it has, the first value of a plane is added.
const HAS_BIT: [i8; 16] = [0, -1, -1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0];

/// For each bit of the number of a lane in its block: the lane with that bit set, where it is clear.
const BIT_MORE: [[u8; 16]; 4] = bit_more();

const fn bit_more() -> [[u8; 16]; 4] {
    let mut places = [[0xFF; 16]; 4];
    let mut n = 0;
    while n < 64 {
        let (bit, lane) = (n / 16, n % 16);
        if lane >> bit & 1 == 0 {
            places[bit][lane] = (lane | 1 << bit) as u8;
        }
        n += 1;
    }
    places
}

/// A table of 16 bytes in a register.
macro_rules! table {
    ($t:expr) => {
        _mm_setr_epi8(
            $t[0], $t[1], $t[2], $t[3], $t[4], $t[5], $t[6], $t[7], $t[8], $t[9], $t[10], $t[11],
            $t[12], $t[13], $t[14], $t[15],
        )
    };
}

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Sse42(__m128i);

impl Vector for Sse42 {
    const LANES: usize = 16;
    type Line = [Self; 4];

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        let bytes = &bytes[..16];
        // SAFETY: there are 16 bytes.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes = &mut bytes[..16];
        // SAFETY: there are 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }

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
    fn splat(byte: u8) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe { _mm_set1_epi8(byte.cast_signed()) })
    }

    instructions! {
        or = _mm_or_si128(this, other);
        and = _mm_and_si128(this, other);
        xor = _mm_xor_si128(this, other);
        without = _mm_andnot_si128(other, this);
        add = _mm_add_epi8(this, other);
        equal = _mm_cmpeq_epi8(this, other);
        shuffle = _mm_shuffle_epi8(this, other);
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the instruction set is there, as the head of this file says.
        unsafe { _mm_testz_si128(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn lower<const N: usize>(self, control: Self) -> Self {
        self.shuffle(control)
    }

    #[inline(always)]
    fn one_bit_more(self) -> Self {
        let mut seen = self.shuffle(Self::load(&BIT_MORE[0]));
        for places in &BIT_MORE[1..] {
            seen = seen.or(self.shuffle(Self::load(places)));
        }
        seen
    }

    #[inline(always)]
    fn transpose(rows: [Self; 16]) -> [Self; 16] {
        transpose(rows)
    }

    #[inline(always)]
    fn swap_blocks(self, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn load_blocks(low: &[u8; 16], _: &[u8; 16]) -> Self {
        Self::load(low)
    }

    #[inline(always)]
    fn store_low(self, block: &mut [u8; 16]) {
        self.store(block);
    }

    #[inline(always)]
    fn store_high(self, _: &mut [u8; 16]) {}

    #[inline(always)]
    fn one_hot(self, plane: u8) -> Self {
        // A sum that saturates sends larger values where the shuffle gives 0; smaller ones are negative.
        // A sum and not a difference: its terms change places, so that a value in memory needs no load.
        let base = Self::splat((8 * plane).wrapping_neg());
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let value = _mm_add_epi8(self.0, base.0);
            _mm_shuffle_epi8(table!(BITS), _mm_adds_epu8(value, _mm_set1_epi8(0x70)))
        })
    }

    #[inline(always)]
    fn bit_number(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let high = _mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15));
            let high = _mm_shuffle_epi8(table!(HIGH_NUMBER), high);
            _mm_or_si128(_mm_shuffle_epi8(table!(LOW_NUMBER), self.0), high)
        })
    }

    #[inline(always)]
    fn value_or_all(self, plane: u8) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let first = _mm_and_si128(table!(HAS_BIT), _mm_set1_epi8((8 * plane).cast_signed()));
            let low = _mm_add_epi8(table!(LOW_OR_ALL), first);
            let high = _mm_add_epi8(table!(HIGH_OR_ALL), first);
            let place = _mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15));
            _mm_add_epi8(_mm_shuffle_epi8(low, self.0), _mm_shuffle_epi8(high, place))
        })
    }

    #[inline(always)]
    fn one_hot_small(self, plane: u8) -> Self {
        let bits = &SMALL_BITS[usize::from(plane)];
        Self::load(bits).shuffle(self)
    }
}

/// Thirty-two bytes.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

impl Vector for Avx2 {
    const LANES: usize = 32;
    type Line = [Self; 2];

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        let bytes = &bytes[..32];
        // SAFETY: there are 32 bytes.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes = &mut bytes[..32];
        // SAFETY: there are 32 bytes.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
    }

    /// By halves: an allocation of a vector of bytes is aligned to 16 but not to 32.
    #[inline(always)]
    fn stream(self, bytes: &mut [u8]) {
        let (low, high) = bytes[..32].split_at_mut(16);
        // SAFETY: the instruction set is there, as the head of this file says.
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
    fn splat(byte: u8) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
    }

    instructions! {
        or = _mm256_or_si256(this, other);
        and = _mm256_and_si256(this, other);
        xor = _mm256_xor_si256(this, other);
        without = _mm256_andnot_si256(other, this);
        add = _mm256_add_epi8(this, other);
        equal = _mm256_cmpeq_epi8(this, other);
        shuffle = _mm256_shuffle_epi8(this, other);
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the instruction set is there, as the head of this file says.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn lower<const N: usize>(self, control: Self) -> Self {
        self.shuffle(control)
    }

    #[inline(always)]
    fn one_bit_more(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        let high = unsafe { _mm256_extracti128_si256::<1>(self.0) };
        // SAFETY: as above.
        let mut seen = Self(unsafe { _mm256_zextsi128_si256(high) });
        for places in &BIT_MORE {
            seen = seen.or(self.shuffle(Self::load_blocks(places, places)));
        }
        seen
    }

    #[inline(always)]
    fn transpose(rows: [Self; 16]) -> [Self; 16] {
        transpose(rows)
    }

    #[inline(always)]
    fn swap_blocks(self, k: usize) -> Self {
        if k == 0 {
            return self;
        }
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0) })
    }

    #[inline(always)]
    fn load_blocks(low: &[u8; 16], high: &[u8; 16]) -> Self {
        let (low, high) = (Sse42::load(low), Sse42::load(high));
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe { _mm256_set_m128i(high.0, low.0) })
    }

    #[inline(always)]
    fn store_low(self, block: &mut [u8; 16]) {
        // SAFETY: the instruction set is there, as the head of this file says.
        Sse42(unsafe { _mm256_castsi256_si128(self.0) }).store(block);
    }

    #[inline(always)]
    fn store_high(self, block: &mut [u8; 16]) {
        // SAFETY: the instruction set is there, as the head of this file says.
        Sse42(unsafe { _mm256_extracti128_si256::<1>(self.0) }).store(block);
    }

    #[inline(always)]
    fn one_hot(self, plane: u8) -> Self {
        // A sum that saturates sends larger values where the shuffle gives 0; smaller ones are negative.
        // A sum and not a difference: its terms change places, so that a value in memory needs no load.
        let base = Self::splat((8 * plane).wrapping_neg());
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let value = _mm256_add_epi8(self.0, base.0);
            let place = _mm256_adds_epu8(value, _mm256_set1_epi8(0x70));
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table!(BITS)), place)
        })
    }

    #[inline(always)]
    fn bit_number(self) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(15));
            let high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table!(HIGH_NUMBER)), high);
            let low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table!(LOW_NUMBER)), self.0);
            _mm256_or_si256(low, high)
        })
    }

    #[inline(always)]
    fn value_or_all(self, plane: u8) -> Self {
        // SAFETY: the instruction set is there, as the head of this file says.
        Self(unsafe {
            let first = _mm_and_si128(table!(HAS_BIT), _mm_set1_epi8((8 * plane).cast_signed()));
            let low = _mm256_broadcastsi128_si256(_mm_add_epi8(table!(LOW_OR_ALL), first));
            let high = _mm256_broadcastsi128_si256(_mm_add_epi8(table!(HIGH_OR_ALL), first));
            let place = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(15));
            _mm256_add_epi8(_mm256_shuffle_epi8(low, self.0), _mm256_shuffle_epi8(high, place))
        })
    }

    #[inline(always)]
    fn one_hot_small(self, plane: u8) -> Self {
        let bits = &SMALL_BITS[usize::from(plane)];
        Self::load_blocks(bits, bits).shuffle(self)
    }
}
