//! The moves inside the low cells: what ties the 64 rows of a line to one another.
//!
//! They are resolved across a batch of independent lines, turned so that a vector holds one low pattern
//! of each: then the patterns in increasing order find what they need done.

use crate::game::{Rule, Strip};
use crate::simd::{LINE, Vector};

/// The most moves inside six cells: three pieces, three empty cells.
const MOST: usize = 9;

/// For each low pattern, how many lower patterns it needs, and which.
type Options = [(u8, [u8; MOST]); LINE];

/// The moves inside the low cells, with the reach of the game.
pub(super) struct Ties {
    strip: Strip,
    options: Options,
}

/// One vector for each low pattern.
pub(super) type Patterns<V> = [V; LINE];

impl Ties {
    pub(super) fn new(strip: Strip) -> Self {
        Self { strip, options: options(strip.rule(), strip.reach()) }
    }

    /// From what the options outside the line have, one bit a value, to the bit of each row's own
    /// value: none where all eight are taken. Returns the lanes in which that happened, as `0xFF`.
    #[inline(always)]
    pub(super) fn resolve<V: Vector>(&self, patterns: &mut Patterns<V>) -> V {
        const CHESS: usize = Rule::Chess as usize;
        const SLIDE: usize = Rule::Slide as usize;
        const WELTER: usize = Rule::Welter as usize;
        match (self.strip.reach(), self.strip.rule()) {
            (None, Rule::Chess) => unrolled::<V, CHESS>(patterns),
            (None, Rule::Slide) => unrolled::<V, SLIDE>(patterns),
            (None, Rule::Welter) => unrolled::<V, WELTER>(patterns),
            _ => self.looped(patterns),
        }
    }

    #[inline(always)]
    fn looped<V: Vector>(&self, patterns: &mut Patterns<V>) -> V {
        let mut fullest = V::splat(0);
        for low in 0..LINE {
            let (count, options) = &self.options[low];
            let mut seen = patterns[low];
            for &option in &options[..usize::from(*count)] {
                seen = seen.or(patterns[usize::from(option) % LINE]);
            }
            fullest = fullest.max(seen);
            patterns[low] = lowest_missing(seen);
        }
        fullest.equal(V::splat(0xFF))
    }
}

/// The lowest clear bit, as a bit; none where all are set.
#[inline(always)]
fn lowest_missing<V: Vector>(seen: V) -> V {
    seen.add(V::splat(1)).without(seen)
}

const fn options(rule: Rule, reach: Option<u32>) -> Options {
    let mut options = [(0, [0; MOST]); LINE];
    let mut low = 0;
    while low < LINE {
        let mut count = 0;
        let mut pieces = low as u64;
        while pieces != 0 {
            let piece = pieces.trailing_zeros();
            pieces &= pieces - 1;
            let nearest = match reach {
                Some(reach) => piece.saturating_sub(reach),
                None => 0,
            };
            let mut targets = rule.landings(low as u64, piece) & u64::MAX << nearest;
            while targets != 0 {
                let target = targets.trailing_zeros();
                targets &= targets - 1;
                options[low].1[count] = (low ^ 1 << piece ^ 1 << target) as u8;
                count += 1;
            }
        }
        options[low].0 = count as u8;
        low += 1;
    }
    options
}

/// The moves of the rule `Rule::ALL[RULE]` without reach, known to the compiler.
struct Known<const RULE: usize>;

impl<const RULE: usize> Known<RULE> {
    const OPTIONS: Options = options(Rule::ALL[RULE], None);
}

/// One low pattern of a known rule.
#[inline(always)]
fn step<V: Vector, const RULE: usize, const LOW: usize>(patterns: &mut Patterns<V>, fullest: V) -> V {
    let (count, options) = const { Known::<RULE>::OPTIONS[LOW] };
    let mut seen = patterns[LOW];
    let mut n = 0;
    while n < count as usize {
        seen = seen.or(patterns[options[n] as usize]);
        n += 1;
    }
    patterns[LOW] = lowest_missing(seen);
    fullest.max(seen)
}

macro_rules! steps {
    ($patterns:ident, $fullest:ident: $($low:literal)*) => {$(
        $fullest = step::<V, RULE, $low>($patterns, $fullest);
    )*};
}

/// Straight-line code: a quarter of the instructions of the loop, and no branch.
#[inline(always)]
fn unrolled<V: Vector, const RULE: usize>(patterns: &mut Patterns<V>) -> V {
    let mut fullest = V::splat(0);
    steps!(patterns, fullest:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    fullest.equal(V::splat(0xFF))
}
