//! `grundy bench`: how fast the methods are on this machine, measured so that it can be believed.

mod compare;
mod record;
mod watch;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use grundy::experiment::{self, Contender, ExperimentError, Machine, Measured, Plan, Report, What};
use grundy::game::{Game, MAX_WIDTH};
use grundy::simd::Level;
use rustix::fs::{Access, access};

use self::record::Record;
use self::watch::Watch;
use super::{Outcome, output, progress, work};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    #[command(subcommand)]
    task: Option<Task>,

    /// The tables, by id [default: chess-20 chess-24]
    #[arg(value_name = "ID")]
    ids: Vec<Game>,

    /// Who makes them: layered, closed-form, naive, contest (the loop of a contest program)
    /// [default: layered,closed-form]
    #[arg(long, value_name = "METHOD,..", value_delimiter = ',')]
    methods: Vec<Contender>,

    /// Numbers of threads, 1 to 1024 [default: one, and all that this process may run]
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = work::threads)]
    threads: Vec<NonZeroUsize>,

    /// Instruction sets: auto, portable, sse4.2, avx2, avx512 or neon [default: auto]
    #[arg(long, value_name = "LEVEL,..", value_delimiter = ',')]
    simd: Vec<Level>,

    /// What is timed: compute, file (made on the disk), law, probe (random look-ups), bounds (what memory
    /// and disk allow) [default: compute,law,bounds]
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',')]
    what: Vec<What>,

    /// How often each case is timed [default: as often as a second or two allow, 5 to 31]
    #[arg(long, value_name = "N")]
    repeats: Option<NonZeroUsize>,

    /// All methods and all work on small tables of all rules: under 30 seconds
    #[arg(long)]
    quick: bool,

    /// Every power of two of threads up to all that this process may run
    #[arg(long, conflicts_with = "threads")]
    threads_sweep: bool,

    /// Every instruction set of this processor
    #[arg(long, conflicts_with = "simd")]
    levels: bool,

    /// Each game on strips of all these widths, such as 16..=28
    #[arg(long, value_name = "A..=B", value_parser = widths)]
    widths: Option<Widths>,

    /// Where files are written to time that; nothing is left there [default: tables, the current folder, or the
    /// one for temporary files, whichever can be written into]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Also write a report into this folder, which is made: report.html, results.json, results.csv and
    /// the figures as SVG. A run that is killed leaves there what it has measured
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// No progress and no talk
    #[arg(short, long)]
    quiet: bool,

    /// Print the record as one JSON object
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,

    /// Print every sample as comma-separated values
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,

    /// Print the results as a table in Markdown
    #[arg(long)]
    markdown: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Compare two records: which differences exceed the noise
    Compare(compare::Args),
}

type Widths = RangeInclusive<u32>;

fn widths(text: &str) -> Result<Widths, String> {
    let range = text.split_once("..=").and_then(|(a, b)| Some(a.parse().ok()?..=b.parse().ok()?));
    let range = range.filter(|range: &Widths| *range.start() >= 1 && *range.end() <= MAX_WIDTH);
    range
        .filter(|range| !range.is_empty())
        .ok_or_else(|| format!("expected two widths such as 16..=28, from 1 to {MAX_WIDTH}"))
}

const DEFAULT_IDS: &[&str] = &["chess-20", "chess-24"];
const WIDTHS_IDS: &[&str] = &["chess-20"];
const QUICK_IDS: &[&str] = &["chess-16", "chess-20", "slide-20", "welter-20"];
const QUICK_REPEATS: usize = 11;

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let contenders =
            || if self.quick { Contender::ALL.to_vec() } else { Contender::USUAL.to_vec() };
        let what = || if self.quick { What::ALL.to_vec() } else { What::USUAL.to_vec() };
        let quick_repeats = NonZeroUsize::new(QUICK_REPEATS).filter(|_| self.quick);
        Ok(Plan {
            games: self.games()?,
            contenders: given_or(&self.methods, contenders),
            threads: given_or(&self.threads, || self.all_threads()),
            levels: given_or(&self.simd, || self.all_levels()),
            what: given_or(&self.what, what),
            repeats: self.repeats.or(quick_repeats),
            folder: self.folder.clone().unwrap_or_else(folder),
        })
    }

    fn games(&self) -> anyhow::Result<Vec<Game>> {
        let default = match (self.quick, &self.widths) {
            (true, _) => QUICK_IDS,
            (false, Some(_)) => WIDTHS_IDS,
            (false, None) => DEFAULT_IDS,
        };
        let games: Vec<Game> = match &self.ids[..] {
            [] => default.iter().map(|id| id.parse()).collect::<Result<_, _>>()?,
            given => given.to_vec(),
        };
        let Some(widths) = &self.widths else { return Ok(games) };
        let mut wide = Vec::new();
        for game in games {
            let Game::Strip(strip) = game else {
                bail!("--widths is for games on a strip: leave out {game} or --widths");
            };
            for width in widths.clone() {
                wide.push(Game::from(strip.with_width(width)?));
            }
        }
        Ok(wide)
    }

    fn all_threads(&self) -> Vec<NonZeroUsize> {
        let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let powers = std::iter::successors(Some(NonZeroUsize::MIN), |n| n.checked_mul(TWO));
        let some = powers.take_while(|&n| n < all && (self.threads_sweep || n.get() == 1));
        some.chain([all]).collect()
    }

    fn all_levels(&self) -> Vec<Level> {
        if self.levels { Level::available().collect() } else { vec![Level::detect()] }
    }
}

/// The first of some folders that can be written into.
fn folder() -> PathBuf {
    let places = [Path::new("tables"), Path::new(".")].into_iter();
    let mut open =
        places.filter(|place| place.is_dir() && access(*place, Access::WRITE_OK).is_ok());
    open.next().map_or_else(std::env::temp_dir, Path::to_owned)
}

const TWO: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

fn given_or<T: Clone>(given: &[T], default: impl FnOnce() -> Vec<T>) -> Vec<T> {
    if given.is_empty() { default() } else { given.to_vec() }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(Task::Compare(args)) = &args.task {
        return compare::run(args);
    }
    let plan = args.plan()?;
    start_threads()?;
    let machine = Machine::look();
    let record = args.report.as_deref().map(|folder| Record::new(folder, &plan, &machine));
    let watch = Watch::new(record.transpose()?)?;
    let measured = match measure(&plan, args.quiet, &watch) {
        Ok(measured) => measured,
        Err(wrong @ (ExperimentError::Wrong { .. } | ExperimentError::Reference { .. })) => {
            output::error(&wrong.into());
            return Ok(Outcome::Failed);
        }
        Err(error) => return Err(error.into()),
    };
    let report = Report::new(&plan, machine.clone(), &measured);
    for warning in &report.warnings {
        output::talk(args.quiet, &format!("warning: {warning}"));
    }
    if let Some(record) = watch.into_record() {
        let page = record.finish(&report)?;
        output::talk(args.quiet, &format!("the report is {}", page.display()));
    }
    print(args, &report)?;
    Ok(Outcome::Holds)
}

/// Times the plan behind a progress bar, until the end or the first interrupt.
fn measure(plan: &Plan, quiet: bool, watch: &Watch<'_>) -> Result<Measured, ExperimentError> {
    let (planned, done) = watch.progress();
    progress::stepping((quiet, "bench"), (planned, done), || experiment::run(plan, watch))
}

/// Starts the threads for what is checked outside the timed spans. Left to themselves, they would be as many as
/// `RAYON_NUM_THREADS` says, whatever that is.
fn start_threads() -> anyhow::Result<()> {
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let started = rayon::ThreadPoolBuilder::new().num_threads(all.get()).build_global();
    started.with_context(|| format!("cannot start {all} threads"))
}

fn print(args: &Args, report: &Report) -> anyhow::Result<()> {
    match (args.json, args.csv, args.markdown) {
        (true, ..) => output::json(report),
        (_, true, _) => output::result(report.csv()),
        (.., true) => output::result(report.markdown()),
        _ => output::result(report.text()),
    }
}
