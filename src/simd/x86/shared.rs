//! What the vectors of all widths share: tables, and the methods that follow from a few instructions.

/// What a vector offers besides [`Vector`](crate::simd::Vector): methods of all widths are made from it.
pub(super) trait Blocks: Copy {
    /// The table in each block.
    fn table(bytes: &[u8; 16]) -> Self;
    /// The sum, or 255 where it is larger.
    fn add_saturating(self, other: Self) -> Self;
    /// The high half of each byte, as a number.
    fn high_half(self) -> Self;
    /// In place of each block the union of the blocks with exactly one more bit set in their number.
    fn blocks_one_bit_more(self) -> Self;
}

/// Within each block, the bytes of two vectors in turn.
pub(super) trait Zip: Copy {
    /// The low halves: a0 b0 a1 b1 ..
    fn zip_low(self, other: Self) -> Self;
    /// The high halves: a8 b8 a9 b9 ..
    fn zip_high(self, other: Self) -> Self;
}

/// Transposes 16 rows of 16 bytes: four times row `i` is zipped with row `i + 8`, which moves the highest bit
/// of the row number to the low end of the column number. Two times are done on four rows before the next four
/// are looked at: so they fit the registers.
#[inline(always)]
pub(super) fn transpose<V: Zip>(rows: [V; 16]) -> [V; 16] {
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
pub(super) const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
/// Bit `n % 8` for the values `n` of plane 0 and of plane 1.
pub(super) const SMALL_BITS: [[u8; 16]; 2] =
    [BITS, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]];
/// The number of a bit in the low half of a byte, and of one in the high half.
pub(super) const LOW_NUMBER: [u8; 16] = [0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
pub(super) const HIGH_NUMBER: [u8; 16] = [0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

/// The same, as two numbers whose sum is 0xFF where neither half has a bit. A byte whose highest bit is set
/// finds 0 in the low half, as any other with a bit in the high half.
pub(super) const LOW_OR_ALL: [u8; 16] = [0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
pub(super) const HIGH_OR_ALL: [u8; 16] = [0xFF, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// Whether a half has a bit: where it has, the first value of a plane is added.
pub(super) const HAS_BIT: [u8; 16] = [0, 255, 255, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0];

/// For each bit of the number of a lane in its block: the lane with that bit set, where it is clear.
pub(super) const BIT_MORE: [[u8; 16]; 4] = bit_more();

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

/// Lane by lane operations of two vectors that are one instruction each.
macro_rules! instructions {
    ($($name:ident = $instruction:ident($($argument:ident),*);)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            // SAFETY: the instruction set is there, as the head of this room says.
            Self(unsafe { $instruction($(instructions!(@pick a b $argument)),*) })
        }
    )*};
    (@pick $a:ident $b:ident this) => { $a };
    (@pick $a:ident $b:ident other) => { $b };
}
pub(super) use instructions;

/// The methods that move whole vectors.
macro_rules! whole {
    ($load:ident, $store:ident, $splat:ident) => {
        #[inline(always)]
        fn load(bytes: &[u8]) -> Self {
            const { assert!(Self::LANES == size_of::<Self>(), "a lane is a byte") };
            let bytes = &bytes[..Self::LANES];
            // SAFETY: there are as many bytes as the instruction reads.
            Self(unsafe { $load(bytes.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, bytes: &mut [u8]) {
            const { assert!(Self::LANES == size_of::<Self>(), "a lane is a byte") };
            let bytes = &mut bytes[..Self::LANES];
            // SAFETY: there are as many bytes as the instruction writes.
            unsafe { $store(bytes.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(byte: u8) -> Self {
            // SAFETY: the instruction set is there, as the head of this room says.
            Self(unsafe { $splat(byte.cast_signed()) })
        }
    };
}
pub(super) use whole;

/// The methods of every width that are made from others.
macro_rules! made_from_others {
    () => {
        #[inline(always)]
        fn lower<const N: usize>(self, control: Self) -> Self {
            self.shuffle(control)
        }

        #[inline(always)]
        fn one_bit_more(self) -> Self {
            let mut seen = self.blocks_one_bit_more();
            for places in &super::shared::BIT_MORE {
                seen = seen.or(self.shuffle(Self::table(places)));
            }
            seen
        }

        #[inline(always)]
        fn one_hot(self, plane: u8) -> Self {
            // A sum that saturates sends larger values where the shuffle gives 0; smaller ones are negative.
            // A sum and not a difference: its terms change places, so that a value in memory needs no load.
            let value = self.add(Self::splat((8 * plane).wrapping_neg()));
            Self::table(&super::shared::BITS).shuffle(value.add_saturating(Self::splat(0x70)))
        }

        #[inline(always)]
        fn bit_number(self) -> Self {
            let high = Self::table(&super::shared::HIGH_NUMBER).shuffle(self.high_half());
            Self::table(&super::shared::LOW_NUMBER).shuffle(self).or(high)
        }

        #[inline(always)]
        fn value_or_all(self, plane: u8) -> Self {
            let first = Self::table(&super::shared::HAS_BIT).and(Self::splat(8 * plane));
            let low = Self::table(&super::shared::LOW_OR_ALL).add(first);
            let high = Self::table(&super::shared::HIGH_OR_ALL).add(first);
            low.shuffle(self).add(high.shuffle(self.high_half()))
        }

        #[inline(always)]
        fn one_hot_small(self, plane: u8) -> Self {
            Self::table(&super::shared::SMALL_BITS[usize::from(plane)]).shuffle(self)
        }
    };
}
pub(super) use made_from_others;
