//! The moves inside a tile: for each band, the bands that it needs.
//!
//! They depend on the rule, the reach and the number of cells alone, and are made from [`Rule::landings`] and
//! the reach. Rules are named once, so that the compiler knows what each passes.
//!
//! They stand in the order in which the bands are found, one record after another: who finds all bands
//! reads them as a stream. That is worth more than its few instructions: the next record is in the first
//! level of cache, and a loop over sources knows early how often it runs.

use std::borrow::Cow;

use super::MIDDLE;
use super::low::CELLS;
use super::order::{MAX_CELLS, in_order};
use crate::game::{Rule, Strip};
use crate::simd::{Kernel, Level, Vector};

/// How many sources are copied at once: all where each piece, or each empty cell, has one at most.
const CHUNK: usize = 16;

const _: () = assert!(MAX_CELLS as usize <= CHUNK);

/// What a record begins with: the pieces that drop, and the number of sources.
const HEAD: usize = 2;

/// A record as far as it is copied at once.
const RECORD: usize = HEAD + CHUNK;

/// The moves of all bands of a tile.
pub(super) struct Moves {
    records: Cow<'static, [u16]>,
    /// Where the record of each band begins.
    starts: Cow<'static, [u32]>,
}

/// What one band needs of its tile.
#[derive(Clone, Copy)]
pub(super) struct Needs<'a> {
    /// The bands that it needs with the same low cells.
    pub(super) sources: &'a [u16],
    /// The pieces that can leave for the low cells: they *drop*.
    pub(super) drops: u16,
}

impl Moves {
    /// Nobody's moves: where pieces go anywhere nobody looks at moves one by one (`lifted.rs`).
    pub(super) const NONE: Self = Self { records: Cow::Borrowed(&[]), starts: Cow::Borrowed(&[]) };

    /// The moves of `strip` in a tile of `middle` cells above the low ones.
    pub(super) fn new(strip: Strip, middle: u32, level: Level) -> Self {
        if let Some(listed) = Listed::of(strip, middle) {
            let (records, _) = listed.records.split_at(listed.end);
            return Self { records: records.into(), starts: listed.starts.as_slice().into() };
        }
        let mut records = vec![0; room(strip, middle)];
        let mut starts = vec![0; 1 << middle];
        let list = List { records: &mut records, starts: &mut starts, strip, middle };
        let end = level.run(list);
        records.truncate(end);
        Self { records: records.into(), starts: starts.into() }
    }

    /// What `band` needs.
    #[inline(always)]
    pub(super) fn of(&self, band: usize) -> Needs<'_> {
        let start = self.starts[band] as usize;
        match split(&self.records[start..]) {
            Some((needs, _)) => needs,
            None => Needs { sources: &[], drops: 0 },
        }
    }

    /// What each band needs, in order.
    #[inline(always)]
    pub(super) fn in_order(&self) -> impl Iterator<Item = Needs<'_>> {
        let mut left = &self.records[..];
        std::iter::from_fn(move || {
            let (needs, rest) = split(left)?;
            left = rest;
            Some(needs)
        })
    }
}

/// The first record, and what follows.
#[inline(always)]
fn split(records: &[u16]) -> Option<(Needs<'_>, &[u16])> {
    let (&[drops, count], rest) = records.split_first_chunk::<HEAD>()?;
    let (sources, rest) = rest.split_at_checked(usize::from(count))?;
    Some((Needs { sources, drops }, rest))
}

/// The most that the records of all bands take, and what is written behind the last one: a source of each piece
/// and each empty cell in its reach, or one of each piece, or of each empty cell, where a move may pass over one
/// kind alone.
fn room(strip: Strip, middle: u32) -> usize {
    let pairs: u32 = (0..middle).map(|piece| piece - strip.nearest(piece)).sum();
    let of_pairs = ((pairs as usize) << middle) / 4;
    let rule = strip.rule();
    if rule.passes_pieces() && rule.passes_empty() {
        (HEAD << middle) + of_pairs + RECORD
    } else {
        room_of_cells(middle).min((HEAD << middle) + of_pairs + RECORD)
    }
}

/// The same where each piece, or each empty cell, has one source at most.
const fn room_of_cells(middle: u32) -> usize {
    (HEAD << middle) + ((middle as usize) << middle) / 2 + RECORD
}

/// For each piece the middle cells in its reach, and its bit, if the low cells are as well.
type Reach = [(u16, u16); u16::BITS as usize];

fn reach(strip: Strip) -> Reach {
    std::array::from_fn(|piece| {
        let drops = strip.nearest(piece as u32 + CELLS) < CELLS;
        (u16::MAX << strip.nearest(piece as u32), u16::from(drops) << piece)
    })
}

/// The same without a limit.
const fn no_limit() -> Reach {
    let (mut reach, mut piece) = ([(u16::MAX, 0); u16::BITS as usize], 0);
    while piece < reach.len() {
        reach[piece].1 = 1 << piece;
        piece += 1;
    }
    reach
}

/// The moves of a whole tile, listed by the compiler: to list them is a tenth of the work at width 20.
struct Listed {
    records: [u16; room_of_cells(MIDDLE)],
    starts: [u32; 1 << MIDDLE],
    end: usize,
}

static CHESS: Listed = Listed::new::<{ Rule::Chess as usize }>();
static SLIDE: Listed = Listed::new::<{ Rule::Slide as usize }>();

impl Listed {
    #[expect(clippy::large_stack_arrays, reason = "the compiler runs it, once")]
    const fn new<const RULE: usize>() -> Self {
        let mut records = [0; room_of_cells(MIDDLE)];
        let mut starts = [0; 1 << MIDDLE];
        let end = list::<RULE>(&mut records, &mut starts, &no_limit(), MIDDLE);
        Self { records, starts, end }
    }

    /// Those of `strip` with `middle` cells, if they are listed.
    fn of(strip: Strip, middle: u32) -> Option<&'static Self> {
        match strip.rule() {
            _ if middle != MIDDLE || strip.reach().is_some() => None,
            Rule::Chess => Some(&CHESS),
            Rule::Slide => Some(&SLIDE),
            Rule::Welter => None,
        }
    }
}

/// Writes the moves, and returns where they end.
///
/// It has nothing to do with vectors, but with the counting of bits, which older processors lack.
struct List<'a> {
    records: &'a mut [u16],
    starts: &'a mut [u32],
    strip: Strip,
    middle: u32,
}

impl Kernel for List<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self) -> usize {
        let Self { records, starts, strip, middle } = self;
        let reach = reach(strip);
        match strip.rule() {
            Rule::Chess => list::<{ Rule::Chess as usize }>(records, starts, &reach, middle),
            Rule::Slide => list::<{ Rule::Slide as usize }>(records, starts, &reach, middle),
            Rule::Welter => list::<{ Rule::Welter as usize }>(records, starts, &reach, middle),
        }
    }
}

/// Writes the moves of each band from those of the band without its highest piece, which comes earlier: the lower
/// pieces do not see it. Returns where they end.
#[inline(always)]
const fn list<const RULE: usize>(
    records: &mut [u16],
    starts: &mut [u32],
    reach: &Reach,
    middle: u32,
) -> usize {
    let rule = Rule::ALL[RULE];
    // The band without pieces comes first, and has no moves: zeros.
    let mut start = HEAD;
    let Some((_, mut bands)) = in_order(middle).split_first() else { return 0 };
    while let Some((&band, later)) = bands.split_first() {
        bands = later;
        let band = band as u32;
        starts[band as usize] = start as u32;
        let piece = (band | 1).ilog2();
        let bit = 1 << piece;
        let rest = band ^ bit;
        let from = starts[rest as usize] as usize;
        let Some((_, record)) = records.split_at_checked(from) else { break };
        let Some(&[drops, count, ref sources @ ..]) = record.first_chunk::<RECORD>() else { break };
        let (mut sources, mut n) = (*sources, 0);
        while n < CHUNK {
            sources[n] |= bit as u16;
            n += 1;
        }
        let mut end = HEAD + count as usize;
        if rule.passes_pieces() && rule.passes_empty() {
            let mut at = RECORD;
            while at < end {
                records[start + at] = records[from + at] | bit as u16;
                at += 1;
            }
        }
        let Some((_, record)) = records.split_at_mut_checked(start) else { break };
        let Some((_, chunk)) = record.split_at_mut_checked(HEAD) else { break };
        let Some(chunk) = chunk.first_chunk_mut::<CHUNK>() else { break };
        // What is too much is overwritten by what follows.
        *chunk = sources;
        let (in_reach, drop) = reach[piece as usize % reach.len()];
        let mut targets = rule.landings(rest as u64, piece) as u32 & in_reach as u32;
        if rule.passes_empty() {
            while targets != 0 {
                record[end] = (rest | lowest(targets)) as u16;
                end += 1;
                targets &= targets - 1;
            }
        } else {
            // One at most, and not a branch: whether there is one is hard to foresee.
            record[end] = (rest | lowest(targets)) as u16;
            end += (targets != 0) as usize;
        }
        record[0] = if rule.passes_all(rest as u64, piece) { drops | drop } else { drops };
        record[1] = (end - HEAD) as u16;
        start += end;
    }
    start
}

/// The lowest target.
#[inline(always)]
const fn lowest(targets: u32) -> u32 {
    targets & targets.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::{MIDDLE, Moves};
    use crate::game::{Rule, Strip};
    use crate::generate::layered::low::CELLS;
    use crate::generate::layered::order::in_order;
    use crate::simd::Level;

    /// The needs of a band by the moves of a row with nothing in the low cells: sources, drops.
    fn needs(strip: Strip, band: u16) -> (Vec<u16>, u16) {
        let (mut sources, mut drops) = (Vec::new(), 0);
        for (from, to) in strip.moves(u64::from(band) << CELLS) {
            if to >= CELLS {
                sources.push(band ^ 1 << (from - CELLS) ^ 1 << (to - CELLS));
            } else {
                drops |= 1 << (from - CELLS);
            }
        }
        sources.sort_unstable();
        (sources, drops)
    }

    #[test]
    fn the_list_has_the_moves_of_all_bands_in_order() {
        for rule in Rule::ALL {
            for (middle, reach) in [
                (0, None),
                (1, None),
                (7, Some(1)),
                (9, None),
                (9, Some(5)),
                (9, Some(12)),
                (MIDDLE, None),
            ] {
                let strip = Strip::new(rule, CELLS + middle, reach).expect("a game");
                for level in Level::available() {
                    let moves = Moves::new(strip, middle, level);
                    let mut listed = moves.in_order();
                    for &band in in_order(middle) {
                        for found in [listed.next().expect("a record"), moves.of(band.into())] {
                            let mut sources = found.sources.to_vec();
                            sources.sort_unstable();
                            let expected = needs(strip, band);
                            assert_eq!(
                                (sources, found.drops),
                                expected,
                                "{strip} {level} {band:b}"
                            );
                        }
                    }
                    assert!(listed.next().is_none(), "{strip} {level}: more records than bands");
                }
            }
        }
    }
}
