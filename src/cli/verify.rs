//! `grundy verify`: table files, proved right or found wrong.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use grundy::verify::{Bad, Check, Settings, Shown, Status, Verifier};
use serde::{Serialize, Serializer};

use super::work::Work;
use super::{Outcome, bus, output, progress};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The table files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Which checks to run [default: all; those that take long only when named]
    #[arg(long, value_name = "CHECK,..", value_delimiter = ',')]
    check: Vec<Check>,

    #[command(flatten)]
    work: Work,

    /// No progress and no talk
    #[arg(short, long)]
    quiet: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut report = Report { ok: true, files: Vec::new() };
    let mut unreadable = None;
    for path in &args.files {
        match verify(args, path) {
            Ok(file) => {
                if !args.json {
                    output::result(file.text())?;
                }
                report.ok &= file.ok;
                report.files.push(file);
            }
            Err(error) => {
                report.ok = false;
                report.files.push(FileReport::unreadable(path, &error));
                // Every file gets its message; the last one is that of the process.
                if let Some(earlier) = unreadable.replace(error) {
                    output::error(&earlier);
                }
            }
        }
    }
    if args.json {
        output::json(&report)?;
    }
    match unreadable {
        Some(error) => Err(error),
        None if report.ok => Ok(Outcome::Holds),
        None => Ok(Outcome::Failed),
    }
}

fn verify(args: &Args, path: &Path) -> anyhow::Result<FileReport> {
    let table = bus::open(path)?;
    let settings = Settings {
        level: args.work.simd,
        threads: args.work.threads,
        patient: !args.check.is_empty(),
    };
    let mut verifier = Verifier::new(&table, settings)?;
    let wanted = |check: &Check| args.check.is_empty() || args.check.contains(check);
    let mut checks = Vec::new();
    for check in Check::ALL.into_iter().filter(wanted) {
        let name = format!("{} {check}", path.display());
        let outcome = progress::spinning(args.quiet, &name, || verifier.run(check))?;
        checks.push(CheckReport {
            check: check.name(),
            status: outcome.status.name(),
            reason: reason(&outcome.status),
            seconds: outcome.seconds,
            bad: outcome.bad,
            first_bad: outcome.first_bad.map(BadReport::from),
        });
    }
    let ok = checks.iter().all(|check| check.status != Status::Failed.name());
    let id = Some(table.game().to_string());
    Ok(FileReport { path: path.to_string_lossy().into_owned(), id, ok, checks, error: None })
}

fn reason(status: &Status) -> Option<String> {
    match status {
        Status::Ok | Status::Failed => None,
        Status::NotApplicable(reason) => Some((*reason).to_owned()),
        Status::Skipped(reason) => Some(reason.clone()),
    }
}

/// What was found; its JSON is a contract.
#[derive(Serialize)]
struct Report {
    ok: bool,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    path: String,
    id: Option<String>,
    ok: bool,
    checks: Vec<CheckReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct CheckReport {
    check: &'static str,
    status: &'static str,
    #[serde(skip)]
    reason: Option<String>,
    seconds: f64,
    bad: u64,
    first_bad: Option<BadReport>,
}

#[derive(Serialize)]
struct BadReport {
    index: u64,
    row: String,
    #[serde(serialize_with = "shown")]
    found: Shown,
    #[serde(serialize_with = "shown")]
    expected: Shown,
}

fn shown<S: Serializer>(shown: &Shown, serializer: S) -> Result<S::Ok, S::Error> {
    match shown {
        Shown::Number(number) => serializer.serialize_u64(*number),
        Shown::Text(text) => serializer.serialize_str(text),
    }
}

impl From<Bad> for BadReport {
    fn from(bad: Bad) -> Self {
        let Bad { index, row, found, expected } = bad;
        Self { index, row, found, expected }
    }
}

impl FileReport {
    fn unreadable(path: &Path, error: &anyhow::Error) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            id: None,
            ok: false,
            checks: Vec::new(),
            error: Some(format!("{error:#}")),
        }
    }

    fn text(&self) -> String {
        let verdict = if self.ok { "holds" } else { "FAILS" };
        let mut text = format!("{}: {verdict}\n", self.path);
        for check in &self.checks {
            let _ = writeln!(text, "  {:<10} {}", check.check, check.text());
        }
        text
    }
}

impl CheckReport {
    fn text(&self) -> String {
        let status = self.status.replace('_', " ");
        match (&self.reason, &self.first_bad) {
            (Some(reason), _) => format!("{status}: {reason}"),
            (None, Some(BadReport { index, row, found, expected })) => format!(
                "{status}: {} bad; the first is index {index} ({row}): found {found}, expected {expected}",
                self.bad
            ),
            (None, None) => format!("{status:<8} {:.6} s", self.seconds),
        }
    }
}
