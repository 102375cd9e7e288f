//! Timing experiments: a plan makes samples, samples make statistics, statistics make a report.
//!
//! | file | does | knows |
//! |---|---|---|
//! | `work`, `plan` | what can be timed, and which cases are: games, contenders, threads, levels | the rooms above |
//! | `memory`, `scratch` | where it happens | nothing |
//! | `baseline`, `file`, `probe`, `workload` | what is timed, and the right answer to it | the rooms above |
//! | `measure` | warms, repeats and interleaves the cases | `plan`, `workload` |
//! | `statistics` | numbers from numbers | nothing |
//! | `machine`, `outcome`, `report` | what is recorded, as data | all of these |
//! | `figure`, `chart`, `svg`, `page` | the report as pictures and as a page (only with the feature `cli`) | `report` |
//! | `text` | the report as words for people | `report` |
//! | `compare` | two reports: which differences exceed the noise | `report` |
//!
//! Whoever wants to time tables may enter; nothing here prints. Answers are checked outside the timed
//! span, every time. The benches of `benches/` take their workloads from here.

mod baseline;
#[cfg(feature = "cli")]
mod chart;
mod compare;
#[cfg(feature = "cli")]
mod figure;
mod file;
mod machine;
mod measure;
mod memory;
mod outcome;
#[cfg(feature = "cli")]
mod page;
mod plan;
mod probe;
mod report;
mod scratch;
mod statistics;
#[cfg(feature = "cli")]
mod svg;
mod text;
mod work;
mod workload;

use std::io;
use std::path::{Path, PathBuf};

use crate::game::Game;
use crate::generate::GenerateError;
use crate::table::TableError;
use crate::verify::VerifyError;

pub use compare::{Change, Comparison, Verdict};
#[cfg(feature = "cli")]
pub use figure::Figure;
pub use file::{Ledger, Times};
pub use machine::Machine;
pub use measure::{Measured, Sample, Series, Watcher, run};
pub use memory::Memory;
pub use outcome::{Outcome, Part, Parts, Share, Spread};
pub use plan::{Plan, What};
pub use report::{Asked, Limit, Report, SCHEMA};
pub use statistics::Statistics;
pub use text::CSV_HEADINGS;
pub use work::{Bound, Case, Contender, Probe, Work};
pub use workload::{Answer, Reference, Workload};

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
    /// A folder cannot be written into.
    #[error("cannot write into the folder {}: {reason}; name another with --folder", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
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
    /// A record of an experiment cannot be read.
    #[error(
        "{path} is no record of a bench: {problem}; expected {SCHEMA}, as bench --json prints it"
    )]
    Record {
        /// The file, or what else it came from.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A table could not be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A table could not be written or read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table could not be checked.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl ExperimentError {
    /// An error of the system while writing into `folder`.
    fn folder(folder: &Path) -> impl FnOnce(io::Error) -> Self {
        let folder = folder.to_owned();
        move |cause| Self::Folder { folder, reason: cause.to_string() }
    }
}
