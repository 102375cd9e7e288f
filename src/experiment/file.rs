//! A whole file made, with computing, writing and syncing booked apart.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::ExperimentError;
use crate::game::Game;
use crate::generate::{Method, Observer, Settings, generate};
use crate::table::{Collector, Policy, Sealed, Target, Writer, prefault};

/// What the parts of making a file took; together they are the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Filling memory that has been touched before.
    pub compute: Duration,
    /// Making the file, reserving its blocks, page faults and digests.
    pub write: Duration,
    /// Bringing it to the disk and giving it its name.
    pub sync: Duration,
}

impl Times {
    /// All of it.
    pub fn total(&self) -> Duration {
        self.compute + self.write + self.sync
    }
}

/// Touches pages before they are filled and digests values while they are hot, and books how long that takes.
pub struct Ledger {
    collector: Collector,
    nanos: AtomicU64,
    done: AtomicU64,
}

impl Ledger {
    /// An empty one for the table of `game`.
    pub fn new(game: &Game) -> Self {
        let collector = Collector::new(game.entries());
        Self { collector, nanos: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    /// How many values are made.
    pub const fn done(&self) -> &AtomicU64 {
        &self.done
    }

    /// Digests what is left to digest, on no more threads than the values were made on. `filling` is how long these
    /// threads took for all; what of that was computing comes back with the whole table.
    ///
    /// # Errors
    /// [`ExperimentError::Threads`]
    pub fn seal(
        self,
        writer: Writer,
        filling: Duration,
        threads: usize,
    ) -> Result<(Duration, Sealed), ExperimentError> {
        // What was booked, on each of the threads, was not computing.
        let booked = Duration::from_nanos(self.nanos.into_inner() / threads as u64);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| ExperimentError::Threads { threads, reason: error.to_string() })?;
        let sealed = pool.install(|| writer.seal(self.collector));
        Ok((filling.saturating_sub(booked), sealed))
    }

    fn book(&self, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        self.nanos.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Observer for Ledger {
    fn before(&self, _: u64, values: &mut [u8]) {
        self.book(|| prefault(values));
    }

    fn after(&self, offset: u64, values: &[u8]) {
        self.book(|| self.collector.add(offset, values));
        self.done.fetch_add(values.len() as u64, Ordering::Relaxed);
    }
}

/// Makes the table of `game` as the file `path`, and returns what that took and the number of threads used.
pub(super) fn make_file(
    path: &Path,
    game: &Game,
    method: Method,
    settings: Settings,
) -> Result<(Times, usize), ExperimentError> {
    let start = Instant::now();
    let target = Target::check(path, Policy::Replace)?;
    let mut writer = Writer::reserve(target.create()?, *game)?;
    let ledger = Ledger::new(game);
    let filling = Instant::now();
    let threads = generate(game, method, settings, writer.values_mut(), &ledger)?;
    let (compute, sealed) = ledger.seal(writer, filling.elapsed(), threads)?;
    let syncing = Instant::now();
    sealed.publish()?;
    let (sync, total) = (syncing.elapsed(), start.elapsed());
    Ok((Times { compute, write: total.saturating_sub(compute + sync), sync }, threads))
}
