//! What a kernel may ask of a vector of bytes.

use super::Line;

/// A vector of bytes. Every method must be inlined: see [`super::Kernel`].
///
/// A *block* is 16 lanes, aligned. All operations are lane by lane unless they say otherwise.
pub(crate) trait Vector: Copy {
    /// The number of bytes: 16, 32 or 64.
    const LANES: usize;

    /// The vectors of one line: `[Self; 64 / LANES]`.
    type Line: Line<Self>;
    /// The vectors in which a batch of lines is turned.
    type Turned: Transpose;

    /// The first `LANES` bytes of `bytes`; panics where there are fewer.
    fn load(bytes: &[u8]) -> Self;
    /// Writes the first `LANES` bytes of `bytes`; panics where there are fewer.
    fn store(self, bytes: &mut [u8]);
    /// Writes like [`Vector::store`], past the caches where the processor can. A kernel that does so
    /// ends with [`Vector::fence`].
    #[inline(always)]
    fn stream(self, bytes: &mut [u8]) {
        self.store(bytes);
    }
    /// Lets no later write overtake the streamed ones.
    #[inline(always)]
    fn fence() {}
    /// `byte` in every lane.
    fn splat(byte: u8) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// The bits of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Wrapping sum.
    fn add(self, other: Self) -> Self;
    /// `0xFF` where equal, 0 elsewhere.
    fn equal(self, other: Self) -> Self;
    /// Whether any bit is set.
    fn any(self) -> bool;
    /// Within each block, lane `l` becomes lane `control[l] & 15` of `self`, or 0 where `control[l]`
    /// is 128 or more.
    fn shuffle(self, control: Self) -> Self;
    /// Block `b` becomes block `b ^ k`, for `k` below the number of blocks.
    fn swap_blocks(self, k: usize) -> Self;
    /// A shuffle in which all lanes go equally far: within each block, lane `l` becomes lane `l + N` where
    /// `control[l]` is `l + N`, and 0 where it is 128 or more. Nothing else may stand in `control`, and `N` is 1, 2, 4
    /// or 8.
    fn lower<const N: usize>(self, control: Self) -> Self;
    /// In each lane the union of the lanes with exactly one more bit set in their number.
    fn one_bit_more(self) -> Self;
    /// A vector made from pieces of 16 bytes: block `b` from `blocks[b]`, for as many as there are.
    fn load_blocks(blocks: [&[u8; 16]; 4]) -> Self;
    /// Each value as one bit of plane `plane`: bit `v - 8 * plane`, or 0 where the value is not in
    /// `8 * plane .. 8 * plane + 8`.
    fn one_hot(self, plane: u8) -> Self;
    /// The number of the one bit that is set in each lane, or 0 where none is.
    fn bit_number(self) -> Self;
    /// The value that the one bit that is set in each lane is in plane `plane`, which is at most 30, or `0xFF`
    /// where none is: the reverse of [`Vector::one_hot`].
    fn value_or_all(self, plane: u8) -> Self;
    /// [`Vector::one_hot`] of values that are all below 16, or above 127, for plane 0 or 1.
    fn one_hot_small(self, plane: u8) -> Self;
}

/// A vector that holds one byte of each line of a batch.
pub(crate) trait Transpose: Vector {
    /// Transposes the square that the rows make in each block.
    fn transpose(rows: [Self; 16]) -> [Self; 16];
    /// Writes block `b`, which must be known to the compiler.
    fn store_block(self, b: usize, block: &mut [u8; 16]);
}
