//! A line of 64 bytes made of vectors, and the lanes that see what stands above them.

use super::{Aligned, SPAN, Vector};

/// The bytes of a line: the 64 neighbours of a table that share all but their low six bits.
pub(crate) const LINE: usize = 64;

/// Which lanes `l + 2^c` of a line a lane `l` sees, by the bit `c` of the number of a lane.
#[derive(Clone, Copy)]
pub(crate) struct Down {
    /// For the bits 0 to 3: the place `l + 2^c` in its block, or `0xFF` where it is not seen.
    inside: [Aligned<[u8; LINE]>; 4],
    /// For the bits 4 and 5: `0xFF` where it is seen, or 0.
    across: [Aligned<[u8; LINE]>; 2],
    /// The blocks that see something of themselves, as a mask.
    near: u8,
}

impl Down {
    /// Where lane `l` sees lane `l + 2^c` if bit `c` of `seen[l]` is set, which must be clear in `l`.
    pub(crate) const fn new(seen: &[u8; LINE]) -> Self {
        let mut down =
            Self { inside: [Aligned([0xFF; LINE]); 4], across: [Aligned([0; LINE]); 2], near: 0 };
        let mut n = 0;
        while n < 6 * LINE {
            let (lane, bit) = (n / 6, n % 6);
            if seen[lane] >> bit & 1 == 1 {
                if bit < 4 {
                    down.inside[bit].0[lane] = ((lane | 1 << bit) % 16) as u8;
                    down.near |= 1 << (lane / 16);
                } else {
                    down.across[bit - 4].0[lane] = 0xFF;
                }
            }
            n += 1;
        }
        down
    }
}

/// The 64 bytes of a line in vectors.
pub(crate) trait Line<V: Vector>: Copy {
    /// `byte` everywhere.
    fn splat(byte: u8) -> Self;
    /// Reads a line.
    fn load(bytes: &[u8; LINE]) -> Self;
    /// Writes a line.
    fn store(self, bytes: &mut [u8; LINE]);
    /// See [`Vector::stream`].
    fn stream(self, bytes: &mut [u8; LINE]);
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// The bits of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// The bits that are not set.
    fn not(self) -> Self;
    /// Wrapping sum.
    fn add(self, other: Self) -> Self;
    /// `0xFF` where equal, 0 elsewhere.
    fn equal(self, other: Self) -> Self;
    /// See [`Vector::shuffle`].
    fn shuffle(self, control: Self) -> Self;
    /// See [`Vector::one_hot`].
    fn one_hot(self, plane: u8) -> Self;
    /// See [`Vector::bit_number`].
    fn bit_number(self) -> Self;
    /// See [`Vector::value_or_all`].
    fn value_or_all(self, plane: u8) -> Self;
    /// Block `b` becomes block `b ^ k`, for `k` of 0 to 3.
    fn swap_blocks(self, k: usize) -> Self;
    /// In each lane the union of what `down` says.
    fn come_down(self, down: &Down) -> Self;
    /// See [`Vector::one_bit_more`].
    fn one_bit_more(self) -> Self;
    /// Whether any byte is not 0.
    fn any(self) -> bool;
    /// Block `b` from the 16 bytes at `starts[b]`.
    fn gather_blocks(bytes: &[u8; SPAN], starts: [u8; 4]) -> Self;
    /// See [`Vector::one_hot_small`].
    fn one_hot_small(self, plane: u8) -> Self;
}

/// Operations of two lines, vector by vector. Not a `zip` with a closure: a closure is not always
/// inlined, and then it is not compiled for the instruction set.
macro_rules! each_vector {
    ($(fn $name:ident(self, other);)*) => {$(
        #[inline(always)]
        fn $name(mut self, other: Self) -> Self {
            for n in 0..N {
                self[n] = self[n].$name(other[n]);
            }
            self
        }
    )*};
}

impl<V: Vector, const N: usize> Line<V> for [V; N] {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        [V::splat(byte); N]
    }

    #[inline(always)]
    fn load(bytes: &[u8; LINE]) -> Self {
        let mut line = [V::splat(0); N];
        for n in 0..N {
            line[n] = V::load(&bytes[n * V::LANES..]);
        }
        line
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; LINE]) {
        for n in 0..N {
            self[n].store(&mut bytes[n * V::LANES..]);
        }
    }

    #[inline(always)]
    fn stream(self, bytes: &mut [u8; LINE]) {
        for n in 0..N {
            self[n].stream(&mut bytes[n * V::LANES..]);
        }
    }

    each_vector! {
        fn or(self, other);
        fn and(self, other);
        fn xor(self, other);
        fn without(self, other);
        fn add(self, other);
        fn equal(self, other);
        fn shuffle(self, other);
    }

    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::splat(0xFF))
    }

    #[inline(always)]
    fn one_hot(mut self, plane: u8) -> Self {
        for n in 0..N {
            self[n] = self[n].one_hot(plane);
        }
        self
    }

    #[inline(always)]
    fn bit_number(mut self) -> Self {
        for n in 0..N {
            self[n] = self[n].bit_number();
        }
        self
    }

    #[inline(always)]
    fn value_or_all(mut self, plane: u8) -> Self {
        for n in 0..N {
            self[n] = self[n].value_or_all(plane);
        }
        self
    }

    #[inline(always)]
    fn swap_blocks(self, k: usize) -> Self {
        let blocks = V::LANES / 16;
        let mut line = self;
        for n in 0..N {
            line[n] = self[n ^ (k / blocks)].swap_blocks(k % blocks);
        }
        line
    }

    #[inline(always)]
    fn come_down(self, down: &Down) -> Self {
        let blocks = V::LANES / 16;
        let (far, next) = (self.swap_blocks(2), self.swap_blocks(1));
        let mut seen = self;
        for n in 0..N {
            let at = n * V::LANES;
            seen[n] = far[n].and(V::load(&down.across[1].0[at..]));
            seen[n] = seen[n].or(next[n].and(V::load(&down.across[0].0[at..])));
            if down.near >> (n * blocks) & ((1 << blocks) - 1) != 0 {
                let high = self[n].lower::<8>(V::load(&down.inside[3].0[at..]));
                let high = high.or(self[n].lower::<4>(V::load(&down.inside[2].0[at..])));
                let low = self[n].lower::<2>(V::load(&down.inside[1].0[at..]));
                let low = low.or(self[n].lower::<1>(V::load(&down.inside[0].0[at..])));
                seen[n] = seen[n].or(high.or(low));
            }
        }
        seen
    }

    #[inline(always)]
    fn one_bit_more(self) -> Self {
        let mut seen = self;
        for n in 0..N {
            seen[n] = self[n].one_bit_more();
            for bit in (0..N.ilog2()).filter(|bit| n >> bit & 1 == 0) {
                seen[n] = seen[n].or(self[n | 1 << bit]);
            }
        }
        seen
    }

    #[inline(always)]
    fn any(self) -> bool {
        let mut all = self[0];
        for n in 1..N {
            all = all.or(self[n]);
        }
        all.any()
    }

    #[inline(always)]
    fn one_hot_small(mut self, plane: u8) -> Self {
        for n in 0..N {
            self[n] = self[n].one_hot_small(plane);
        }
        self
    }

    #[inline(always)]
    fn gather_blocks(bytes: &[u8; SPAN], starts: [u8; 4]) -> Self {
        let mut line = [V::splat(0); N];
        for n in 0..N {
            let first = n * V::LANES / 16;
            let mut blocks = [block(bytes, starts[first]); 4];
            for b in 0..V::LANES / 16 {
                blocks[b] = block(bytes, starts[first + b]);
            }
            line[n] = V::load_blocks(blocks);
        }
        line
    }
}

/// The 16 bytes at `start`, which are always there: the check is known to hold and costs nothing.
#[inline(always)]
fn block(bytes: &[u8; SPAN], start: u8) -> &[u8; 16] {
    bytes[usize::from(start)..].first_chunk().unwrap_or(&[0; 16])
}

#[cfg(test)]
mod tests {
    use super::{Down, LINE, Line, Vector};
    use crate::simd::{Kernel, Level};

    /// A plane of a line.
    struct Plane<'a>(&'a [u8; LINE], u8);

    impl Kernel for Plane<'_> {
        type Output = [u8; LINE];

        #[inline(always)]
        fn run<V: Vector>(self) -> [u8; LINE] {
            let mut out = [0; LINE];
            V::Line::load(self.0).one_hot_small(self.1).store(&mut out);
            out
        }
    }

    #[test]
    fn small_values_and_large_ones_become_bits() {
        // 0 to 15, and 161 to 255.
        let value = |lane| if lane < 16 { lane } else { 2 * lane + 129 };
        let line = std::array::from_fn(|lane| value(lane) as u8);
        for level in Level::available() {
            for plane in 0..2 {
                let bit = |value: u8| if value / 8 == plane { 1 << (value % 8) } else { 0 };
                assert_eq!(level.run(Plane(&line, plane)), line.map(bit), "{level} {plane}");
            }
        }
    }

    /// A plane of a line, the values that its bits have there, and their numbers.
    struct Numbers<'a>(&'a [u8; LINE], u8);

    impl Kernel for Numbers<'_> {
        type Output = [[u8; LINE]; 3];

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let mut out = [[0; LINE]; 3];
            let line = V::Line::load(self.0);
            line.one_hot(self.1).store(&mut out[0]);
            line.value_or_all(self.1).store(&mut out[1]);
            line.bit_number().store(&mut out[2]);
            out
        }
    }

    #[test]
    fn values_become_bits_and_bits_become_values() {
        let bit = |value: u8, plane: u8| if value / 8 == plane { 1 << (value % 8) } else { 0 };
        for level in Level::available() {
            for plane in 0..=30 {
                for first in (0..=255).step_by(LINE) {
                    let line = std::array::from_fn(|lane| first + lane as u8);
                    let [bits, ..] = level.run(Numbers(&line, plane));
                    assert_eq!(bits, line.map(|value| bit(value, plane)), "{level} {plane}");
                }
                let bits =
                    std::array::from_fn(|lane| 1_u8.checked_shl(lane as u32 % 9).unwrap_or(0));
                let [_, values, numbers] = level.run(Numbers(&bits, plane));
                for (lane, bit) in bits.into_iter().enumerate() {
                    let number = if bit == 0 { None } else { Some(bit.trailing_zeros() as u8) };
                    let value = number.map_or(0xFF, |number| 8 * plane + number);
                    assert_eq!(numbers[lane], number.unwrap_or(0), "{level} {bit}");
                    assert_eq!(values[lane], value, "{level} {bit} {plane}");
                }
            }
        }
    }

    struct OneBitMore<'a>(&'a [u8; LINE]);

    impl Kernel for OneBitMore<'_> {
        type Output = [u8; LINE];

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let mut out = [0; LINE];
            V::Line::load(self.0).one_bit_more().store(&mut out);
            out
        }
    }

    #[test]
    fn lanes_see_all_that_have_a_bit_more() {
        // One lane at a time: who sees it is who lacks one of its bits.
        for from in 0..LINE {
            let line = std::array::from_fn(|lane| if lane == from { 0xA5 } else { 0 });
            let sees = |lane: usize| lane & from == lane && (lane ^ from).is_power_of_two();
            let expected = std::array::from_fn(|lane| if sees(lane) { 0xA5 } else { 0 });
            for level in Level::available() {
                assert_eq!(level.run(OneBitMore(&line)), expected, "{level} {from}");
            }
        }
    }

    struct ComeDown<'a>(&'a [u8; LINE], &'a Down);

    impl Kernel for ComeDown<'_> {
        type Output = [u8; LINE];

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let mut out = [0; LINE];
            V::Line::load(self.0).come_down(self.1).store(&mut out);
            out
        }
    }

    #[test]
    fn lanes_see_what_stands_above_them() {
        let line: [u8; LINE] = std::array::from_fn(|lane| (lane * 37 % 251) as u8);
        // All blocks look into themselves, or none, or some.
        for near in [0b1111, 0, 0b0010, 0b1001] {
            let sees = |lane: usize, bit: usize| {
                let could = lane >> bit & 1 == 0 && lane * 7 % (bit + 4) < 3;
                could && (bit >= 4 || near >> (lane / 16) & 1 == 1)
            };
            let seen = |lane| (0..6).fold(0, |seen, bit| seen | u8::from(sees(lane, bit)) << bit);
            let down = Down::new(&std::array::from_fn(seen));
            let expected = std::array::from_fn(|lane| {
                let seen = (0..6).filter(|&bit| sees(lane, bit));
                seen.fold(0, |all, bit| all | line[lane | 1 << bit])
            });
            for level in Level::available() {
                assert_eq!(level.run(ComeDown(&line, &down)), expected, "{level} {near:b}");
            }
        }
    }
}
