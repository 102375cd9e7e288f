//! What was measured of one case, and what it is compared with.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Bound, Case, Contender, Series, Statistics, Times, Work};
use crate::generate::Method;

/// What was measured of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The table.
    pub id: String,
    /// The work: `compute`, `file`, `law`, `probe-single` or `probe-batch`.
    pub what: String,
    /// Who made the table, where one was made.
    pub method: Option<String>,
    /// The threads allowed.
    pub threads: usize,
    /// The threads that took part.
    pub threads_used: usize,
    /// The instruction set.
    pub simd: String,
    /// The entries that the work treats: of the table, one byte each; or those looked up.
    pub entries: u64,
    /// The number of samples.
    pub repeats: usize,
    /// How many times in a row the work was done for each sample.
    pub runs_per_sample: u32,
    /// The statistics of the samples.
    pub ns_per_entry: Spread,
    /// Entries a second, at the median.
    pub entries_per_second: f64,
    /// How many samples lie far outside.
    pub outliers: usize,
    /// How many times as fast as the same on one thread, at the medians.
    pub speedup: Option<f64>,
    /// The speed-up for each thread allowed.
    pub efficiency: Option<f64>,
    /// How many times as fast as `naive`, at the medians.
    pub times_naive: Option<f64>,
    /// How many times as fast as `contest`, at the medians.
    pub times_contest: Option<f64>,
    /// How near it is to the bound that holds, where that was timed.
    pub bound: Option<Share>,
    /// What it was made of, where that was a file.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// Every sample, in the order in which they were taken: nanoseconds an entry.
    pub samples: Vec<f64>,
}

/// What making a file was made of: together the samples of the whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// Filling memory that has been touched before.
    pub compute: Part,
    /// Making the file, reserving its blocks, page faults and digests.
    pub write: Part,
    /// Bringing it to the disk and giving it its name.
    pub sync: Part,
}

/// One part of all samples of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The statistics of the samples.
    pub ns_per_entry: Spread,
    /// Every sample, in the order in which they were taken: nanoseconds an entry.
    pub samples: Vec<f64>,
}

/// Nanoseconds an entry: the order statistics of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// A quarter of the samples is below.
    pub lower: f64,
    /// Half of the samples is below.
    pub median: f64,
    /// A quarter of the samples is above.
    pub upper: f64,
    /// The largest.
    pub max: f64,
}

/// How near a result is to what the machine allows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The bound: `fill` for making a table, `read` for checking one, `write+sync` for making a file,
    /// `random-read` for looking values up one by one.
    pub what: String,
    /// The time of the bound for as many bytes or reads, on as many threads where it has several, divided by the
    /// time of this work.
    pub share: f64,
}

impl Outcome {
    pub(super) fn new(series: &Series, medians: Medians<'_>) -> Option<Self> {
        let case = series.case;
        if matches!(case.work, Work::Bound(_)) {
            return None;
        }
        let entries = case.units();
        let samples: Vec<f64> = series.nanos.iter().map(|nanos| nanos / entries as f64).collect();
        let statistics = Statistics::of(&samples)?;
        let median = statistics.median;
        let threads = case.threads.get();
        let times = |other: Case| Some(medians.of(other)? / (median * entries as f64));
        let one = std::num::NonZeroUsize::MIN;
        let speedup = times(Case { threads: one, ..case });
        let against = |contender| {
            let level = crate::simd::Level::PORTABLE;
            let Work::Compute(_) = case.work else { return None };
            times(Case { work: Work::Compute(contender), threads: one, level, ..case })
        };
        Some(Self {
            id: case.game.to_string(),
            what: case.work.name().to_owned(),
            method: case.work.contender().map(|contender| contender.name().to_owned()),
            threads,
            threads_used: series.threads_used,
            simd: case.level.name().to_owned(),
            entries,
            repeats: samples.len(),
            runs_per_sample: series.runs_per_sample,
            ns_per_entry: statistics.into(),
            entries_per_second: 1e9 / median,
            outliers: statistics.outliers,
            speedup,
            efficiency: speedup.map(|speedup| speedup / threads as f64),
            times_naive: against(Contender::Method(Method::Naive)),
            times_contest: against(Contender::Contest),
            bound: medians.share(case, median),
            parts: Parts::new(series),
            samples,
        })
    }

    /// The distance between the quarters, as a share of the median.
    pub fn spread(&self) -> f64 {
        let Spread { lower, median, upper, .. } = self.ns_per_entry;
        (upper - lower) / median
    }
}

impl Parts {
    fn new(series: &Series) -> Option<Self> {
        let entries = series.case.units() as f64;
        let part = |of: fn(&Times) -> Duration| {
            let nanos = |times| of(times).as_nanos() as f64 / entries;
            let samples: Vec<f64> = series.times.iter().map(nanos).collect();
            Some(Part { ns_per_entry: Statistics::of(&samples)?.into(), samples })
        };
        Some(Self {
            compute: part(|times| times.compute)?,
            write: part(|times| times.write)?,
            sync: part(|times| times.sync)?,
        })
    }

    /// The parts by name, in the order in which they happen.
    pub fn by_name(&self) -> [(&'static str, &Part); 3] {
        [("compute", &self.compute), ("write", &self.write), ("sync", &self.sync)]
    }
}

impl From<Statistics> for Spread {
    fn from(statistics: Statistics) -> Self {
        let Statistics { min, lower, median, upper, max, .. } = statistics;
        Self { min, lower, median, upper, max }
    }
}

/// The medians of all cases, to compare one with another.
#[derive(Clone, Copy)]
pub(super) struct Medians<'a>(pub(super) &'a [Series]);

impl Medians<'_> {
    /// Nanoseconds for the work of `case` once, where it was timed.
    fn of(self, case: Case) -> Option<f64> {
        let series = self.0.iter().find(|series| series.case == case)?;
        Some(Statistics::of(&series.nanos)?.median)
    }

    /// How near a `median` of so many nanoseconds an entry is to the bounds of `case` together.
    fn share(self, case: Case, median: f64) -> Option<Share> {
        let bounds = case.work.bounds();
        let mut nanos = 0.0;
        for &bound in bounds {
            nanos += self.of_bound(bound, case)?;
        }
        let names: Vec<&str> = bounds.iter().map(|bound| bound.name()).collect();
        bounds.first()?;
        Some(Share { what: names.join("+"), share: nanos / median })
    }

    /// Nanoseconds a unit of `bound` on as many bytes and threads as `case`. It was timed with the first table
    /// of that size.
    fn of_bound(self, bound: Bound, case: Case) -> Option<f64> {
        let wanted = if bound.is_alone() { std::num::NonZeroUsize::MIN } else { case.threads };
        let series = self.0.iter().find(|series| {
            let Case { game, work, threads, .. } = series.case;
            let same = (game.entries(), threads) == (case.game.entries(), wanted);
            work == Work::Bound(bound) && same
        })?;
        Some(Statistics::of(&series.nanos)?.median / series.case.units().max(1) as f64)
    }
}
