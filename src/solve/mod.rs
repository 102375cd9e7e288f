//! Answers: the value of a sum, who wins it, every winning move, and the formats of the two judges.
//!
//! Values come from a table, which is a plain slice here, or from the formula where there is one. This
//! room reads bytes and writes bytes: it knows no files, prints nothing, and lets nothing through
//! that a position cannot be. It asks `game` for moves and never meets the generator.
//!
//! ```
//! use grundy::game::{Row, Rule, Strip};
//! use grundy::solve::{Board, RowMove, RowValues};
//! let strip = Strip::new(Rule::Chess, 20, None)?;
//! let rows = vec![Row::parse(strip, "19,20")?, Row::parse(strip, "19")?];
//! let board = Board::new(RowValues::formula(strip)?, rows)?;
//! assert_eq!(board.value(), 1);
//! assert_eq!(board.winning_moves().next(), Some(RowMove { row: 2, from: 19, to: 20 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
pub mod cf768e;
mod error;
pub mod hdu5724;
mod heap;
mod scan;
mod search;

pub use board::{Board, RowMove, RowValues};
pub use error::{Found, InputError, SolveError};
pub use heap::{Heap, PileMove, PileValues};
pub use search::MAX_SEARCH;
