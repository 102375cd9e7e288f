//! Strip games: the rule as data, and the moves of a row.

use std::fmt;
use std::str::FromStr;

use super::GameError;

/// The widest strip of which a table can be made: 2^40 entries.
pub const MAX_WIDTH: u32 = 40;

/// The widest strip whose rows fit an index, and so have a value by formula.
pub const MAX_FORMULA_WIDTH: u32 = 64;

/// What a chess (piece) may pass over on its way to an empty cell on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Only pieces: a piece goes to the nearest empty cell. HDU 5724 "Chess"; staircase Nim.
    Chess,
    /// Only empty cells: the silver dollar game without the dollar.
    Slide,
    /// Anything: Welter's game, mirrored.
    Welter,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 3] = [Self::Chess, Self::Slide, Self::Welter];

    /// The name in ids and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Slide => "slide",
            Self::Welter => "welter",
        }
    }

    /// Whether a move may pass over pieces.
    pub const fn passes_pieces(self) -> bool {
        matches!(self, Self::Chess | Self::Welter)
    }

    /// Whether a move may pass over empty cells.
    pub const fn passes_empty(self) -> bool {
        matches!(self, Self::Slide | Self::Welter)
    }

    /// The cells of `row` that no move may pass over, as a bit mask (above the width: unspecified).
    pub const fn blocked(self, row: u64) -> u64 {
        let pieces = if self.passes_pieces() { 0 } else { row };
        let empty = if self.passes_empty() { 0 } else { !row };
        pieces | empty
    }

    /// The empty cells of `row` below bit `from` that a piece there could land on, as a mask.
    ///
    /// Only bits below `from` are looked at: whether there is a piece at `from` is the caller's to know.
    pub const fn landings(self, row: u64, from: u32) -> u64 {
        let below = (1_u64 << from) - 1;
        let blocked = self.blocked(row) & below;
        // The highest blocked cell can be landed on (if it is empty) but not passed. Where none is blocked the lowest
        // cell stands for it: nothing lies beyond.
        below & (u64::MAX << (blocked | 1).ilog2()) & !row
    }

    /// Whether a piece at bit `from` of `row` could pass over every cell below it.
    pub const fn passes_all(self, row: u64, from: u32) -> bool {
        self.blocked(row) & ((1 << from) - 1) == 0
    }

    pub(super) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rule {
    type Err = GameError;

    fn from_str(name: &str) -> Result<Self, GameError> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| GameError::Rule { found: name.to_owned() })
    }
}

/// A strip game: a rule on a strip of `width` cells, with an optional limit on how far a piece goes.
///
/// A row is an index of `width` bits: bit 0 is the rightmost cell, a set bit is a piece. Every move
/// clears a bit and sets a lower one, so it lowers the index, keeps the number of pieces and raises
/// the sum of the positions counted from the left.
///
/// ```
/// use grundy::game::{Rule, Strip};
/// let strip = Strip::new(Rule::Chess, 20, None)?;
/// assert_eq!(strip.entries(), 1 << 20);
/// assert_eq!(strip.options(0b110).collect::<Vec<_>>(), [0b101, 0b011]);
/// # Ok::<(), grundy::game::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strip {
    rule: Rule,
    width: u32,
    reach: Option<u32>,
}

impl Strip {
    /// A game on `width` cells. A `reach` of `width - 1` or more is no limit.
    ///
    /// # Errors
    /// [`GameError::Width`] outside `1..=40`, [`GameError::Reach`] for a reach of 0.
    pub fn new(rule: Rule, width: u32, reach: Option<u32>) -> Result<Self, GameError> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(GameError::Width { found: width });
        }
        if reach == Some(0) {
            return Err(GameError::Reach);
        }
        let reach = reach.filter(|&reach| reach < width - 1);
        Ok(Self { rule, width, reach })
    }

    /// The rule.
    pub const fn rule(self) -> Rule {
        self.rule
    }

    /// The number of cells, 1 to 40.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// The farthest that a piece may go, if that is limited.
    pub const fn reach(self) -> Option<u32> {
        self.reach
    }

    /// The number of rows: `2^width`.
    pub const fn entries(self) -> u64 {
        1 << self.width
    }

    /// The same rule and reach on another strip: its table is a prefix of this one, or the reverse.
    ///
    /// # Errors
    /// [`GameError::Width`] outside `1..=40`.
    pub fn with_width(self, width: u32) -> Result<Self, GameError> {
        Self::new(self.rule, width, self.reach)
    }

    /// The cells (bits) to which the piece at bit `from` can go, as a mask.
    ///
    /// Only bits below `from` are looked at: whether there is a piece at `from` is the caller's to know.
    pub const fn targets(self, row: u64, from: u32) -> u64 {
        self.rule.landings(row, from) & u64::MAX << self.nearest(from)
    }

    /// The lowest bit that the reach lets a piece at bit `from` go to.
    pub const fn nearest(self, from: u32) -> u32 {
        match self.reach {
            Some(reach) => from.saturating_sub(reach),
            None => 0,
        }
    }

    /// The options of `row`: the rows one move away.
    pub fn options(self, row: u64) -> impl Iterator<Item = u64> {
        self.moves(row).map(move |(from, to)| row ^ (1 << from) ^ (1 << to))
    }

    /// The moves of `row`, each as the bit that it clears and the lower bit that it sets.
    pub fn moves(self, row: u64) -> impl Iterator<Item = (u32, u32)> {
        Bits(row).flat_map(move |from| Bits(self.targets(row, from)).map(move |to| (from, to)))
    }
}

/// The set bits of a mask, lowest first.
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let bit = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            bit
        })
    }
}

/// The id: `chess-20`, or `slide-24-reach-3`.
impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.rule, self.width)?;
        self.reach.map_or(Ok(()), |reach| write!(f, "-reach-{reach}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, Strip};

    /// The definition, cell by cell: walk right from the piece; an empty cell is an option; stop
    /// behind a cell that the rule does not pass.
    fn walk(strip: Strip, row: u64, from: u32) -> u64 {
        let mut targets = 0;
        for distance in 1..=from.min(strip.reach().unwrap_or(from)) {
            let cell = from - distance;
            let piece = row >> cell & 1 == 1;
            if !piece {
                targets |= 1 << cell;
            }
            let passes =
                if piece { strip.rule().passes_pieces() } else { strip.rule().passes_empty() };
            if !passes {
                break;
            }
        }
        targets
    }

    #[test]
    fn the_targets_are_those_of_a_walk_to_the_right() {
        for rule in Rule::ALL {
            for reach in [None, Some(1), Some(2), Some(5)] {
                let strip = Strip::new(rule, 10, reach).expect("a game");
                for row in 0..strip.entries() {
                    for from in (0..10).filter(|from| row >> from & 1 == 1) {
                        let found = strip.targets(row, from);
                        assert_eq!(found, walk(strip, row, from), "{strip} {row:010b} {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_move_lowers_the_index_and_keeps_the_pieces() {
        for rule in Rule::ALL {
            let strip = Strip::new(rule, 12, None).expect("a game");
            for row in 0..strip.entries() {
                for option in strip.options(row) {
                    assert!(option < row);
                    assert_eq!(option.count_ones(), row.count_ones());
                }
            }
        }
    }

    #[test]
    fn a_reach_of_the_whole_strip_is_no_limit() {
        let free = Strip::new(Rule::Slide, 9, None).expect("a game");
        assert_eq!(Strip::new(Rule::Slide, 9, Some(8)), Ok(free));
        assert_ne!(Strip::new(Rule::Slide, 9, Some(7)), Ok(free));
        assert!(Strip::new(Rule::Slide, 9, Some(0)).is_err());
        assert!(Strip::new(Rule::Slide, 0, None).is_err());
        assert!(Strip::new(Rule::Slide, 41, None).is_err());
    }
}
