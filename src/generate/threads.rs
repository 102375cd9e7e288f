//! How many threads a table gets, and the pools they live in.

use std::num::NonZeroUsize;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{GenerateError, Settings};

/// The threads for a table of `entries`: one below `worth`, as such a table is done before another has
/// woken up; otherwise as many as are asked for, or as there are processors.
pub(super) fn for_table(settings: Settings, entries: u64, worth: u64) -> usize {
    if entries < worth && !settings.small_too {
        return 1;
    }
    let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    settings.threads.unwrap_or_else(all).get()
}

/// A pool of `threads`, or none for a single one: that is the caller's.
pub(super) fn pool(threads: usize) -> Result<Option<ThreadPool>, GenerateError> {
    (threads > 1).then(|| build(threads, threads)).transpose()
}

/// Threads that share work with the caller's.
pub(super) struct Helpers {
    pub(super) pool: ThreadPool,
    /// Whether the caller's thread is one of those that were asked for. Not if it belongs to a pool itself, whose tasks
    /// it has to do while it waits.
    pub(super) caller_works: bool,
}

/// Those that make `threads`, with the caller's where it works; none for a single one.
pub(super) fn helpers(threads: usize) -> Result<Option<Helpers>, GenerateError> {
    let caller_works = rayon::current_thread_index().is_none();
    let helpers = || {
        let pool = build(threads - usize::from(caller_works), threads)?;
        Ok(Helpers { pool, caller_works })
    };
    (threads > 1).then(helpers).transpose()
}

/// A pool of `some` of the `threads` that were asked for.
fn build(some: usize, threads: usize) -> Result<ThreadPool, GenerateError> {
    let pool = ThreadPoolBuilder::new().num_threads(some).build();
    pool.map_err(|error| GenerateError::Threads { threads, reason: error.to_string() })
}
