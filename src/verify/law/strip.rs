//! The law of the strip games, row by row.

use rayon::prelude::*;

use super::super::finding::Finding;
use super::scan;
use crate::game::{Mex, Strip};
use crate::simd::{LINE, Level};

/// Checks every row against its options. The vector scan says which lines are worth a look; what is wrong
/// with a row is said by the plain one.
pub(super) fn law(strip: Strip, values: &[u8], level: Level) -> Finding {
    if scan::applies_to(strip) {
        let broken = scan::broken_lines(strip, values, level);
        look(strip, values, broken.into_par_iter().map(|line| line * LINE))
    } else {
        let starts: Vec<usize> = (0..values.len()).step_by(LINE).collect();
        look(strip, values, starts.into_par_iter())
    }
}

/// Checks up to 64 rows from each of `starts`, row by row.
fn look(
    strip: Strip,
    values: &[u8],
    starts: impl IndexedParallelIterator<Item = usize>,
) -> Finding {
    let moves = Moves::new(strip);
    let findings = starts.map(|start| {
        let mut finding = Finding::default();
        for (place, &found) in values[start..].iter().take(LINE).enumerate() {
            let row = (start + place) as u64;
            finding.compare(row, found, moves.mex(row, values));
        }
        finding
    });
    findings.reduce(Finding::default, Finding::merge)
}

/// The moves, distance by distance: all pieces of a row take one more step at once.
struct Moves {
    reach: u32,
    pieces_pass: u64,
    empty_pass: u64,
}

impl Moves {
    fn new(strip: Strip) -> Self {
        let mask = |passes| if passes { u64::MAX } else { 0 };
        Self {
            reach: strip.reach().unwrap_or(strip.width()),
            pieces_pass: mask(strip.rule().passes_pieces()),
            empty_pass: mask(strip.rule().passes_empty()),
        }
    }

    /// The mex of the entries of the options of `row`.
    fn mex(&self, row: u64, values: &[u8]) -> Option<u8> {
        let passable = row & self.pieces_pass | !row & self.empty_pass;
        let mut mex = Mex::default();
        // The pieces on their way, still on the cells where they stand: all that lies strictly between
        // each and the cell `distance` to its right may be passed, and that cell exists.
        let mut going = row;
        for distance in 1..=self.reach {
            going &= u64::MAX << distance;
            if going == 0 {
                break;
            }
            let mut landing = (going >> distance) & !row;
            while landing != 0 {
                let to = landing & landing.wrapping_neg();
                landing ^= to;
                mex.insert(values[(row ^ to ^ (to << distance)) as usize]);
            }
            going &= passable << distance;
        }
        mex.value()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{LINE, Moves, scan};
    use crate::game::{Rule, Strip};
    use crate::generate::{Method, Settings, generate};
    use crate::simd::Level;

    /// Which options the law looks at, found by giving each row in turn the only entry 0.
    fn looked_at(strip: Strip, row: u64) -> BTreeSet<u64> {
        let moves = Moves::new(strip);
        let is_seen = |option: &u64| {
            let mut values = vec![1; strip.entries() as usize];
            values[*option as usize] = 0;
            moves.mex(row, &values) != Some(0)
        };
        (0..strip.entries()).filter(is_seen).collect()
    }

    #[test]
    fn the_law_looks_at_exactly_the_options_of_the_rules() {
        for rule in Rule::ALL {
            for reach in [None, Some(1), Some(2), Some(4)] {
                let strip = Strip::new(rule, 7, reach).expect("a game");
                for row in 0..strip.entries() {
                    let expected: BTreeSet<u64> = strip.options(row).collect();
                    assert_eq!(looked_at(strip, row), expected, "{strip} {row:07b}");
                }
            }
        }
    }

    /// What the scan passes over is never looked at again, and what it finds is slow to look at: it is held to the
    /// plain check in both directions.
    #[test]
    fn the_scan_finds_exactly_the_lines_with_a_broken_row() {
        for rule in Rule::ALL {
            for (width, reach) in
                [(16, None), (17, None), (16, Some(1)), (16, Some(3)), (17, Some(12))]
            {
                let strip = Strip::new(rule, width, reach).expect("a game");
                assert!(scan::applies_to(strip), "{strip} is too narrow");
                let right = naive(strip);
                scan_is_plain(strip, &right, "right");
                for number in 0..12_usize {
                    let row = number * 1237 % right.len();
                    let mut values = right.clone();
                    values[row] = [values[row] ^ 1, values[row] + 2][number % 2];
                    scan_is_plain(strip, &values, &format!("row {row} has {}", values[row]));
                }
            }
        }
    }

    fn naive(strip: Strip) -> Vec<u8> {
        let mut values = vec![0; strip.entries() as usize];
        let settings = Settings::detect();
        generate(&strip.into(), Method::Naive, settings, &mut values, &()).expect("a table");
        values
    }

    fn scan_is_plain(strip: Strip, values: &[u8], what: &str) {
        let moves = Moves::new(strip);
        let broken = |row: &usize| moves.mex(*row as u64, values) != Some(values[*row]);
        let lines: BTreeSet<usize> =
            (0..values.len()).filter(broken).map(|row| row / LINE).collect();
        for level in Level::available() {
            let found = BTreeSet::from_iter(scan::broken_lines(strip, values, level));
            assert_eq!(found, lines, "{strip} {level:?}, {what}");
        }
    }
}
