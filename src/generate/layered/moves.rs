//! The moves inside a tile: for each band, the bands that it needs.
//!
//! They depend on the rule, the reach and the number of cells alone, and are made from [`Rule::landings`] and
//! the reach. Rules are named once, so that the compiler knows what each passes.
//!
//! They stand in the order in which the bands are found, one record after another: who finds all bands
//! reads them as a stream. That is worth more than its few instructions: the next record is in the first
//! level of cache, and a loop over sources knows early how often it runs.

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
    records: Vec<u16>,
    /// Where the record of each band begins.
    starts: Vec<u32>,
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
    pub(super) const NONE: Self = Self { records: Vec::new(), starts: Vec::new() };

    /// The moves of `strip` in a tile of `middle` cells above the low ones.
    pub(super) fn new(strip: Strip, middle: u32, level: Level) -> Self {
        let bands = 1 << middle;
        let records = vec![0; bands * HEAD + most_sources(strip, middle) + RECORD];
        let mut moves = Self { records, starts: vec![0; bands] };
        level.run(List { moves: &mut moves, strip, middle });
        moves
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

/// A bound on the number of sources of all bands: of each piece and each empty cell in its reach, or one
/// of each piece, or of each empty cell, where a move may pass over one kind alone.
fn most_sources(strip: Strip, middle: u32) -> usize {
    let pairs: u32 = (0..middle).map(|piece| piece - strip.nearest(piece)).sum();
    let of_pairs = ((pairs as usize) << middle) / 4;
    let of_cells = ((middle as usize) << middle) / 2;
    let rule = strip.rule();
    if rule.passes_pieces() && rule.passes_empty() { of_pairs } else { of_pairs.min(of_cells) }
}

/// Writes the moves.
///
/// It has nothing to do with vectors, but with the counting of bits, which older processors lack.
struct List<'a> {
    moves: &'a mut Moves,
    strip: Strip,
    middle: u32,
}

impl Kernel for List<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        match self.strip.rule() {
            Rule::Chess => self.list::<{ Rule::Chess as usize }>(),
            Rule::Slide => self.list::<{ Rule::Slide as usize }>(),
            Rule::Welter => self.list::<{ Rule::Welter as usize }>(),
        }
    }
}

impl List<'_> {
    /// Those of each band from those of the band without its highest piece, which comes earlier: the lower
    /// pieces do not see it.
    #[inline(always)]
    fn list<const RULE: usize>(self) {
        let rule = Rule::ALL[RULE];
        // For each piece the middle cells in its reach, and its bit, if the low cells are as well.
        let reach: [(u16, u16); u16::BITS as usize] = std::array::from_fn(|piece| {
            let drops = self.strip.nearest(piece as u32 + CELLS) < CELLS;
            (u16::MAX << self.strip.nearest(piece as u32), u16::from(drops) << piece)
        });
        // Slices, so that their ends need not be read again after each write.
        let (records, starts) = (&mut self.moves.records[..], &mut self.moves.starts[..]);
        // The band without pieces comes first, and has no moves: zeros.
        let mut start = HEAD;
        for &band in in_order(self.middle).iter().skip(1) {
            starts[usize::from(band)] = start as u32;
            let band = u32::from(band);
            let piece = (band | 1).ilog2();
            let bit = 1 << piece;
            let rest = band ^ bit;
            let from = starts[rest as usize] as usize;
            let Some(&[drops, count, ref sources @ ..]) = records[from..].first_chunk::<RECORD>()
            else {
                break;
            };
            let sources = sources.map(|source| source | bit as u16);
            let mut end = HEAD + usize::from(count);
            if rule.passes_pieces() && rule.passes_empty() {
                for at in RECORD..end {
                    records[start + at] = records[from + at] | bit as u16;
                }
            }
            let record = &mut records[start..];
            let Some(chunk) = record.first_chunk_mut::<RECORD>() else { break };
            // What is too much is overwritten by what follows.
            chunk[HEAD..].copy_from_slice(&sources);
            let (in_reach, drop) = reach[piece as usize % reach.len()];
            let mut targets = rule.landings(rest.into(), piece) as u32 & u32::from(in_reach);
            if rule.passes_empty() {
                while targets != 0 {
                    record[end] = (rest | lowest(targets)) as u16;
                    end += 1;
                    targets &= targets - 1;
                }
            } else {
                // One at most, and not a branch: whether there is one is hard to foresee.
                record[end] = (rest | lowest(targets)) as u16;
                end += usize::from(targets != 0);
            }
            record[0] = if rule.passes_all(rest.into(), piece) { drops | drop } else { drops };
            record[1] = (end - HEAD) as u16;
            start += end;
        }
        self.moves.records.truncate(start);
    }
}

/// The lowest target.
#[inline(always)]
fn lowest(targets: u32) -> u32 {
    targets & targets.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::Moves;
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
            for (middle, reach) in
                [(0, None), (1, None), (7, Some(1)), (9, None), (9, Some(5)), (9, Some(12))]
            {
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
