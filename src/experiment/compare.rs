//! Two records: what became faster or slower, and whether the difference is more than noise.
//!
//! Within a run, noise shows in the samples: nearly every new sample must lie on the same side of nearly every
//! old one. Between two runs, a machine differs from itself in what no sample of one run shows (where memory lies,
//! what a neighbour does): that shows in the bounds, which both runs have timed and no change of
//! this project touches. So medians and smallest samples must differ by more than most bounds do.

use std::fmt::Write as _;

use serde::Serialize;

use super::text::figure;
use super::{Bound, ExperimentError, Limit, Outcome, Report, SCHEMA, Statistics};

/// The least difference that is told, however calm the machine.
const LEAST: f64 = 0.05;

/// The share of all pairs of an old and a new sample that must say the same,
const PAIRS: f64 = 0.9;

/// and by how many standard deviations that must be more than half of them.
const DEVIATIONS: f64 = 3.0;

/// The fewest samples on either side from which anything is told.
const FEWEST_SAMPLES: usize = 5;

/// Two records, case by case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Why the two can hardly be compared.
    pub warnings: Vec<String>,
    /// What cases in memory must differ by, as a share, to be told.
    pub noise: f64,
    /// What files must differ by.
    pub noise_of_files: f64,
    /// The cases that both have, in the order of the new one.
    pub changes: Vec<Change>,
    /// The cases that only the old one has.
    pub only_old: Vec<String>,
    /// The cases that only the new one has.
    pub only_new: Vec<String>,
}

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The case.
    pub case: String,
    /// The old median, nanoseconds an entry.
    pub old: f64,
    /// The new median.
    pub new: f64,
    /// The new median divided by the old.
    pub ratio: f64,
    /// What that means.
    pub verdict: Verdict,
}

/// Whether a case became faster or slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Faster by more than noise.
    Faster,
    /// Slower by more than noise.
    Slower,
    /// No difference beyond noise.
    Same,
    /// Too few samples to tell.
    Unknown,
}

impl Verdict {
    /// What became of a case on a machine that differs from itself by `noise`.
    fn of(old: &Outcome, new: &Outcome, noise: f64) -> Self {
        if old.samples.len().min(new.samples.len()) < FEWEST_SAMPLES {
            Self::Unknown
        } else if is_below(new, old, noise) {
            Self::Faster
        } else if is_below(old, new, noise) {
            Self::Slower
        } else {
            Self::Same
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "SLOWER",
            Self::Same => "same",
            Self::Unknown => "too few samples",
        }
    }
}

fn is_below(low: &Outcome, high: &Outcome, noise: f64) -> bool {
    let clearly = |low: f64, high: f64| low * (1.0 + noise) < high;
    let (fast, slow) = (low.ns_per_entry, high.ns_per_entry);
    // One disturbed run does not move its smallest sample.
    clearly(fast.median, slow.median)
        && clearly(fast.min, slow.min)
        && pairs_below(&low.samples, &high.samples) >= pairs_needed(low, high)
}

/// In how many pairs of samples that of `low` is the smaller one: the U of Mann and Whitney.
fn pairs_below(low: &[f64], high: &[f64]) -> f64 {
    let mut sorted = low.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = high.iter().map(|&high| sorted.partition_point(|&low| low < high));
    below.sum::<usize>() as f64
}

/// How many pairs must say the same: so many as chance hardly gives, or all where that is less.
fn pairs_needed(low: &Outcome, high: &Outcome) -> f64 {
    let [low, high] = [low, high].map(|outcome| outcome.samples.len() as f64);
    let pairs = low * high;
    let deviation = (pairs * (low + high + 1.0) / 12.0).sqrt();
    (PAIRS * pairs).max(pairs / 2.0 + DEVIATIONS * deviation).min(pairs)
}

/// By how much, as a share, three quarters of the bounds of memory or of the disk differ at most between two
/// records; [`LEAST`] where that is less.
fn noise(old: &Report, new: &Report, of_disk: bool) -> f64 {
    let disk = [Bound::Write.name(), Bound::Sync.name()];
    let wanted = |limit: &&Limit| disk.contains(&limit.what.as_str()) == of_disk;
    let difference = |new: &Limit| {
        let like = |old: &&Limit| {
            (&old.what, old.threads, old.bytes) == (&new.what, new.threads, new.bytes)
        };
        let old = old.bounds.iter().find(like)?.ns_per_unit.median;
        let ratio = new.ns_per_unit.median / old;
        Some(ratio.max(1.0 / ratio) - 1.0)
    };
    let differences: Vec<f64> =
        new.bounds.iter().filter(wanted).filter_map(difference).filter(|d| d.is_finite()).collect();
    Statistics::of(&differences).map_or(LEAST, |found| found.upper.max(LEAST))
}

impl Comparison {
    /// Compares two records.
    pub fn new(old: &Report, new: &Report) -> Self {
        let find = |report: &Report, case: &Outcome| {
            report.results.iter().find(|other| other.case() == case.case()).cloned()
        };
        let [in_memory, of_files] = [false, true].map(|of_disk| noise(old, new, of_disk));
        let change = |new: &Outcome| {
            let old = find(old, new)?;
            let (was, is) = (old.ns_per_entry.median, new.ns_per_entry.median);
            let noise = if new.parts.is_some() { of_files.max(in_memory) } else { in_memory };
            let verdict = Verdict::of(&old, new, noise);
            Some(Change { case: new.case(), old: was, new: is, ratio: is / was, verdict })
        };
        let only = |these: &Report, those: &Report| {
            let alone = these.results.iter().filter(|case| find(those, case).is_none());
            alone.map(Outcome::case).collect()
        };
        Self {
            warnings: unlike(old, new),
            noise: in_memory,
            noise_of_files: of_files.max(in_memory),
            changes: new.results.iter().filter_map(change).collect(),
            only_old: only(old, new),
            only_new: only(new, old),
        }
    }

    /// The comparison as a table for people.
    pub fn text(&self) -> String {
        let cases = self.changes.iter().map(|change| change.case.len());
        let width = cases.max().unwrap_or(0).max(4);
        let mut text = format!("{:<width$}  {:>7}  {:>7}  {:>7}\n", "case", "old", "new", "ratio");
        for Change { case, old, new, ratio, verdict } in &self.changes {
            let [old, new, ratio] = [*old, *new, *ratio].map(figure);
            let word = verdict.word();
            let _ = writeln!(text, "{case:<width$}  {old:>7}  {new:>7}  {ratio:>7}  {word}");
        }
        let (memory, files) = (100.0 * self.noise, 100.0 * self.noise_of_files);
        let _ = writeln!(text, "noise: differences up to {memory:.0}%, of files {files:.0}%");
        for (cases, which) in [(&self.only_old, "old"), (&self.only_new, "new")] {
            for case in cases {
                let _ = writeln!(text, "{case:<width$}  only in the {which} record");
            }
        }
        text
    }
}

/// What makes two records hard to compare.
fn unlike(old: &Report, new: &Report) -> Vec<String> {
    let mut warnings = Vec::new();
    if old.machine.cpu != new.machine.cpu || old.machine.cores_allowed != new.machine.cores_allowed
    {
        warnings.push("the records are of different machines".to_owned());
    }
    if !old.optimised || !new.optimised {
        warnings.push("a record is of a build that is not optimised".to_owned());
    }
    warnings
}

impl Outcome {
    /// What was timed, in a line.
    pub fn case(&self) -> String {
        let Self { id, threads, simd, .. } = self;
        let s = if *threads == 1 { "" } else { "s" };
        format!("{id} {}, {threads} thread{s}, {simd}", self.name())
    }
}

impl Report {
    /// Reads the JSON of a record; `path` says where it came from.
    ///
    /// # Errors
    /// [`ExperimentError::Record`]
    pub fn from_json(path: &str, text: &str) -> Result<Self, ExperimentError> {
        let error = |problem: String| ExperimentError::Record { path: path.to_owned(), problem };
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|cause| error(cause.to_string()))?;
        match value["schema"].as_str() {
            Some(SCHEMA) => serde_json::from_value(value).map_err(|cause| error(cause.to_string())),
            Some(other) => Err(error(format!("its schema is {other:?}"))),
            None => Err(error("it names no schema".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, Verdict, pairs_below, pairs_needed};
    use crate::experiment::{
        Comparison, Limit, Machine, Measured, Outcome, Plan, Report, Spread, Statistics,
    };

    fn outcome(samples: &[f64]) -> Outcome {
        let spread: Spread = Statistics::of(samples).expect("samples").into();
        Outcome {
            id: "chess-20".into(),
            what: "law".into(),
            method: None,
            threads: 1,
            threads_used: 1,
            simd: "portable".into(),
            entries: 1 << 20,
            repeats: samples.len(),
            runs_per_sample: 1,
            ns_per_entry: spread,
            entries_per_second: 1e9 / spread.median,
            outliers: 0,
            speedup: None,
            efficiency: None,
            times_naive: None,
            times_contest: None,
            bound: None,
            parts: None,
            samples: samples.to_vec(),
        }
    }

    fn verdict(old: &[f64], new: &[f64]) -> Verdict {
        Verdict::of(&outcome(old), &outcome(new), LEAST)
    }

    const CALM: [f64; 5] = [1.0, 1.01, 1.02, 1.03, 1.04];

    #[test]
    fn a_clear_difference_is_told_in_its_direction() {
        let twice = CALM.map(|sample| 2.0 * sample);
        assert_eq!(verdict(&CALM, &twice), Verdict::Slower);
        assert_eq!(verdict(&twice, &CALM), Verdict::Faster);
    }

    #[test]
    fn noise_is_no_difference() {
        assert_eq!(verdict(&CALM, &CALM), Verdict::Same);
        assert_eq!(verdict(&CALM, &CALM.map(|sample| 1.04 * sample)), Verdict::Same);
        // Disturbed for most of the run: the minimum stands.
        assert_eq!(verdict(&CALM, &[1.0, 1.9, 2.0, 2.1, 2.2]), Verdict::Same);
        assert_eq!(verdict(&CALM, &[9.0, 9.0]), Verdict::Unknown);
    }

    #[test]
    fn pairs_are_counted() {
        assert!((pairs_below(&[1.0, 3.0], &[2.0, 4.0]) - 3.0).abs() < 1e-12);
        assert!((pairs_below(&[1.0, 1.0], &[1.0, 2.0]) - 2.0).abs() < 1e-12, "equals count");
        let needed = |number: usize| {
            let like = outcome(&vec![1.0; number]);
            pairs_needed(&like, &like)
        };
        assert!((needed(5) - 25.0).abs() < 1e-9 && (needed(11) - 108.9).abs() < 1e-9);
    }

    /// Made-up times: a floor of `floor`, a tail of about `tail` above it, and now and then a disturbance.
    struct Times(u64);

    impl Times {
        /// A random number from 0 to 1.
        fn random(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn samples(&mut self, number: usize, floor: f64, tail: f64) -> Vec<f64> {
            let mut sample = || {
                let above = -tail * (1.0 - self.random()).ln();
                let disturbed = if self.random() < 0.05 { 1.0 + self.random() } else { 1.0 };
                floor * (1.0 + above) * disturbed
            };
            (0..number).map(|_| sample()).collect()
        }
    }

    #[test]
    fn an_idle_machine_gives_no_false_alarm_and_a_slower_case_is_told() {
        let mut times = Times(7);
        // The number of samples, their tail, and how often in a thousand either may go wrong. The last two are
        // no idle machine.
        for (number, tail, most_alarms, least_told) in [
            (5, 0.01, 0, 800),
            (11, 0.01, 0, 900),
            (11, 0.05, 0, 900),
            (31, 0.05, 0, 950),
            (11, 0.3, 2, 150),
            (31, 1.0, 2, 0),
        ] {
            let (mut alarms, mut told) = (0, 0);
            for _ in 0..1000 {
                // Two runs differ in where memory lies, and so on, by up to two in a hundred.
                let [first, second] = [0, 1].map(|_| 1.0 + 0.02 * times.random());
                let old = times.samples(number, first, tail);
                let new = times.samples(number, second, tail);
                alarms += u32::from(verdict(&old, &new) != Verdict::Same);
                let slower = times.samples(number, 1.3 * second, tail);
                told += u32::from(verdict(&old, &slower) == Verdict::Slower);
            }
            let found = format!("{number} samples, tail {tail}: {alarms} alarms, {told} told");
            assert!(alarms <= most_alarms && told >= least_told, "{found}");
        }
    }

    fn report(bounds: &[(&str, f64)]) -> Report {
        let limit = |&(what, nanos): &(&str, f64)| Limit {
            what: what.to_owned(),
            threads: 1,
            bytes: 1 << 20,
            unit: "byte".to_owned(),
            units: 1 << 20,
            ns_per_unit: Statistics::of(&[nanos]).expect("a sample").into(),
            units_per_second: 1e9 / nanos,
            samples: vec![nanos],
        };
        let measured = Measured { series: Vec::new(), complete: true };
        let plan = Plan {
            games: Vec::new(),
            contenders: Vec::new(),
            threads: Vec::new(),
            levels: Vec::new(),
            what: Vec::new(),
            repeats: None,
            folder: std::env::temp_dir(),
        };
        let report = Report::new(&plan, Machine::look(), &measured);
        Report { bounds: bounds.iter().map(limit).collect(), ..report }
    }

    #[test]
    fn a_machine_whose_bounds_differ_is_noisier() {
        let old =
            report(&[("fill", 1.0), ("copy", 1.0), ("read", 1.0), ("write", 1.0), ("sync", 8.0)]);
        let new =
            report(&[("fill", 1.2), ("copy", 1.2), ("read", 0.5), ("write", 1.0), ("sync", 4.0)]);
        let shares = |old, new| {
            let Comparison { noise, noise_of_files, .. } = Comparison::new(old, new);
            [noise, noise_of_files].map(|share| (share * 1000.0).round() as u32)
        };
        assert_eq!(shares(&old, &new), [600, 750]);
        assert_eq!(shares(&old, &old), [50, 50]);
        assert_eq!(shares(&old, &report(&[])), [50, 50]);
    }
}
