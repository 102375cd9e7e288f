//! What a run of an experiment passes on: progress to the bar, an interrupt to the experiment, samples to the
//! record.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use grundy::experiment::{Measured, Sample, Watcher};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};

use super::record::Record;

pub(super) struct Watch<'a> {
    record: Option<Record<'a>>,
    stopped: Arc<AtomicBool>,
    /// In microseconds.
    planned: AtomicU64,
    done: AtomicU64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(record: Option<Record<'a>>) -> anyhow::Result<Self> {
        let stopped = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // The second one ends the process: the order of these two calls sees to it.
            signal_hook::flag::register_conditional_shutdown(
                signal,
                128 + signal,
                Arc::clone(&stopped),
            )
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stopped)))
            .context("cannot watch for signals")?;
        }
        // A file beyond the limit of this process is then an error of the call, not the end of the process.
        signal_hook::flag::register(SIGXFSZ, Arc::default()).context("cannot watch for signals")?;
        // Nothing of something, until the warm-up has shown how long it will take.
        Ok(Self { record, stopped, planned: AtomicU64::new(1), done: AtomicU64::new(0) })
    }

    /// What is planned and what is done, for a bar.
    pub(super) const fn progress(&self) -> (&AtomicU64, &AtomicU64) {
        (&self.planned, &self.done)
    }

    pub(super) fn into_record(self) -> Option<Record<'a>> {
        self.record
    }
}

impl Watcher for Watch<'_> {
    fn sample(&self, sample: Sample) {
        if let Some(record) = &self.record {
            record.sample(sample);
        }
    }

    fn round(&self, so_far: &dyn Fn() -> Measured) {
        if let Some(record) = &self.record {
            record.round(so_far);
        }
    }

    fn progress(&self, done: Duration, planned: Duration) {
        self.planned.store(planned.as_micros() as u64, Ordering::Relaxed);
        self.done.store(done.as_micros() as u64, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
