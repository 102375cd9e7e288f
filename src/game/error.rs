//! What can be wrong with a rule, a size or a position.

use super::{MAX_STONES, MAX_WIDTH, Rule};

/// A game or a position that does not exist, with what was found and what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The name of the rule is not known.
    #[error("unknown rule {found:?}: expected {}", Rule::names())]
    Rule {
        /// The name found.
        found: String,
    },
    /// The id names no game.
    #[error(
        "{id:?} is not the id of a table: expected RULE-WIDTH, RULE-WIDTH-reach-K (K below WIDTH - 1) or stones-MAX, such as chess-20, slide-24-reach-3 or stones-60"
    )]
    Id {
        /// The text found.
        id: String,
    },
    /// The width is outside the range.
    #[error("width {found} is out of range: expected 1 to {MAX_WIDTH}")]
    Width {
        /// The width found.
        found: u32,
    },
    /// A reach of 0 would forbid every move.
    #[error("reach 0 allows no move: expected at least 1, or no reach at all for no limit")]
    Reach,
    /// The largest number of stones is outside the range.
    #[error("max {found} is out of range: expected 1 to {MAX_STONES} stones")]
    Max {
        /// The number found.
        found: u32,
    },
    /// A row cannot be read.
    #[error(
        "row {row:?}: {reason}; expected cells such as `19,20` (1 is the leftmost, {width} the rightmost), `-` for no piece, or a picture of exactly {width} of `#`/`x` (a piece) and `.` (an empty cell)"
    )]
    Row {
        /// The text found.
        row: String,
        /// What is wrong with it.
        reason: String,
        /// The width of the strip.
        width: u32,
    },
    /// A pile of the stones game cannot be read.
    #[error(
        "pile {pile:?}: {reason}; expected `r` or `r:used,used` with r stones left, 0 to {max}, and the amounts already used, each at least 1 and no amount twice"
    )]
    Pile {
        /// The text found.
        pile: String,
        /// What is wrong with it.
        reason: String,
        /// The largest number of stones of the table.
        max: u32,
    },
}
