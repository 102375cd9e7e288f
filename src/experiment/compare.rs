//! Two records: what became faster or slower, and whether the difference is more than noise.

use std::fmt::Write as _;

use serde::Serialize;

use super::text::figure;
use super::{ExperimentError, Outcome, Report, SCHEMA, Spread};

/// The least difference that is told. Two runs on one idle machine differ by less.
const LEAST: f64 = 0.05;

/// The fewest samples on either side from which anything is told.
const FEWEST_SAMPLES: usize = 5;

/// Two records, case by case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Why the two can hardly be compared.
    pub warnings: Vec<String>,
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
    /// A difference is told where the middle halves of the samples lie apart, and where medians and minima
    /// both differ, in the same direction, by a twentieth: one disturbed run does not move its minimum.
    fn of(old: &Outcome, new: &Outcome) -> Self {
        if old.samples.len().min(new.samples.len()) < FEWEST_SAMPLES {
            return Self::Unknown;
        }
        let (old, new) = (old.ns_per_entry, new.ns_per_entry);
        if is_below(new, old) {
            Self::Faster
        } else if is_below(old, new) {
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

fn is_below(low: Spread, high: Spread) -> bool {
    let clearly = |low: f64, high: f64| low * (1.0 + LEAST) < high;
    low.upper < high.lower && clearly(low.median, high.median) && clearly(low.min, high.min)
}

impl Comparison {
    /// Compares two records.
    pub fn new(old: &Report, new: &Report) -> Self {
        let find = |report: &Report, case: &Outcome| {
            report.results.iter().find(|other| other.case() == case.case()).cloned()
        };
        let change = |new: &Outcome| {
            let old = find(old, new)?;
            let (was, is) = (old.ns_per_entry.median, new.ns_per_entry.median);
            let verdict = Verdict::of(&old, new);
            Some(Change { case: new.case(), old: was, new: is, ratio: is / was, verdict })
        };
        let only = |these: &Report, those: &Report| {
            let alone = these.results.iter().filter(|case| find(those, case).is_none());
            alone.map(Outcome::case).collect()
        };
        Self {
            warnings: unlike(old, new),
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
    use super::Verdict;
    use crate::experiment::{Outcome, Spread, Statistics};

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
            samples: samples.to_vec(),
        }
    }

    fn verdict(old: &[f64], new: &[f64]) -> Verdict {
        Verdict::of(&outcome(old), &outcome(new))
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
}
