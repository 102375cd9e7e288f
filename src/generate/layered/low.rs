//! The moves inside the low cells, which tie the 64 rows of a line to one another, and those into them.
//!
//! The ties are resolved across a batch of independent lines, turned so that a vector holds one low
//! pattern of each: then the patterns in increasing order find what they need done.
//!
//! Where the rule has no reach its moves are known to the compiler, and the code is a straight line: a
//! third of the instructions of the loop for the ties, an eighth for the drops, and no branch.

use crate::game::{Rule, Strip};
use crate::simd::{LINE, LaneMap, Line, Vector};

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

/// One vector for each low pattern.
pub(super) type Patterns<V> = [V; LINE];

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
    /// value: none where all eight are taken. Returns the lanes in which that happened, as `0xFF`.
    #[inline(always)]
    pub(super) fn resolve<V: Vector>(&self, patterns: &mut Patterns<V>) -> V {
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
    const CONTROLS: [[u8; LINE]; LOW as usize] = controls(Rule::ALL[RULE]);
}

/// For each low cell, the byte shuffle by which the lanes take from those with one more piece there.
const fn controls(rule: Rule) -> [[u8; LINE]; LOW as usize] {
    let mut controls = [[0x80; LINE]; LOW as usize];
    let mut low = 0;
    while low < LINE {
        let mut landings = rule.landings(low as u64, LOW);
        while landings != 0 {
            let cell = landings.trailing_zeros() as usize;
            landings &= landings - 1;
            controls[cell][low] = ((low | 1 << cell) % 16) as u8;
        }
        low += 1;
    }
    controls
}

/// What a piece that lands on one low cell of a known rule shows.
#[inline(always)]
fn landed_on<V: Vector, const RULE: usize, const CELL: usize>(line: V::Line) -> V::Line {
    let control = const { &Known::<RULE>::CONTROLS[CELL] };
    line.swap_blocks((1 << CELL) / 16).shuffle(V::Line::load(control))
}

#[inline(always)]
fn landed<V: Vector, const RULE: usize>(line: V::Line) -> V::Line {
    let far = landed_on::<V, RULE, 5>(line).or(landed_on::<V, RULE, 4>(line));
    let middle = landed_on::<V, RULE, 3>(line).or(landed_on::<V, RULE, 2>(line));
    let near = landed_on::<V, RULE, 1>(line).or(landed_on::<V, RULE, 0>(line));
    far.or(middle).or(near)
}

/// One low pattern of a known rule.
#[inline(always)]
fn step<V: Vector, const RULE: usize, const LOW: usize>(
    patterns: &mut Patterns<V>,
    fullest: V,
) -> V {
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

#[inline(always)]
fn unrolled<V: Vector, const RULE: usize>(patterns: &mut Patterns<V>) -> V {
    let mut fullest = V::splat(0);
    steps!(patterns, fullest:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    fullest.equal(V::splat(0xFF))
}
