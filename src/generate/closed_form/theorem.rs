//! What each theorem says of a line. docs/theory.md has the proofs.

use std::sync::LazyLock;

use crate::game::{Rule, rule_value};
use crate::simd::{LINE, Level};

/// The lines over which a mask holds: those that share all but the low ten cells of their high parts.
pub(super) const BLOCK: usize = 1 << 10;

/// The constant lines, by key, for each step of the ladder.
pub(super) type Constants = [Box<[[u8; LINE]; 256]>; 3];

/// A function of rows that is known line by line: see the head of `closed_form`.
///
/// A row is here `(h << 6 | lo) << 6 * step`: the function on the table itself, step 0, and on rows
/// that end in six or twelve empty cells, which are the scalars of the step below.
pub(super) trait Theorem {
    /// The function, on rows of up to 64 cells.
    fn value(row: u64) -> u8;

    /// What of a high part decides which constant line it takes.
    fn key(high: u64) -> u8;

    /// The constant lines of every step.
    fn constants() -> &'static Constants;

    /// The lanes to which the second scalar is applied, equal for all high parts of a [`BLOCK`].
    fn mask(high: u64) -> [u8; LINE];

    /// The second scalars of the stretch at `place`.
    fn second(_: Level, _place: u64) -> Ladder {
        Ladder::ONES
    }
}

/// The scalars of one line, of 64 and of 4096.
pub(super) struct Ladder {
    pub(super) top: [u8; 1],
    pub(super) line: [[u8; LINE]; 1],
    pub(super) stretch: [[u8; LINE]; LINE],
}

impl Ladder {
    /// The second scalars that let the mask through as it is.
    pub(super) const ONES: Self =
        Self { top: [0xFF], line: [[0xFF; LINE]], stretch: [[0xFF; LINE]; LINE] };
}

/// The constant lines of a theorem on one step, from the function itself: each key has a high part
/// that stands for it, and the line is what is left of its values once the scalars are taken out.
fn lines<T: Theorem>(
    step: u32,
    high_of_key: impl Fn(u8) -> Option<u64>,
    second: impl Fn(u64) -> u8,
) -> Box<[[u8; LINE]; 256]> {
    let mut lines = Box::new([[0; LINE]; 256]);
    for key in 0..=255 {
        let Some(high) = high_of_key(key) else { continue };
        let value = |lo: usize| T::value((high << 6 | lo as u64) << (6 * step));
        let mask = T::mask(high);
        for lo in 0..LINE {
            lines[usize::from(key)][lo] = value(lo) ^ value(0) ^ (mask[lo] & second(high));
        }
    }
    lines
}

/// The largest number of cells of a high part: 40 less the six of a line.
const HIGH_CELLS: u8 = 34;

/// Staircase Nim. The run of pieces that crosses from the low cells into the high part counts where the
/// low cells have an odd number of holes; then the runs of the high part swap their roles. So
/// `y(h)` is the value of `h`, `x(h)` the xor of all runs of `h` (`x ^ y` is the value with
/// the roles swapped), and the key is the length of the part of the crossing run that lies in `h`.
pub(super) struct Chess;

impl Theorem for Chess {
    fn value(row: u64) -> u8 {
        rule_value(Rule::Chess, row)
    }

    #[inline(always)]
    fn key(high: u64) -> u8 {
        high.trailing_ones() as u8
    }

    fn constants() -> &'static Constants {
        static LINES: LazyLock<Constants> = LazyLock::new(|| {
            let high = |key| (key <= HIGH_CELLS).then(|| (1_u64 << key) - 1);
            [0, 1, 2].map(|step| lines::<Chess>(step, high, Runs::value))
        });
        &LINES
    }

    fn mask(_: u64) -> [u8; LINE] {
        std::array::from_fn(|lo| if lo.count_ones() % 2 == 1 { 0xFF } else { 0 })
    }

    fn second(level: Level, place: u64) -> Ladder {
        super::climb::<Runs>(level, place, &Ladder::ONES)
    }
}

/// The xor of the lengths of all runs of pieces: the second scalar of [`Chess`].
struct Runs;

impl Theorem for Runs {
    fn value(row: u64) -> u8 {
        let (mut rest, mut value) = (row, 0);
        while rest != 0 {
            rest >>= rest.trailing_zeros();
            let run = rest.trailing_ones();
            value ^= run as u8;
            rest = rest.checked_shr(run).unwrap_or(0);
        }
        value
    }

    #[inline(always)]
    fn key(high: u64) -> u8 {
        high.trailing_ones() as u8
    }

    fn constants() -> &'static Constants {
        static LINES: LazyLock<Constants> = LazyLock::new(|| {
            let high = |key| (key <= HIGH_CELLS).then(|| (1_u64 << key) - 1);
            [0, 1, 2].map(|step| lines::<Runs>(step, high, |_| 0))
        });
        &LINES
    }

    fn mask(_: u64) -> [u8; LINE] {
        [0; LINE]
    }
}

/// Nim on alternate gaps, from the left. After an odd number of pieces the gap that crosses into the low
/// cells counts, and the key is the length of its part in the high part; after an even number it
/// does not, and one key stands for all.
pub(super) struct Slide;

/// The key of the high parts with an even number of pieces.
const EVEN: u8 = 64;

impl Theorem for Slide {
    fn value(row: u64) -> u8 {
        rule_value(Rule::Slide, row)
    }

    #[inline(always)]
    fn key(high: u64) -> u8 {
        let gap = high.trailing_zeros() as u8;
        if high.count_ones() % 2 == 1 { gap } else { EVEN }
    }

    fn constants() -> &'static Constants {
        static LINES: LazyLock<Constants> = LazyLock::new(|| {
            let high = |key| match key {
                EVEN => Some(0),
                key => (key < HIGH_CELLS).then(|| 1_u64 << key),
            };
            [0, 1, 2].map(|step| lines::<Slide>(step, high, |_| 0))
        });
        &LINES
    }

    fn mask(_: u64) -> [u8; LINE] {
        [0; LINE]
    }
}

/// Welter's game. With pieces at `a` in the high part and `b` in the low cells,
/// `W(h, lo) = W(h, 0) ^ W(lo) ^ (xor over all pairs of 2^(v2(a - b) + 1) - 1)`.
///
/// Bit `i` of that last xor, for one `b`, is the parity of the number of `a` that are congruent to `b`
/// modulo `2^i`. Bits 0 to 3 therefore depend on the high part only through the eight
/// parities of its cells modulo 8: the key. The bits above depend on pieces 16 or more cells away,
/// which all lines of a block share: the mask.
pub(super) struct Welter;

impl Welter {
    /// For a high part, the xor of its pairs with the pieces of each set of low cells.
    fn pairs(high: u64, bits: u8) -> [u8; LINE] {
        /// The cells whose distance to the cell 0 is a multiple of `2^i`, for each `i`.
        const MULTIPLES: [u64; 6] = [
            u64::MAX,
            0x5555_5555_5555_5555,
            0x1111_1111_1111_1111,
            0x0101_0101_0101_0101,
            0x0001_0001_0001_0001,
            0x0000_0001_0000_0001,
        ];
        let mut line = [0; LINE];
        for cell in 0..6 {
            let mut pairs = 0;
            for (bit, multiples) in MULTIPLES.iter().enumerate() {
                let pieces = (high << 6 & multiples << cell).count_ones() as u8;
                pairs |= (pieces & 1) << bit;
            }
            for lo in 0..1 << cell {
                line[1 << cell | lo] = line[lo] ^ pairs & bits;
            }
        }
        line
    }
}

impl Theorem for Welter {
    fn value(row: u64) -> u8 {
        rule_value(Rule::Welter, row)
    }

    #[inline(always)]
    fn key(high: u64) -> u8 {
        let key = high ^ high >> 32;
        let key = key ^ key >> 16;
        (key ^ key >> 8) as u8
    }

    fn constants() -> &'static Constants {
        static LINES: LazyLock<Constants> = LazyLock::new(|| {
            [0, 1, 2].map(|step| {
                let alone: [u8; LINE] =
                    std::array::from_fn(|lo| Welter::value((lo as u64) << (6 * step)));
                // W(h, 0) and W(lo) are both above the same empty cells, so nothing is counted twice.
                let mut lines = Box::new([alone; 256]);
                for (key, line) in lines.iter_mut().enumerate() {
                    let pairs = Welter::pairs(key as u64, 0x0F);
                    line.iter_mut().zip(pairs).for_each(|(value, pairs)| *value ^= pairs);
                }
                lines
            })
        });
        &LINES
    }

    fn mask(high: u64) -> [u8; LINE] {
        let shared = high & !(BLOCK as u64 - 1);
        Self::pairs(shared, 0xF0)
    }
}
