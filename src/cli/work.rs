//! What several commands ask alike: on what the work runs.

use std::num::NonZeroUsize;

use grundy::simd::Level;

/// More threads than any machine this runs on has processors.
const MOST_THREADS: usize = 1024;

/// On what the work runs.
#[derive(clap::Args)]
pub(super) struct Work {
    /// The most threads to use, 1 to 1024 [default: as many as pay]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<NonZeroUsize>,

    /// The instruction set: auto, portable, sse4.2, avx2, avx512 or neon
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(super) simd: Level,
}

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number <= MOST_THREADS);
    number
        .and_then(NonZeroUsize::new)
        .ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}
