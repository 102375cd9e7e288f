//! The record of an experiment: what was planned, on what it ran, and every sample. docs/bench.md
//! describes it, docs/bench-schema.json is its schema.

use serde::{Deserialize, Serialize};

use super::outcome::Medians;
use super::{Machine, Measured, Outcome, Plan, Series, Spread, Statistics, What, Work};

/// The name and version of the form of the record. A change that could mislead a reader of the old form
/// gets a new number.
pub const SCHEMA: &str = "grundy-bench/1";

/// Above this distance between the quarters, as a share of the median, the samples are called uneven.
const WIDE_SPREAD: f64 = 0.1;

/// The record of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of this crate.
    pub version: String,
    /// Whether the build was optimised; if not, the figures say little.
    pub optimised: bool,
    /// On what it ran.
    pub machine: Machine,
    /// What was asked for.
    pub plan: Asked,
    /// Whether every planned sample was taken.
    pub complete: bool,
    /// Why the figures should be read with care.
    pub warnings: Vec<String>,
    /// What the memory and the disk of the machine allowed in the same run.
    pub bounds: Vec<Limit>,
    /// One for each case, in the order of the plan.
    pub results: Vec<Outcome>,
}

/// What was measured of one bound of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// What was done: `fill`, `copy`, `read`, `random-read`, `write` or `sync`.
    pub what: String,
    /// The threads that did it.
    pub threads: usize,
    /// The bytes of memory or of a file that it was done to.
    pub bytes: u64,
    /// What is counted: `byte`, or `read` for reads at random places.
    pub unit: String,
    /// How many of them: of a copy, the bytes copied.
    pub units: u64,
    /// The statistics of the samples.
    pub ns_per_unit: Spread,
    /// Units a second, at the median.
    pub units_per_second: f64,
    /// Every sample, in the order in which they were taken: nanoseconds a unit.
    pub samples: Vec<f64>,
}

/// What was asked for, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The tables.
    pub ids: Vec<String>,
    /// Who makes them.
    pub methods: Vec<String>,
    /// Numbers of threads.
    pub threads: Vec<usize>,
    /// Instruction sets.
    pub simd: Vec<String>,
    /// Kinds of work.
    pub what: Vec<String>,
    /// How often; `None` for as often as some seconds allow.
    pub repeats: Option<usize>,
    /// Where files were written.
    #[serde(default)]
    pub folder: String,
}

impl Report {
    /// The record of what was measured of `plan` on `machine`.
    pub fn new(plan: &Plan, machine: Machine, measured: &Measured) -> Self {
        let medians = Medians(&measured.series);
        let results: Vec<Outcome> =
            measured.series.iter().filter_map(|series| Outcome::new(series, medians)).collect();
        let bounds = measured.series.iter().filter_map(Limit::new).collect();
        let optimised = !cfg!(debug_assertions);
        let mut report = Self {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            optimised,
            machine,
            plan: Asked::of(plan),
            complete: measured.complete,
            warnings: Vec::new(),
            bounds,
            results,
        };
        report.warnings = report.doubts();
        report
    }

    fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        let cores = self.machine.cores_allowed;
        if !self.optimised {
            doubts.push("this build is not optimised: build with --release".to_owned());
        }
        if let Some(load) = self.machine.load.filter(|&load| load > 0.5) {
            doubts.push(format!(
                "other work has kept {load:.1} of {cores} processors busy in the last minute"
            ));
        }
        if let Some(most) = self.plan.threads.iter().max().filter(|&&most| most > cores) {
            doubts.push(format!("{most} threads share the {cores} processors allowed"));
        }
        let uneven = self.results.iter().filter(|result| result.spread() > WIDE_SPREAD).count();
        if uneven > 0 {
            let (all, share) = (self.results.len(), WIDE_SPREAD * 100.0);
            doubts.push(format!(
                "uneven samples in {uneven} of {all} cases: their quarters lie more than {share:.0}% apart"
            ));
        }
        if !self.complete {
            doubts.push("ended early: not every planned sample was taken".to_owned());
        }
        doubts
    }
}

impl Asked {
    fn of(plan: &Plan) -> Self {
        Self {
            ids: plan.games.iter().map(ToString::to_string).collect(),
            methods: plan.contenders.iter().map(ToString::to_string).collect(),
            threads: plan.threads.iter().map(|threads| threads.get()).collect(),
            simd: plan.levels.iter().map(ToString::to_string).collect(),
            what: plan.what.iter().map(|what| What::name(*what).to_owned()).collect(),
            repeats: plan.repeats.map(std::num::NonZeroUsize::get),
            folder: plan.folder.display().to_string(),
        }
    }
}

impl Limit {
    fn new(series: &Series) -> Option<Self> {
        let case = series.case;
        let Work::Bound(bound) = case.work else { return None };
        let units = case.units();
        // Half of a table of one entry is nothing.
        let samples: Vec<f64> =
            series.nanos.iter().map(|nanos| nanos / units.max(1) as f64).collect();
        let statistics = Statistics::of(&samples)?;
        Some(Self {
            what: bound.name().to_owned(),
            threads: case.threads.get(),
            bytes: bound.bytes(case.game.entries()),
            unit: bound.unit().to_owned(),
            units,
            ns_per_unit: statistics.into(),
            units_per_second: 1e9 / statistics.median,
            samples,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::Report;
    use crate::experiment::{Contender, Machine, Measured, Plan, Series, What};
    use crate::generate::Method;
    use crate::simd::Level;

    /// A record of made-up samples: 1024 entries in so many nanoseconds.
    fn report(nanos: &[&[f64]]) -> Report {
        let plan = Plan {
            games: vec!["chess-10".parse().expect("an id")],
            contenders: vec![Contender::Method(Method::Layered), Contender::Contest],
            threads: [1, 2].map(|threads| NonZeroUsize::new(threads).expect("not zero")).to_vec(),
            levels: vec![Level::detect()],
            what: vec![What::Compute, What::Bounds],
            repeats: None,
            folder: std::env::temp_dir(),
        };
        let series = plan.cases().into_iter().zip(nanos).map(|(case, nanos)| Series {
            case,
            threads_used: 1,
            runs_per_sample: 1,
            nanos: nanos.to_vec(),
            times: Vec::new(),
        });
        let measured = Measured { series: series.collect(), complete: true };
        Report::new(&plan, Machine { load: Some(0.0), ..Machine::look() }, &measured)
    }

    #[test]
    fn figures_follow_from_the_samples() {
        let report = report(&[&[2048.0, 1024.0, 4096.0], &[1024.0], &[102_400.0]]);
        let [one, two, contest] = &report.results[..] else { panic!("three results") };
        assert_eq!(one.samples, [2.0, 1.0, 4.0]);
        let spread = one.ns_per_entry;
        assert_eq!((spread.min, spread.median, spread.max), (1.0, 2.0, 4.0));
        assert_eq!((one.entries_per_second, one.repeats), (5e8, 3));
        assert_eq!((one.speedup, one.efficiency), (Some(1.0), Some(1.0)));
        assert_eq!((two.speedup, two.efficiency), (Some(2.0), Some(1.0)));
        assert_eq!((one.times_contest, two.times_contest), (Some(50.0), Some(100.0)));
        assert_eq!((contest.times_contest, contest.times_naive), (Some(1.0), None));
        assert_eq!(report.warnings.iter().filter(|text| text.contains("uneven")).count(), 1);
    }

    #[test]
    fn a_result_is_a_share_of_the_bound_of_its_size_and_threads() {
        // Layered and fill take turns in the plan: layered 1 and 2, contest, fill 1 and 2, copy 1 and 2.
        let nanos = [4096.0, 2048.0, 8192.0, 1024.0, 1024.0, 512.0].map(|nanos| vec![nanos]);
        let nanos: Vec<&[f64]> = nanos.iter().map(Vec::as_slice).collect();
        let report = report(&nanos);
        let shares =
            report.results.iter().map(|result| result.bound.as_ref().expect("a bound").share);
        assert_eq!(shares.collect::<Vec<_>>(), [0.25, 0.5, 0.125]);
        let limits: Vec<_> =
            report.bounds.iter().map(|limit| (limit.what.as_str(), limit.threads)).collect();
        assert_eq!(limits, [("fill", 1), ("fill", 2), ("copy", 1)]);
        let copy = &report.bounds[2];
        assert_eq!((copy.bytes, copy.units, copy.samples[0]), (1024, 512, 1.0));
    }

    #[test]
    fn a_record_reads_back() {
        let report = report(&[&[100.0, 300.0], &[0.1], &[7.0]]);
        let text = serde_json::to_string(&report).expect("JSON");
        assert_eq!(serde_json::from_str::<Report>(&text).expect("a record"), report);
    }
}
