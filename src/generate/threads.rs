//! How many threads a table gets, and the pool they live in.

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
    (threads > 1).then(|| build(threads)).transpose()
}

/// The threads that make `threads` together with the caller's, if any.
pub(super) fn helpers(threads: usize) -> Result<Option<ThreadPool>, GenerateError> {
    (threads > 1).then(|| build(threads - 1)).transpose()
}

fn build(threads: usize) -> Result<ThreadPool, GenerateError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| GenerateError::Threads { threads, reason: error.to_string() })
}
