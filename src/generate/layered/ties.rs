//! What ties the rows of a band to one another: moves among the low cells.
//!
//! They are resolved across a batch of independent bands (or lines, for which the same holds), turned so that
//! a vector holds one low pattern of each: then the patterns in increasing order find what they need done.
//! Sixteen patterns, a block, are turned, resolved and turned back at a time, in registers. What a block
//! needs of the ones before it is data; the moves of its own four cells are known to the compiler, a straight
//! line without branches.

use super::low::{BLOCKS, LINES, Low, Part};
use crate::game::Rule;
use crate::simd::{
    Aligned, Kernel, LINE, Lines, MAX_LANES, Transpose, Vector, from_lanes, to_lanes,
};

/// The patterns of a block.
const PATTERNS: usize = 1 << CELLS;
const CELLS: u32 = super::low::BLOCK_CELLS;

/// A block of each band of a batch, a vector each pattern.
type Turned = [Lanes; PATTERNS];

/// Room for a vector.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lanes([u8; MAX_LANES]);

/// The bands of a batch, or the lines: the first lines of the bands, the second ones, and so on.
#[derive(Clone, Copy)]
pub(super) struct Board(pub(super) [Lines; LINES]);

impl Board {
    pub(super) const EMPTY: Self = Self([Aligned([[0; LINE]; MAX_LANES]); LINES]);
}

/// The blocks of a board that are done.
pub(super) struct Done([Turned; LINES * BLOCKS]);

impl Done {
    pub(super) const NONE: Self = Self([[Lanes([0; MAX_LANES]); PATTERNS]; LINES * BLOCKS]);
}

/// From what the rows of a batch see outside their band to the bit of their own value, or none where all
/// eight are taken.
pub(super) struct Resolve<'a> {
    pub(super) low: &'a Low,
    pub(super) board: &'a mut Board,
    /// Room for what is done.
    pub(super) done: &'a mut Done,
    /// The number of lines of a band: all, or one, which then is any line of a band of its own.
    pub(super) lines: usize,
}

impl Kernel for Resolve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let strip = self.low.strip();
        match (strip.rule(), strip.reach()) {
            (Rule::Chess, Some(1)) => self.resolve::<V::Turned, CHESS, 1>(),
            (Rule::Chess, Some(2)) => self.resolve::<V::Turned, CHESS, 2>(),
            (Rule::Chess, Some(_)) => self.resolve::<V::Turned, CHESS, 3>(),
            (Rule::Chess, None) => self.resolve::<V::Turned, CHESS, NO_LIMIT>(),
            (Rule::Slide, Some(1)) => self.resolve::<V::Turned, SLIDE, 1>(),
            (Rule::Slide, Some(2)) => self.resolve::<V::Turned, SLIDE, 2>(),
            (Rule::Slide, Some(_)) => self.resolve::<V::Turned, SLIDE, 3>(),
            (Rule::Slide, None) => self.resolve::<V::Turned, SLIDE, NO_LIMIT>(),
            (Rule::Welter, Some(1)) => self.resolve::<V::Turned, WELTER, 1>(),
            (Rule::Welter, Some(2)) => self.resolve::<V::Turned, WELTER, 2>(),
            (Rule::Welter, Some(_)) => self.resolve::<V::Turned, WELTER, 3>(),
            (Rule::Welter, None) => self.resolve::<V::Turned, WELTER, NO_LIMIT>(),
        }
    }
}

/// As a reach: none. Inside a block three is no limit either, but pieces come from above.
const NO_LIMIT: u32 = CELLS;

const CHESS: usize = Rule::Chess as usize;
const SLIDE: usize = Rule::Slide as usize;
const WELTER: usize = Rule::Welter as usize;

impl Resolve<'_> {
    #[inline(always)]
    fn resolve<V: Transpose, const RULE: usize, const REACH: u32>(self) {
        let turned = &mut self.done.0;
        for (n, lines) in self.board.0.iter_mut().take(self.lines).enumerate() {
            for place in 0..BLOCKS {
                let block = n * BLOCKS + place;
                let mut seen = to_lanes::<V>(lines, place);
                from_blocks::<V, RULE, REACH>(&self.low.blocks()[block], turned, &mut seen);
                inside::<V, RULE, REACH>(&mut seen);
                turn(&seen, &mut turned[block]);
                from_lanes(seen, lines, place);
            }
        }
    }
}

#[inline(always)]
fn turn<V: Transpose>(patterns: &[V; PATTERNS], turned: &mut Turned) {
    for pattern in 0..PATTERNS {
        patterns[pattern].store(&mut turned[pattern].0);
    }
}

/// What the patterns of a block see of the blocks before it.
#[inline(always)]
fn from_blocks<V: Transpose, const RULE: usize, const REACH: u32>(
    block: &Part,
    turned: &[Turned],
    seen: &mut [V; PATTERNS],
) {
    for &from in &block.straight {
        let from = &turned[usize::from(from)];
        for pattern in 0..PATTERNS {
            seen[pattern] = seen[pattern].or(V::load(&from[pattern].0));
        }
    }
    for &(from, lowest) in &block.drops {
        let from = &turned[usize::from(from)];
        let lowest = if REACH == NO_LIMIT { 0 } else { lowest };
        land::<V, RULE, 3>(from, seen);
        if lowest <= 2 {
            land::<V, RULE, 2>(from, seen);
        }
        if lowest <= 1 {
            land::<V, RULE, 1>(from, seen);
        }
        if lowest == 0 {
            land::<V, RULE, 0>(from, seen);
        }
    }
}

/// Calls a function that is generic over the pattern for each of the 16, in increasing order.
macro_rules! for_patterns {
    ($f:ident::<V, $($generic:ident),*>$arguments:tt) => {
        for_patterns!(@each $f [$($generic),*] $arguments 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@each $f:ident $generics:tt $arguments:tt $($pattern:literal)*) => {$(
        for_patterns!(@one $f $generics $arguments $pattern);
    )*};
    (@one $f:ident [$($generic:ident),*] ($($argument:expr),*) $pattern:literal) => {
        $f::<V, $($generic),*, $pattern>($($argument),*)
    };
}

/// A piece comes down to a cell of the block.
#[inline(always)]
fn land<V: Transpose, const RULE: usize, const CELL: usize>(
    from: &Turned,
    seen: &mut [V; PATTERNS],
) {
    for_patterns!(land_in::<V, RULE, CELL>(from, seen));
}

/// The same, for one pattern.
#[inline(always)]
fn land_in<V: Transpose, const RULE: usize, const CELL: usize, const PATTERN: usize>(
    from: &Turned,
    seen: &mut [V; PATTERNS],
) {
    if const { Rule::ALL[RULE].landings(PATTERN as u64, CELLS) >> CELL & 1 == 1 } {
        seen[PATTERN] = seen[PATTERN].or(V::load(&from[PATTERN | 1 << CELL].0));
    }
}

/// The moves among the cells of the block, and the value of each pattern.
#[inline(always)]
fn inside<V: Transpose, const RULE: usize, const REACH: u32>(seen: &mut [V; PATTERNS]) {
    for_patterns!(inside_of::<V, RULE, REACH>(seen));
}

/// The same, for one pattern.
#[inline(always)]
fn inside_of<V: Transpose, const RULE: usize, const REACH: u32, const PATTERN: usize>(
    patterns: &mut [V; PATTERNS],
) {
    let mut seen = patterns[PATTERN];
    macro_rules! from_option {
        ($($n:literal)*) => {$(
            if let Some(option) = const { option(Rule::ALL[RULE], REACH, PATTERN, $n) } {
                seen = seen.or(patterns[option]);
            }
        )*};
    }
    from_option!(0 1 2 3);
    patterns[PATTERN] = seen.add(V::splat(1)).without(seen);
}

/// The `n`th option of a pattern of a block: it has four at most, from two pieces and two empty cells.
const fn option(rule: Rule, reach: u32, pattern: usize, n: usize) -> Option<usize> {
    let (mut count, mut piece) = (0, 0);
    while piece < CELLS {
        if pattern >> piece & 1 == 1 {
            let mut targets =
                rule.landings(pattern as u64, piece) & u64::MAX << piece.saturating_sub(reach);
            while targets != 0 {
                if count == n {
                    return Some(pattern ^ 1 << piece ^ 1 << targets.trailing_zeros());
                }
                targets &= targets - 1;
                count += 1;
            }
        }
        piece += 1;
    }
    None
}
