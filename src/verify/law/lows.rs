//! What the rows of a band see by moves that end in the low cells: among them, and from above.
//!
//! Where the rule has no reach, how lanes move is known to the compiler: a quarter of the instructions. `FIXED`
//! is the place of such a rule in [`Rule::ALL`], or else [`BY_TABLES`].

use super::bands::Read;
use super::rows::{LOW, Rows, arriving, entered};
use crate::game::Rule;
use crate::simd::{Controls, FixedMap, LINE, LaneMap, Line, Vector, move_lanes};

/// The lines of a band.
pub(super) const LINES: usize = (1 << LOW) / LINE;

/// The cells of a line.
const INSIDE: u32 = LINE.ilog2();

/// The moves that end in the low cells.
pub(super) struct Lows {
    rule: Rows,
    /// The moves among the cells of a line.
    inside: LaneMap,
    /// For each cell of a line, how a piece from above its cells enters that reaches no lower.
    enters: Vec<LaneMap>,
    lines: [Other; LINES],
    /// For each line and low cell, what it sees of a piece from above that reaches no lower.
    above: [[Above; LOW as usize]; LINES],
}

/// What a line sees of other lines of its band by moves among the low cells.
struct Other {
    /// Those that all its lanes see.
    whole: Vec<u8>,
    /// Those from which a piece enters its cells, with the lowest cell that it reaches.
    entering: Vec<(u8, u8)>,
}

/// What a line sees of a piece that enters the low cells from above.
struct Above {
    /// The other lines that all its lanes see.
    whole: Vec<u8>,
    /// Whether the piece enters the cells of the line.
    inside: bool,
}

impl Lows {
    pub(super) fn new(rule: Rows) -> Self {
        let moves = |low: usize| {
            let options = rule.options(low as u64, INSIDE).into_iter();
            options.map(move |option| (low, option as usize))
        };
        let enters = |lowest| {
            LaneMap::new((0..LINE).flat_map(move |low| {
                let entered = rule.entered(low as u64, INSIDE);
                let cells = (lowest..INSIDE).filter(move |cell| entered >> cell & 1 == 1);
                cells.map(move |cell| (low, low | 1 << cell))
            }))
        };
        let above = |n| std::array::from_fn(|lowest| Above::new(rule, n as u64, lowest as u32));
        Self {
            rule,
            inside: LaneMap::new((0..LINE).flat_map(moves)),
            enters: (0..INSIDE).map(enters).collect(),
            lines: std::array::from_fn(|n| Other::new(rule, n as u64)),
            above: std::array::from_fn(above),
        }
    }

    /// Adds what `W` lines of a band see, from line `first` on, by moves among the low cells.
    #[inline(always)]
    pub(super) fn see<V: Vector, const FIXED: usize, const W: usize, R: Read<V>>(
        &self,
        seen: &mut [V::Line; W],
        first: usize,
        read: R,
        band: usize,
    ) {
        for w in 0..W {
            let n = first + w;
            let mut line = seen[w].or(self.inside::<V, FIXED>(read.line(band, n)));
            let Other { whole, entering } = &self.lines[n % LINES];
            for &other in whole {
                line = line.or(read.line(band, usize::from(other)));
            }
            let mut entering = entering.as_slice();
            while let [(lowest, _), ..] = entering {
                // Those that reach equally far enter together.
                let mut together = V::Line::splat(0);
                while let [(same, other), rest @ ..] = entering
                    && same == lowest
                {
                    together = together.or(read.line(band, usize::from(*other)));
                    entering = rest;
                }
                line = line.or(self.enter::<V, FIXED>(u32::from(*lowest), together));
            }
            seen[w] = line;
        }
    }

    /// What the lanes of a line see of one another.
    #[inline(always)]
    fn inside<V: Vector, const FIXED: usize>(&self, line: V::Line) -> V::Line {
        match FIXED {
            CHESS => move_lanes::<V, Inside<CHESS>>(line),
            SLIDE => move_lanes::<V, Inside<SLIDE>>(line),
            WELTER => move_lanes::<V, Inside<WELTER>>(line),
            _ => self.inside.apply::<V>(line),
        }
    }

    /// What the lanes of a line see of a piece that enters its cells and reaches down to `lowest`.
    #[inline(always)]
    fn enter<V: Vector, const FIXED: usize>(&self, lowest: u32, line: V::Line) -> V::Line {
        match FIXED {
            CHESS => move_lanes::<V, Enters<CHESS>>(line),
            SLIDE => move_lanes::<V, Enters<SLIDE>>(line),
            WELTER => move_lanes::<V, Enters<WELTER>>(line),
            _ => match self.enters.get(lowest as usize) {
                Some(map) => map.apply::<V>(line),
                None => V::Line::splat(0),
            },
        }
    }
}

impl Other {
    /// For line `n`: its number is the row of the cells above those of a line.
    fn new(rule: Rows, n: u64) -> Self {
        let cells = LOW - INSIDE;
        let arriving = rule.arriving(n, 0, cells);
        let pieces = (0..cells).filter(|piece| arriving >> piece & 1 == 1);
        Self {
            whole: rule.options(n, cells).into_iter().map(|option| option as u8).collect(),
            entering: pieces
                .map(|piece| (rule.lowest(piece + INSIDE) as u8, (n ^ 1 << piece) as u8))
                .filter(|(lowest, _)| u32::from(*lowest) < INSIDE)
                .collect(),
        }
    }
}

impl Above {
    /// For line `n`, of a piece that reaches down to the low cell `lowest`.
    fn new(rule: Rows, n: u64, lowest: u32) -> Self {
        let entered = rule.entered(n << INSIDE, LOW);
        let (above, beyond) = (LOW - INSIDE, 1 << (LOW - INSIDE));
        let passes = rule.arriving(n | beyond, 0, above + 1) & beyond != 0;
        let cells = (lowest.max(INSIDE)..LOW).filter(|cell| entered >> cell & 1 == 1);
        Self {
            whole: cells.map(|cell| (n | 1 << (cell - INSIDE)) as u8).collect(),
            inside: lowest < INSIDE && passes,
        }
    }
}

/// The pieces that enter the low cells from above, nearest first; those that reach equally far enter together.
pub(super) struct Entering<'a, V: Vector, const FIXED: usize, const W: usize> {
    lows: &'a Lows,
    first: usize,
    lowest: u32,
    together: [V::Line; W],
}

impl<'a, V: Vector, const FIXED: usize, const W: usize> Entering<'a, V, FIXED, W> {
    /// None so far, seen by `W` lines from the line `first` on.
    #[inline(always)]
    pub(super) fn new(lows: &'a Lows, first: usize) -> Self {
        Self { lows, first, lowest: LOW, together: [V::Line::splat(0); W] }
    }

    /// Adds what one piece shows, at bit `from` of the row: `band` is the band without it.
    #[inline(always)]
    pub(super) fn see<R: Read<V>>(
        &mut self,
        seen: &mut [V::Line; W],
        from: u32,
        read: R,
        band: usize,
    ) {
        let lowest = self.lows.rule.lowest(from);
        if lowest != self.lowest {
            self.enter(seen);
            self.lowest = lowest;
            self.together = [V::Line::splat(0); W];
        }
        if lowest >= LOW {
            return;
        }
        if W == LINES {
            for w in 0..W {
                self.together[w] = self.together[w].or(read.line(band, w));
            }
            return;
        }
        for w in 0..W {
            let n = self.first + w;
            let Above { whole, inside } = &self.lows.above[n % LINES][(lowest % LOW) as usize];
            for &other in whole {
                seen[w] = seen[w].or(read.line(band, usize::from(other)));
            }
            if *inside {
                self.together[w] = self.together[w].or(read.line(band, n));
            }
        }
    }

    /// Adds what the pieces show that are together now: all that they do, where all lines look at once, and else
    /// what they show inside lines.
    #[inline(always)]
    pub(super) fn enter(&self, seen: &mut [V::Line; W]) {
        if self.lowest >= LOW {
            return;
        }
        // Copies: what is looked into by number lies in memory.
        let shown = self.together;
        let mut entered = [V::Line::splat(0); W];
        for w in 0..W {
            let n = self.first + w;
            let Above { whole, inside } = &self.lows.above[n % LINES][(self.lowest % LOW) as usize];
            if *inside {
                entered[w] = self.lows.enter::<V, FIXED>(self.lowest, shown[w]);
            }
            if W == LINES {
                for &other in whole {
                    entered[w] = entered[w].or(shown[usize::from(other) % W]);
                }
            }
        }
        for w in 0..W {
            seen[w] = seen[w].or(entered[w]);
        }
    }
}

/// The moves among the cells of a line, by the rule `Rule::ALL[RULE]` without reach.
struct Inside<const RULE: usize>;

/// How a piece enters the cells of a line, by the same.
struct Enters<const RULE: usize>;

pub(super) const CHESS: usize = Rule::Chess as usize;
pub(super) const SLIDE: usize = Rule::Slide as usize;
pub(super) const WELTER: usize = Rule::Welter as usize;

/// No rule that the compiler knows.
pub(super) const BY_TABLES: usize = Rule::ALL.len();

impl<const RULE: usize> FixedMap for Inside<RULE> {
    const CONTROLS: Controls = {
        let mut masks = [0; LINE];
        let mut low = 0;
        while low < LINE {
            let mut empty = !(low as u64) & (LINE as u64 - 1);
            while empty != 0 {
                let to = empty.trailing_zeros();
                let mut pieces = arriving(Rule::ALL[RULE], low as u64, to + 1, INSIDE);
                while pieces != 0 {
                    masks[low] |= 1_u64 << (low ^ 1 << to ^ 1 << pieces.trailing_zeros());
                    pieces &= pieces - 1;
                }
                empty &= empty - 1;
            }
            low += 1;
        }
        Controls::new(&masks)
    };
}

impl<const RULE: usize> FixedMap for Enters<RULE> {
    const CONTROLS: Controls = {
        let mut masks = [0; LINE];
        let mut low = 0;
        while low < LINE {
            let mut cells = entered(Rule::ALL[RULE], low as u64, INSIDE);
            while cells != 0 {
                masks[low] |= 1_u64 << (low | 1 << cells.trailing_zeros());
                cells &= cells - 1;
            }
            low += 1;
        }
        Controls::new(&masks)
    };
}
