//! What can be wrong with the values, the positions or the input of a judge.

use std::fmt;

use super::heap::in_play;
use crate::game::{Game, GameError, Pile, Strip};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No theorem gives the values of this game.
    #[error("{strip} has no formula: its values need the table {strip}")]
    NoFormula {
        /// The game, whose reach is limited.
        strip: Strip,
    },
    /// No theorem gives the value of a pile from which stones have been taken.
    #[error(
        "pile {pile}: only an untouched pile has a formula; once amounts are used its value needs a table, such as stones-{}", in_play(*pile)
    )]
    NoPileFormula {
        /// The pile.
        pile: Pile,
    },
    /// The winning moves of a large pile need a table.
    #[error(
        "pile {pile}: the moves of a pile of more than {} stones need a table, such as stones-{}", super::MAX_SEARCH, in_play(*pile)
    )]
    NoSearch {
        /// The pile.
        pile: Pile,
    },
    /// The slice is not the table of the game.
    #[error("{game} has {expected} entries, the values given are {found}: give the whole table")]
    Length {
        /// The game.
        game: Game,
        /// The entries of its table.
        expected: u64,
        /// The length of the slice.
        found: u64,
    },
    /// A row belongs to another game than the values.
    #[error("row {row} is one of {found}, the values are those of {expected}")]
    OtherStrip {
        /// The row, counted from 1.
        row: usize,
        /// The game of the row.
        found: Strip,
        /// The game of the values.
        expected: Strip,
    },
    /// A pile has more stones than the table.
    #[error("pile {pile} has {} stones in play, more than the {max} of the table", in_play(*pile))]
    TooManyStones {
        /// The pile.
        pile: Pile,
        /// The largest number of the table.
        max: u32,
    },
    /// A pile that no game has.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The input of a judge cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] std::io::Error),
    /// The input of a judge is not in its format.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// Where and why an input is not in the format of its judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The line of the input, counted from 1.
    pub line: usize,
    /// Where in the problem: `test 1, row 2`, `pile 3`, or nothing in its head.
    pub place: String,
    /// What stands there.
    pub found: Found,
    /// What should, with the range allowed.
    pub expected: String,
}

/// What stands in an input where something else is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The input is over.
    End,
    /// A token, cut after 40 bytes, with what is not printable ASCII escaped.
    Token(String),
    /// A cell that its row has named before.
    Repeated(u32),
}

impl Found {
    /// The encoding whose mark, which no number begins with, begins the token.
    fn encoding(&self) -> Option<&'static str> {
        let Self::Token(token) = self else { return None };
        let marks = [(r"\xff\xfe", "UTF-16"), (r"\xfe\xff", "UTF-16"), (r"\xef\xbb\xbf", "UTF-8")];
        marks.into_iter().find_map(|(mark, name)| token.starts_with(mark).then_some(name))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the input ends"),
            Self::Token(token) => write!(f, "found \"{token}\""),
            Self::Repeated(cell) => write!(f, "cell {cell} is named twice"),
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.place.is_empty() {
            write!(f, " ({})", self.place)?;
        }
        write!(f, ": {}, expected {}", self.found, self.expected)?;
        self.found.encoding().map_or(Ok(()), |found| {
            write!(f, "; the input begins with a mark of {found}: save it as plain ASCII")
        })
    }
}

impl std::error::Error for InputError {}
