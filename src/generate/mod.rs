//! Three ways to the same bytes: rules in, values out into a slice. This room never meets a file.
//!
//! | method | what it trusts | order |
//! |---|---|---|
//! | [`Method::Naive`] | the definition alone | index order, sequential |
//! | [`Method::Layered`] | the rules alone | layers of independent rows, parallel, SIMD |
//! | [`Method::ClosedForm`] | a theorem, where there is one | a parallel stream |
//!
//! All give the same bytes for any number of threads and any instruction set.

mod closed_form;
mod layered;
mod naive;
mod naive_stones;
mod stones;
mod threads;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::game::Game;
use crate::simd::Level;

/// How the values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Layer by layer, from the rules alone: the engine of this project.
    Layered,
    /// The definition, sequential, without cleverness: the oracle.
    Naive,
    /// The theorem of the rule, where there is one.
    ClosedForm,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::Layered, Self::Naive, Self::ClosedForm];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layered => "layered",
            Self::Naive => "naive",
            Self::ClosedForm => "closed-form",
        }
    }

    /// Whether the method can make the complete table of `game`.
    pub fn applies_to(self, game: &Game) -> bool {
        match (self, game) {
            (Self::Layered | Self::Naive, _) => true,
            (Self::ClosedForm, Game::Strip(strip)) => strip.reach().is_none(),
            (Self::ClosedForm, Game::Stones(_)) => false,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = GenerateError;

    fn from_str(name: &str) -> Result<Self, GenerateError> {
        Self::ALL
            .into_iter()
            .find(|method| method.name() == name)
            .ok_or_else(|| GenerateError::Method { found: name.to_owned() })
    }
}

/// On what the work runs: never what comes out of it.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The instruction set.
    pub level: Level,
    /// The most threads to use; `None` for as many as there are processors. A small table is filled by
    /// fewer, as many as pay.
    pub threads: Option<NonZeroUsize>,
    /// Whether a small table gets all its threads as well: for tests of what runs in parallel.
    #[doc(hidden)]
    pub small_too: bool,
}

impl Settings {
    /// The best level of this processor, and as many threads as pay.
    pub fn detect() -> Self {
        Self { level: Level::detect(), threads: None, small_too: false }
    }

    /// At most `threads` threads.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }
}

/// Why a table could not be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The name of the method is not known.
    #[error("unknown method {found:?}: expected layered, naive or closed-form")]
    Method {
        /// The name found.
        found: String,
    },
    /// The game has no such method.
    #[error("{game} has no method {method}: expected {}", methods(game))]
    NotApplicable {
        /// The game.
        game: Game,
        /// The method asked for.
        method: Method,
    },
    /// The buffer is not that of the table.
    #[error(
        "{game} has {expected} entries, the buffer given has {found} bytes: give one byte an entry"
    )]
    Length {
        /// The game.
        game: Game,
        /// The entries of the table.
        expected: u64,
        /// The bytes of the buffer.
        found: u64,
    },
    /// A value that no byte holds.
    #[error(
        "{game}: the value of {position} (index {index}) is larger than 255, the most a table holds"
    )]
    Overflow {
        /// The game.
        game: Game,
        /// The position as a person writes it.
        position: String,
        /// Its place in the table.
        index: u64,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}; ask for fewer with --threads")]
    Threads {
        /// The threads asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
}

fn methods(game: &Game) -> String {
    let names = Method::ALL.into_iter().filter(|method| method.applies_to(game)).map(Method::name);
    names.collect::<Vec<_>>().join(" or ")
}

/// Is told of stretches of the table before and after they are filled, by the thread that fills them.
///
/// So a caller can touch the pages beforehand, and digest and count values while they are hot.
/// The stretches cover the table exactly once, in any order. Each begins at a multiple of its own
/// length rounded up to a power of two, or of 256 KiB, whichever is smaller.
///
/// It may use the threads of a rayon pool, also of the one that it runs on: none of them waits for a stretch.
pub trait Observer: Sync {
    /// The bytes `values` of the table at `offset` are about to be filled.
    fn before(&self, offset: u64, values: &mut [u8]) {
        let _ = (offset, values);
    }

    /// The bytes `values` of the table at `offset` are final.
    fn after(&self, offset: u64, values: &[u8]) {
        let _ = (offset, values);
    }

    /// Whether the bytes should be in the cache when [`Observer::after`] sees them. Where nobody looks,
    /// a large table is written past the caches.
    fn looks(&self) -> bool {
        true
    }
}

/// The observer that looks away.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Fills `values`, one byte an entry, with the complete table of `game`, and returns the number of
/// threads used.
///
/// ```
/// use grundy::game::{Game, Rule, Strip};
/// use grundy::generate::{Method, Settings, generate};
/// let game = Game::from(Strip::new(Rule::Chess, 10, None)?);
/// let mut values = vec![0; 1 << 10];
/// generate(&game, Method::Layered, Settings::detect(), &mut values, &())?;
/// // Of the runs of pieces, every other one counts: 6, not 2.
/// assert_eq!(values[0b11_0111_1110], 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GenerateError`], where the method does not apply, the buffer has another length than the table,
/// or a value does not fit a byte. What is then in `values` is unspecified.
pub fn generate(
    game: &Game,
    method: Method,
    settings: Settings,
    values: &mut [u8],
    observer: &dyn Observer,
) -> Result<usize, GenerateError> {
    if !method.applies_to(game) {
        return Err(GenerateError::NotApplicable { game: *game, method });
    }
    if values.len() as u64 != game.entries() {
        let (expected, found) = (game.entries(), values.len() as u64);
        return Err(GenerateError::Length { game: *game, expected, found });
    }
    match (method, game) {
        (Method::Naive, Game::Strip(strip)) => naive::strip(*strip, values, observer).map(|()| 1),
        (Method::Naive, Game::Stones(stones)) => {
            naive_stones::stones(*stones, values, observer).map(|()| 1)
        }
        (Method::Layered, Game::Strip(strip)) => layered::strip(*strip, settings, values, observer),
        (Method::Layered, Game::Stones(game)) => stones::layered(*game, settings, values, observer),
        (Method::ClosedForm, Game::Strip(strip)) => {
            closed_form::strip(*strip, settings, values, observer)
        }
        (Method::ClosedForm, Game::Stones(_)) => {
            Err(GenerateError::NotApplicable { game: *game, method })
        }
    }
}

/// The error of a value beyond a byte at `index`.
fn overflow(game: Game, index: usize) -> GenerateError {
    let index = index as u64;
    GenerateError::Overflow { game, position: game.picture(index), index }
}
