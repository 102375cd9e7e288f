//! `grundy bench compare`: two records, and what changed between them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use grundy::experiment::{Comparison, Report};

use super::super::{Outcome, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The earlier record: what bench --json printed, or the folder of a report
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The later record
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// No talk
    #[arg(short, long)]
    quiet: bool,

    /// Print the comparison as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let comparison = Comparison::new(&read(&args.old)?, &read(&args.new)?);
    for warning in &comparison.warnings {
        output::talk(args.quiet, &format!("warning: {warning}"));
    }
    if args.json {
        output::json(&comparison)?;
    } else {
        output::result(comparison.text())?;
    }
    Ok(Outcome::Holds)
}

fn read(path: &Path) -> anyhow::Result<Report> {
    let path = if path.is_dir() { &path.join("results.json") } else { path };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    Ok(Report::from_json(&name, &text)?)
}
