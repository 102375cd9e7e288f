//! Timing experiments: a plan makes samples, samples make statistics, statistics make a report.
//!
//! | file | does | knows |
//! |---|---|---|
//! | `plan` | which cases: games, contenders, threads, levels | the rooms above |
//! | `memory`, `baseline`, `workload` | what is timed, and the right answer to it | the rooms above |
//! | `measure` | warms, repeats and interleaves the cases | `plan`, `workload` |
//! | `statistics` | numbers from numbers | nothing |
//! | `machine`, `report` | what is recorded, as data | all of these |
//! | `text` | the report as words for people | `report` |
//!
//! Whoever wants to time tables may enter; nothing here prints. Answers are checked outside the timed
//! span, every time. The benches of `benches/` take their workloads from here.

mod baseline;
mod machine;
mod measure;
mod memory;
mod plan;
mod report;
mod statistics;
mod text;
mod workload;

use crate::game::Game;
use crate::generate::GenerateError;
use crate::verify::VerifyError;

pub use machine::Machine;
pub use measure::{Measured, Series, Watcher, run};
pub use memory::Memory;
pub use plan::{Case, Contender, Plan, What, Work};
pub use report::{Outcome, Report, SCHEMA, Spread};
pub use statistics::Statistics;
pub use workload::{Reference, Workload};

/// Why an experiment gave no figures.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The name of a contender is not known.
    #[error("unknown method {found:?}: expected layered, naive, closed-form or contest")]
    Contender {
        /// The name found.
        found: String,
    },
    /// The name of what is timed is not known.
    #[error("cannot time {found:?}: expected {}", What::names())]
    What {
        /// The name found.
        found: String,
    },
    /// No case is left.
    #[error("nothing to time: none of the methods named can make any of the tables named")]
    Nothing,
    /// The memory for the table cannot be had.
    #[error("cannot have {bytes} bytes of memory for a table: {reason}; time a smaller one")]
    Memory {
        /// The bytes asked for.
        bytes: u64,
        /// What the system says.
        reason: String,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}; ask for fewer with --threads")]
    Threads {
        /// The threads asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// What was timed gave a wrong answer: the figures are worth nothing.
    #[error("{case}: wrong answer: {problem}; the figures of this run are worth nothing")]
    Wrong {
        /// What was timed.
        case: String,
        /// What is wrong.
        problem: String,
    },
    /// No table to compare answers with.
    #[error("{game}: the table to compare with is wrong: {problem}")]
    Reference {
        /// The game.
        game: Game,
        /// What is wrong.
        problem: String,
    },
    /// A table could not be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A table could not be checked.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}
