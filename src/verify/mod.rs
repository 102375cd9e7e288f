//! Proof, in five words: integrity, law, naive, theory, known.
//!
//! | check | what a pass says |
//! |---|---|
//! | [`Check::Integrity`] | the bytes are those that were written: counts and digests match |
//! | [`Check::Law`] | every entry is the mex of its options' entries: by induction, the table is right |
//! | [`Check::Naive`] | the sequential computation from the definition gives the same bytes |
//! | [`Check::Theory`] | the closed form gives the same values, where there is one |
//! | [`Check::Known`] | the root of the values is the published one |
//!
//! This room enumerates the moves by itself. It shares the rules with the generator, never its move code:
//! of `generate` it calls the naive method and nothing else.

mod compare;
mod digests;
mod finding;
mod law;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use finding::Finding;
pub use finding::{Bad, Shown};

use crate::game::Game;
use crate::generate::GenerateError;
use crate::simd::Level;
use crate::table::{Summary, Table};

/// One way to doubt a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Counts and digests match the bytes.
    Integrity,
    /// Every entry equals the mex of its options' entries in this same table.
    Law,
    /// The sequential computation from the definition gives the same bytes.
    Naive,
    /// The closed form gives the same values.
    Theory,
    /// The root recomputed from the values is the published one.
    Known,
}

impl Check {
    /// Every check, in the order in which they run.
    pub const ALL: [Self; 5] = [Self::Integrity, Self::Law, Self::Naive, Self::Theory, Self::Known];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integrity => "integrity",
            Self::Law => "law",
            Self::Naive => "naive",
            Self::Theory => "theory",
            Self::Known => "known",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Check {
    type Err = VerifyError;

    fn from_str(name: &str) -> Result<Self, VerifyError> {
        let named = Self::ALL.into_iter().find(|check| check.name() == name);
        named.ok_or_else(|| VerifyError::Check { found: name.to_owned() })
    }
}

/// How a check has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Ok,
    /// It does not hold.
    Failed,
    /// There is nothing to compare with, and why: never a failure.
    NotApplicable(&'static str),
    /// It would take long, and was not asked for by name.
    Skipped(String),
}

impl Status {
    /// The name in reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::NotApplicable(_) => "not_applicable",
            Self::Skipped(_) => "skipped",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The check.
    pub check: Check,
    /// How it has ended.
    pub status: Status,
    /// How long it took.
    pub seconds: f64,
    /// How many entries are bad; for [`Check::Integrity`] and [`Check::Known`], how many digests and counts.
    pub bad: u64,
    /// The bad entry with the lowest index.
    pub first_bad: Option<Bad>,
}

/// On what the work runs, and how much of it: never what comes out of it.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The instruction set.
    pub level: Level,
    /// The most threads to use; `None` for as many as there are processors.
    pub threads: Option<NonZeroUsize>,
    /// Whether a check that takes long runs all the same.
    pub patient: bool,
}

impl Settings {
    /// The best level of this processor, all its threads, and no patience.
    pub fn detect() -> Self {
        Self { level: Level::detect(), threads: None, patient: false }
    }
}

/// Why a table could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The name of the check is not known.
    #[error("unknown check {found:?}: expected integrity, law, naive, theory or known")]
    Check {
        /// The name found.
        found: String,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}; ask for fewer with --threads")]
    Threads {
        /// The threads asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// There is not enough memory for a second copy of the table.
    #[error(
        "the naive check needs {needed} bytes of memory for a table of its own: leave it out with --check"
    )]
    Memory {
        /// The bytes needed.
        needed: u64,
    },
    /// The values are not those of the table.
    #[error("{game} has {expected} entries, found {found} values: give one byte an entry")]
    Length {
        /// The game.
        game: Game,
        /// The entries of the table.
        expected: u64,
        /// The values given.
        found: u64,
    },
    /// The naive computation failed.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

/// Checks the law of values that are in no file, on the threads of the current rayon pool. Returns how
/// many entries are bad, and the first of them.
///
/// ```
/// use grundy::simd::Level;
/// let game = "chess-3".parse()?;
/// let (bad, first) = grundy::verify::check_law(&game, &[0, 0, 1, 0, 0, 1, 2, 3], Level::detect())?;
/// assert_eq!((bad, first.map(|bad| bad.index)), (1, Some(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`VerifyError::Length`], where there is not one byte an entry.
pub fn check_law(
    game: &Game,
    values: &[u8],
    level: Level,
) -> Result<(u64, Option<Bad>), VerifyError> {
    let (expected, found) = (game.entries(), values.len() as u64);
    if expected != found {
        return Err(VerifyError::Length { game: *game, expected, found });
    }
    let finding = law::law(game, values, level);
    Ok((finding.bad, finding.first.map(|wrong| wrong.show(game))))
}

/// Checks of one table, sharing threads and what was computed once.
pub struct Verifier<'a> {
    table: &'a Table,
    settings: Settings,
    pool: ThreadPool,
    summary: Option<Summary>,
}

impl<'a> Verifier<'a> {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`VerifyError::Threads`]
    pub fn new(table: &'a Table, settings: Settings) -> Result<Self, VerifyError> {
        // Left to itself, the pool would believe RAYON_NUM_THREADS, whatever that says.
        let all = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = settings.threads.unwrap_or_else(all).get();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| VerifyError::Threads { threads, reason: error.to_string() })?;
        Ok(Self { table, settings, pool, summary: None })
    }

    /// Runs one check. What it finds does not depend on threads or level.
    ///
    /// # Errors
    /// [`VerifyError`], where the check could not be run to its end.
    pub fn run(&mut self, check: Check) -> Result<Outcome, VerifyError> {
        let start = Instant::now();
        let verdict = self.verdict(check)?;
        let seconds = start.elapsed().as_secs_f64();
        let (status, bad, first_bad) = match verdict {
            Verdict::Not(status) => (status, 0, None),
            Verdict::Found(0, None) => (Status::Ok, 0, None),
            Verdict::Found(bad, first) => (Status::Failed, bad, first),
        };
        Ok(Outcome { check, status, seconds, bad, first_bad })
    }

    fn verdict(&mut self, check: Check) -> Result<Verdict, VerifyError> {
        let (table, game, values) = (self.table, self.table.game(), self.table.values());
        match check {
            Check::Integrity => Ok(digests::integrity(table, self.summary())),
            Check::Known => Ok(digests::known(game, self.summary())),
            Check::Law => {
                let finding = self.pool.install(|| law::law(&game, values, self.settings.level));
                Ok(Verdict::of(finding, &game))
            }
            Check::Theory => self.pool.install(|| Ok(compare::theory(&game, values))),
            Check::Naive => {
                let (pool, settings) = (&self.pool, self.settings);
                pool.install(|| compare::naive(&game, values, settings))
            }
        }
    }

    /// The digests and counts of the values, computed once.
    fn summary(&mut self) -> &Summary {
        let (pool, values) = (&self.pool, self.table.values());
        self.summary.get_or_insert_with(|| pool.install(|| Summary::of(values)))
    }
}

/// What came out of a check, or why nothing did.
enum Verdict {
    Found(u64, Option<Bad>),
    Not(Status),
}

impl Verdict {
    fn of(finding: Finding, game: &Game) -> Self {
        Self::Found(finding.bad, finding.first.map(|wrong| wrong.show(game)))
    }
}
