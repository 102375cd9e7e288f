//! The folder of a report, which at every moment holds what is measured: a run may be killed.
//!
//! Each sample is appended to `results.csv` as it comes. The rest is replaced, each file at once, between rounds.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use grundy::experiment::{CSV_HEADINGS, Machine, Measured, Plan, Report, Sample};

const PAGE: &str = "report.html";
const SAMPLES: &str = "results.csv";

/// Replacing the files takes some milliseconds, so not every round does it.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) struct Record<'a> {
    folder: &'a Path,
    plan: &'a Plan,
    machine: &'a Machine,
    samples: File,
    replaced: Cell<Option<Instant>>,
}

impl<'a> Record<'a> {
    /// Makes the folder and an empty record in it.
    pub(super) fn new(
        folder: &'a Path,
        plan: &'a Plan,
        machine: &'a Machine,
    ) -> anyhow::Result<Self> {
        let made = fs::create_dir_all(folder);
        made.with_context(|| format!("cannot make folder {}", folder.display()))?;
        let path = folder.join(SAMPLES);
        let error = || format!("cannot write {}", path.display());
        let mut samples = File::create(&path).with_context(error)?;
        samples.write_all(CSV_HEADINGS.as_bytes()).with_context(error)?;
        let record = Self { folder, plan, machine, samples, replaced: Cell::new(None) };
        record.replace(&record.report(&Measured { series: Vec::new(), complete: false }))?;
        Ok(record)
    }

    pub(super) fn sample(&self, sample: Sample) {
        // The file is written anew at the end, and what goes wrong is told then.
        let _ = (&self.samples).write_all(sample.csv().as_bytes());
    }

    pub(super) fn round(&self, so_far: &dyn Fn() -> Measured) {
        if self.replaced.get().is_none_or(|then| then.elapsed() >= PATIENCE) {
            let _ = self.replace(&self.report(&so_far()));
            self.replaced.set(Some(Instant::now()));
        }
    }

    /// Writes the whole report, and returns where its page is.
    pub(super) fn finish(self, report: &Report) -> anyhow::Result<PathBuf> {
        self.replace(report)?;
        replace(&self.folder.join(SAMPLES), &report.csv())?;
        Ok(self.folder.join(PAGE))
    }

    fn report(&self, measured: &Measured) -> Report {
        Report::new(self.plan, self.machine.clone(), measured)
    }

    fn replace(&self, report: &Report) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(report);
        let json = json.context("cannot write the record as JSON")? + "\n";
        replace(&self.folder.join("results.json"), &json)?;
        replace(&self.folder.join(PAGE), &report.page())?;
        report.figures().into_iter().try_for_each(|figure| {
            replace(&self.folder.join(format!("{}.svg", figure.name)), &figure.svg)
        })
    }
}

/// Gives a file another text, at once.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let hidden = path.with_extension("partial");
    fs::write(&hidden, text)
        .and_then(|()| fs::rename(&hidden, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
