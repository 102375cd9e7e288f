//! What a check has found: how many entries are bad, and the first of them.

use std::fmt;

use crate::game::Game;

/// A bad entry, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// Its place in the table.
    pub index: u64,
    /// The position as a person writes it; or the name of what is no position.
    pub row: String,
    /// What the table has.
    pub found: Shown,
    /// What it should have.
    pub expected: Shown,
}

/// A value of a table, or the text of a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The bad entries of a stretch of a table. Merging is the same in any order, so nothing depends on threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) bad: u64,
    pub(super) first: Option<Wrong>,
}

/// A wrong entry. `expected` is `None` where no byte could hold the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) index: u64,
    pub(super) found: u8,
    pub(super) expected: Option<u8>,
}

impl Finding {
    /// Compares one entry.
    pub(super) fn compare(&mut self, index: u64, found: u8, expected: Option<u8>) {
        if Some(found) != expected {
            let wrong = Self { bad: 1, first: Some(Wrong { index, found, expected }) };
            *self = self.merge(wrong);
        }
    }

    /// What is found in two stretches.
    pub(super) fn merge(self, other: Self) -> Self {
        let firsts = self.first.into_iter().chain(other.first);
        Self { bad: self.bad + other.bad, first: firsts.min_by_key(|wrong| wrong.index) }
    }
}

impl Wrong {
    pub(super) fn show(self, game: &Game) -> Bad {
        let expected = self.expected.map_or_else(
            || Shown::Text("a value above 255".to_owned()),
            |value| Shown::Number(value.into()),
        );
        let found = Shown::Number(self.found.into());
        Bad { index: self.index, row: game.picture(self.index), found, expected }
    }
}
