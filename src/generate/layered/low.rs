//! The moves inside the low cells, which tie the 64 rows of a line to one another, and those into them.
//!
//! The ties are resolved across a batch of independent lines, turned so that a vector holds one low
//! pattern of each: then the patterns in increasing order find what they need done.
//!
//! Where the rule has no reach its moves are known to the compiler, and the code is a straight line: a
//! third of the instructions of the loop for the ties, an eighth for the drops, and no branch.

use crate::game::{Rule, Strip};
use crate::simd::{LINE, LaneMap, Line, Patterns, Vector};

/// The cells of a row that lie inside a line.
pub(super) const LOW: u32 = LINE.ilog2();

/// The most moves inside six cells: three pieces, three empty cells.
const MOST: usize = 9;

/// For each low pattern, how many lower patterns it needs, and which.
type Options = [(u8, [u8; MOST]); LINE];

/// The moves of a game inside the low cells and into them.
pub(super) struct Low {
    strip: Strip,
    options: Options,
    /// For each low cell, how a piece lands whose reach ends there.
    landings: [LaneMap; LOW as usize],
}

impl Low {
    pub(super) fn new(strip: Strip) -> Self {
        let landings = |lowest: usize| LaneMap::new(landings(strip.rule(), lowest));
        Self {
            strip,
            options: options(strip.rule(), strip.reach()),
            landings: std::array::from_fn(landings),
        }
    }

    /// Whether a piece at bit `high` above the low cells reaches any of them.
    pub(super) fn reaches(&self, high: u32) -> bool {
        self.strip.nearest(high + LOW) < LOW
    }

    /// Whether pieces at two bits above the low cells reach the same of them.
    #[inline(always)]
    pub(super) fn alike(&self, high: u32, other: u32) -> bool {
        self.strip.nearest(high + LOW) == self.strip.nearest(other + LOW)
    }

    /// What the rows of a line see when a piece at bit `high` above the low cells lands on one of them,
    /// from what `line` has, the line without that piece.
    #[inline(always)]
    pub(super) fn dropped<V: Vector>(&self, high: u32, line: V::Line) -> V::Line {
        match (self.strip.reach(), self.strip.rule()) {
            (None, Rule::Chess) => landed::<V, CHESS>(line),
            (None, Rule::Slide) => landed::<V, SLIDE>(line),
            (None, Rule::Welter) => landed::<V, WELTER>(line),
            _ => match self.landings.get(self.strip.nearest(high + LOW) as usize) {
                Some(map) => map.apply::<V>(line),
                None => V::Line::splat(0),
            },
        }
    }

    /// From what the options outside the line have, one bit a value, to the bit of each row's own
    /// value: none where all eight are taken.
    #[inline(always)]
    pub(super) fn resolve<V: Vector>(&self, patterns: &mut Patterns<V>) {
        match (self.strip.reach(), self.strip.rule()) {
            (None, Rule::Chess) => unrolled::<V, CHESS>(patterns),
            (None, Rule::Slide) => unrolled::<V, SLIDE>(patterns),
            (None, Rule::Welter) => unrolled::<V, WELTER>(patterns),
            _ => self.looped(patterns),
        }
    }

    #[inline(always)]
    fn looped<V: Vector>(&self, patterns: &mut Patterns<V>) {
        let patterns = patterns.as_flattened_mut();
        for (low, (count, options)) in self.options.iter().enumerate() {
            let mut seen = patterns[low];
            for &option in &options[..usize::from(*count)] {
                seen = seen.or(patterns[usize::from(option)]);
            }
            patterns[low] = lowest_missing(seen);
        }
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

/// A piece from above lands on any low cell from `lowest` up that the rule lets it: each lane takes from
/// the lane with one more piece.
fn landings(rule: Rule, lowest: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..LINE).flat_map(move |low| {
        let landings = rule.landings(low as u64, LOW);
        (lowest..LOW as usize)
            .filter(move |cell| landings >> cell & 1 == 1)
            .map(move |cell| (low, low | 1 << cell))
    })
}

/// The moves of the rule `Rule::ALL[RULE]` without reach, known to the compiler.
struct Known<const RULE: usize>;

const CHESS: usize = Rule::Chess as usize;
const SLIDE: usize = Rule::Slide as usize;
const WELTER: usize = Rule::Welter as usize;

impl<const RULE: usize> Known<RULE> {
    const OPTIONS: Options = options(Rule::ALL[RULE], None);
    const LANDINGS: [[u8; LINE]; LOW as usize] = lanes(Rule::ALL[RULE]);
}

/// For each low cell, the lanes that a piece can land in there, as masks: they take from those with one
/// more piece.
const fn lanes(rule: Rule) -> [[u8; LINE]; LOW as usize] {
    let mut lanes = [[0; LINE]; LOW as usize];
    let mut low = 0;
    while low < LINE {
        let mut landings = rule.landings(low as u64, LOW);
        while landings != 0 {
            lanes[landings.trailing_zeros() as usize][low] = 0xFF;
            landings &= landings - 1;
        }
        low += 1;
    }
    lanes
}

/// The lanes of a known rule that see what stands `1 << CELL` lanes above them, given line moved there.
#[inline(always)]
fn landing<V: Vector, const RULE: usize, const CELL: usize>(moved: V::Line) -> V::Line {
    moved.and(V::Line::load(const { &Known::<RULE>::LANDINGS[CELL] }))
}

/// What a piece of a known rule shows that lands on any low cell.
#[inline(always)]
fn landed<V: Vector, const RULE: usize>(line: V::Line) -> V::Line {
    let far =
        landing::<V, RULE, 5>(line.swap_blocks(2)).or(landing::<V, RULE, 4>(line.swap_blocks(1)));
    let middle =
        landing::<V, RULE, 3>(line.lower::<8>()).or(landing::<V, RULE, 2>(line.lower::<4>()));
    let near =
        landing::<V, RULE, 1>(line.lower::<2>()).or(landing::<V, RULE, 0>(line.lower::<1>()));
    far.or(middle).or(near)
}

/// One low pattern of a known rule.
#[inline(always)]
fn step<V: Vector, const RULE: usize, const LOW: usize>(patterns: &mut Patterns<V>) {
    let (count, options) = const { Known::<RULE>::OPTIONS[LOW] };
    let mut seen = patterns[LOW / 16][LOW % 16];
    let mut n = 0;
    while n < count as usize {
        let option = options[n] as usize;
        seen = seen.or(patterns[option / 16][option % 16]);
        n += 1;
    }
    patterns[LOW / 16][LOW % 16] = lowest_missing(seen);
}

macro_rules! steps {
    ($patterns:ident: $($low:literal)*) => {$(
        step::<V, RULE, $low>($patterns);
    )*};
}

#[inline(always)]
fn unrolled<V: Vector, const RULE: usize>(patterns: &mut Patterns<V>) {
    steps!(patterns:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
}
