//! The law of the strip games, 64 rows at a time: which lines of a table have a row that breaks it.
//!
//! No order is needed: the options of a line of 64 neighbours are lines, and lanes of lines. Rows are cut
//! into top, middle (six cells) and low (six cells); what the top and the middle have to say is listed
//! once for 64 lines or for the whole table.
//!
//! Moves are found from where they end: for an empty cell, the pieces on its left up to and including the
//! first that cannot be passed. The generator starts from the pieces.

use rayon::prelude::*;

use crate::game::Strip;
use crate::simd::{Kernel, LINE, LaneMap, Level, Line, Vector};

/// The low cells of a row: the lanes of a line.
const LOW: u32 = LINE.ilog2();

/// The middle cells of a row.
const MIDDLE: u32 = 6;

/// The lines of one top.
const LINES: usize = 1 << MIDDLE;

/// How many tops a thread takes at a time.
const TOPS: usize = 16;

/// The lines of `values` in which some row is not the mex of its options, in increasing order. The strip
/// must be at least a line and a middle wide.
pub(super) fn broken_lines(strip: Strip, values: &[u8], level: Level) -> Vec<usize> {
    let scan = Scan::new(strip);
    let lines = values.as_chunks().0;
    let tops = lines.len() / LINES;
    let starts: Vec<usize> = (0..tops).step_by(TOPS).collect();
    let broken = starts.into_par_iter().flat_map_iter(|first| {
        let tops = first..tops.min(first + TOPS);
        level.run(ScanTops { scan: &scan, lines, tops })
    });
    broken.collect()
}

/// Whether a strip is wide enough for [`broken_lines`].
pub(super) fn applies_to(strip: Strip) -> bool {
    strip.width() >= LOW + MIDDLE
}

/// What holds for every top.
struct Scan {
    rule: Rows,
    middles: Vec<Middle>,
    /// The moves inside the low cells.
    inside: LaneMap,
    /// For each low cell, how a piece from above enters that reaches no lower.
    enters: Vec<LaneMap>,
}

/// What the middle cells of a line say.
struct Middle {
    /// The middles one move away.
    options: Vec<u8>,
    /// The pieces that can leave the middle to the right.
    leaving: u64,
    /// The cells where a piece from the top can land.
    entered: u64,
    /// Whether a piece from the top can pass the whole middle.
    open: bool,
}

/// The moves of rows of any number of cells, from where they end.
#[derive(Clone, Copy)]
struct Rows {
    strip: Strip,
}

impl Rows {
    /// The cells of `row` that cannot be passed.
    fn walls(self, row: u64) -> u64 {
        let rule = self.strip.rule();
        let pieces = if rule.passes_pieces() { 0 } else { row };
        let empty = if rule.passes_empty() { 0 } else { !row };
        pieces | empty
    }

    /// Of the pieces of `row` in `cells` cells, those at bit `first` and above that can leave these cells
    /// to the right, whatever the reach.
    fn arriving(self, row: u64, first: u32, cells: u32) -> u64 {
        let mut pieces = 0;
        for from in first..cells {
            if row >> from & 1 == 1 {
                pieces |= 1 << from;
            }
            if self.walls(row) >> from & 1 == 1 {
                break;
            }
        }
        pieces
    }

    /// How far below its cell a piece at bit `from` reaches.
    fn lowest(self, from: u32) -> u32 {
        self.strip.reach().map_or(0, |reach| from.saturating_sub(reach))
    }

    /// The options of `row`, a row of `cells` cells.
    fn options(self, row: u64, cells: u32) -> Vec<u64> {
        let mut options = Vec::new();
        for to in (0..cells).filter(|to| row >> to & 1 == 0) {
            let arriving = self.arriving(row, to + 1, cells);
            let near = |from: &u32| arriving >> from & 1 == 1 && self.lowest(*from) <= to;
            options.extend((0..cells).filter(near).map(|from| row ^ 1 << from ^ 1 << to));
        }
        options
    }

    /// The cells of `row`, of `cells` cells, where a piece from beyond its left end can land, whatever
    /// the reach.
    fn entered(self, row: u64, cells: u32) -> u64 {
        let lands = |to: &u32| {
            let beyond = 1 << cells;
            row >> to & 1 == 0 && self.arriving(row | beyond, to + 1, cells + 1) & beyond != 0
        };
        (0..cells).filter(lands).fold(0, |entered, to| entered | 1 << to)
    }
}

impl Scan {
    fn new(strip: Strip) -> Self {
        let rule = Rows { strip };
        let lanes = 0..LINE as u64;
        let inside = lanes.clone().flat_map(|low| {
            rule.options(low, LOW).into_iter().map(move |option| (low as usize, option as usize))
        });
        let enters = |lowest: u32| {
            LaneMap::new(lanes.clone().flat_map(move |low| {
                let entered = rule.entered(low, LOW);
                let cells = (lowest..LOW).filter(move |cell| entered >> cell & 1 == 1);
                cells.map(move |cell| (low as usize, (low | 1 << cell) as usize))
            }))
        };
        Self {
            rule,
            middles: (0..LINES as u64).map(|middle| Middle::new(rule, middle)).collect(),
            inside: LaneMap::new(inside),
            enters: (0..LOW).map(enters).collect(),
        }
    }
}

impl Middle {
    fn new(rule: Rows, middle: u64) -> Self {
        let beyond = 1 << MIDDLE;
        Self {
            options: rule.options(middle, MIDDLE).into_iter().map(|option| option as u8).collect(),
            leaving: rule.arriving(middle, 0, MIDDLE),
            entered: rule.entered(middle, MIDDLE),
            open: rule.arriving(middle | beyond, 0, MIDDLE + 1) & beyond != 0,
        }
    }
}

/// What the top cells say for each of their 64 lines.
struct Top {
    /// The first line of each top one move away.
    options: Vec<usize>,
    /// The pieces that can leave the top: their bit above the middle, and the first line without them.
    leaving: Vec<(u32, usize)>,
    first: usize,
}

impl Top {
    fn new(rule: Rows, top: usize) -> Self {
        let cells = rule.strip.width() - LOW - MIDDLE;
        let leaving = rule.arriving(top as u64, 0, cells);
        let options = rule.options(top as u64, cells).into_iter();
        Self {
            options: options.map(|option| option as usize * LINES).collect(),
            leaving: (0..cells)
                .filter(|piece| leaving >> piece & 1 == 1)
                .map(|piece| (piece, (top ^ 1 << piece) * LINES))
                .collect(),
            first: top * LINES,
        }
    }
}

/// Scans the lines of some tops for those that break the law.
struct ScanTops<'a> {
    scan: &'a Scan,
    lines: &'a [[u8; LINE]],
    tops: std::ops::Range<usize>,
}

impl Kernel for ScanTops<'_> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Vec<usize> {
        let Self { scan, lines, tops } = self;
        let mut broken = Vec::new();
        for top in tops {
            let top = Top::new(scan.rule, top);
            for middle in 0..LINES {
                if !holds::<V>(scan, lines, &top, middle) {
                    broken.push(top.first + middle);
                }
            }
        }
        broken
    }
}

/// Whether every row of a line is the mex of its options: in the plane of its value it is the lowest that
/// they leave, and they leave none in the planes below.
#[inline(always)]
fn holds<V: Vector>(scan: &Scan, lines: &[[u8; LINE]], top: &Top, middle: usize) -> bool {
    let own = V::Line::load(&lines[top.first + middle]);
    // The first plane on its own: nearly all rows end there, and the compiler knows its number.
    let (mut held, mut asked) =
        hold_in::<V>(scan, lines, top, middle, own, V::Line::splat(0xFF), 0);
    for plane in 1..=u8::MAX / 8 {
        if !held || !asked.any() {
            return held;
        }
        (held, asked) = hold_in::<V>(scan, lines, top, middle, own, asked, plane);
    }
    held
}

/// Whether the rows of a line that are `asked` keep the law as far as one plane goes, and which of them
/// have a value beyond it.
#[inline(always)]
fn hold_in<V: Vector>(
    scan: &Scan,
    lines: &[[u8; LINE]],
    top: &Top,
    middle: usize,
    own: V::Line,
    asked: V::Line,
    plane: u8,
) -> (bool, V::Line) {
    let bits = own.one_hot(plane);
    let seen = seen::<V>(scan, lines, top, middle, bits, plane);
    let lowest = seen.add(V::Line::splat(1)).without(seen);
    (!lowest.xor(bits).and(asked).any(), asked.and(bits.equal(V::Line::splat(0))))
}

/// What the rows of a line see of one plane.
#[inline(always)]
fn seen<V: Vector>(
    scan: &Scan,
    lines: &[[u8; LINE]],
    top: &Top,
    middle: usize,
    own: V::Line,
    plane: u8,
) -> V::Line {
    let Middle { options, leaving, entered, open } = &scan.middles[middle];
    let mut seen = scan.inside.apply::<V>(own);
    for first in &top.options {
        seen = seen.or(V::Line::load(&lines[first + middle]).one_hot(plane));
    }
    for &option in options {
        seen = seen.or(V::Line::load(&lines[top.first + usize::from(option)]).one_hot(plane));
    }
    let mut entering = Entering::<V>::new(scan);
    let mut pieces = *leaving;
    while pieces != 0 {
        let piece = pieces.trailing_zeros();
        pieces &= pieces - 1;
        let line = &lines[top.first + (middle ^ 1 << piece)];
        entering.add(piece + LOW, V::Line::load(line).one_hot(plane));
    }
    for &(piece, first) in &top.leaving {
        let from = piece + MIDDLE;
        let mut cells = entered & u64::MAX << scan.rule.lowest(from);
        while cells != 0 {
            let line = &lines[first + (middle | 1 << cells.trailing_zeros())];
            cells &= cells - 1;
            seen = seen.or(V::Line::load(line).one_hot(plane));
        }
        if *open {
            entering.add(from + LOW, V::Line::load(&lines[first + middle]).one_hot(plane));
        }
    }
    seen.or(entering.finish())
}

/// The pieces that enter the low cells, nearest first; those that reach equally far enter together.
struct Entering<'a, V: Vector> {
    scan: &'a Scan,
    lowest: u32,
    together: V::Line,
    seen: V::Line,
}

impl<'a, V: Vector> Entering<'a, V> {
    #[inline(always)]
    fn new(scan: &'a Scan) -> Self {
        Self { scan, lowest: LOW, together: V::Line::splat(0), seen: V::Line::splat(0) }
    }

    /// A piece at bit `from` of the row, and the line without it.
    #[inline(always)]
    fn add(&mut self, from: u32, line: V::Line) {
        let lowest = self.scan.rule.lowest(from);
        if lowest != self.lowest {
            self.enter();
            self.lowest = lowest;
            self.together = V::Line::splat(0);
        }
        self.together = self.together.or(line);
    }

    #[inline(always)]
    fn enter(&mut self) {
        if let Some(map) = self.scan.enters.get(self.lowest as usize) {
            self.seen = self.seen.or(map.apply::<V>(self.together));
        }
    }

    #[inline(always)]
    fn finish(mut self) -> V::Line {
        self.enter();
        self.seen
    }
}
