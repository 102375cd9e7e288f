//! Complete tables of Grundy values (nimbers) for games on a strip of cells and for the stones game:
//! generated in parallel, written as files to be mapped into memory, and proved right.
//!
//! Data goes one way through the modules, as plain bytes:
//!
//! ```text
//! game ──> generate ──> table ──> verify | solve | experiment ──> the command `grundy`
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`game`] | positions, moves, and what theorems say of values |
//! | [`simd`] | the instruction sets, and what kernels are made of |
//! | [`generate`] | three ways to the same bytes |
//! | [`table`] | the file: written whole or not at all, read as hostile |
//! | [`verify`] | five ways to doubt a table |
//! | [`solve`] | sums of positions, their winning moves, and the judges' formats |
//! | [`experiment`] | how fast all of it is |
//! | [`picture`] | a table as pixels (only with the feature `cli`) |
//!
//! ```
//! use grundy::game::{Game, Row, Rule, Strip};
//! use grundy::generate::{Method, Settings, generate};
//! use grundy::verify::check_law;
//!
//! // The game of HDU 5724 on 12 cells: a piece goes to the nearest empty cell on its right.
//! let strip = Strip::new(Rule::Chess, 12, None)?;
//! let game = Game::from(strip);
//! let settings = Settings::detect();
//! let mut values = vec![0; 1 << 12];
//! generate(&game, Method::Layered, settings, &mut values, &())?;
//!
//! // Every entry is the smallest value that none of its options has: that alone proves the table.
//! assert_eq!(check_law(&game, &values, settings.level)?.0, 0);
//!
//! let row = Row::parse(strip, "...##.......")?;
//! assert_eq!(values[row.index() as usize], 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without the default feature `cli` the library pulls in nothing that only the command needs.

pub mod experiment;
pub mod game;
pub mod generate;
#[cfg(feature = "cli")]
pub mod picture;
pub mod simd;
pub mod solve;
pub mod table;
pub mod verify;
