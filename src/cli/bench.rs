//! `grundy bench`: how fast the methods are on this machine, measured so that it can be believed.

mod compare;

use std::fs::File;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use grundy::experiment::{
    self, CSV_HEADINGS, Contender, ExperimentError, Machine, Measured, Plan, Report, Sample,
    Watcher, What,
};
use grundy::game::{Game, MAX_WIDTH};
use grundy::simd::Level;
use signal_hook::consts::{SIGINT, SIGTERM};

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

    /// What is timed: compute, law, bounds (what memory allows) [default: all]
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',')]
    what: Vec<What>,

    /// How often each case is timed [default: as often as a second or two allow, 5 to 31]
    #[arg(long, value_name = "N")]
    repeats: Option<NonZeroUsize>,

    /// All methods on small tables of all rules: under 30 seconds
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

    /// Also write a report into this folder, which is made: report.html, results.json, results.csv and
    /// the figures as SVG
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
const QUICK_REPEATS: usize = 7;

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let contenders =
            || if self.quick { Contender::ALL.to_vec() } else { Contender::USUAL.to_vec() };
        let quick_repeats = NonZeroUsize::new(QUICK_REPEATS).filter(|_| self.quick);
        Ok(Plan {
            games: self.games()?,
            contenders: given_or(&self.methods, contenders),
            threads: given_or(&self.threads, || self.all_threads()),
            levels: given_or(&self.simd, || self.all_levels()),
            what: given_or(&self.what, || What::ALL.to_vec()),
            repeats: self.repeats.or(quick_repeats),
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
    let watch = Watch::new(args.report.as_deref())?;
    let measured = match measure(&plan, args.quiet, &watch) {
        Ok(measured) => measured,
        Err(wrong @ (ExperimentError::Wrong { .. } | ExperimentError::Reference { .. })) => {
            output::error(&wrong.into());
            return Ok(Outcome::Failed);
        }
        Err(error) => return Err(error.into()),
    };
    let report = Report::new(&plan, machine, &measured);
    for warning in &report.warnings {
        output::talk(args.quiet, &format!("warning: {warning}"));
    }
    if let Some(folder) = &args.report {
        write(&report, folder)?;
        output::talk(args.quiet, &format!("the report is {}", folder.join(PAGE).display()));
    }
    print(args, &report)?;
    Ok(Outcome::Holds)
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

const PAGE: &str = "report.html";
const SAMPLES: &str = "results.csv";

/// Writes the record and its pictures into a folder.
fn write(report: &Report, folder: &Path) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(report).context("cannot write the record as JSON")?;
    let mut files = vec![
        (PAGE.to_owned(), report.page()),
        ("results.json".to_owned(), json + "\n"),
        (SAMPLES.to_owned(), report.csv()),
    ];
    let figures = report.figures().into_iter();
    files.extend(figures.map(|figure| (format!("{}.svg", figure.name), figure.svg)));
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Times the plan behind a progress bar, until the end or the first interrupt.
fn measure(plan: &Plan, quiet: bool, watch: &Watch) -> Result<Measured, ExperimentError> {
    progress::stepping((quiet, "bench"), (&watch.planned, &watch.done), || {
        experiment::run(plan, watch)
    })
}

/// Passes progress on to the bar, in microseconds, and an interrupt on to the experiment. Samples go to the
/// folder of the report as they come, so that a run that is killed leaves them there.
struct Watch {
    samples: Option<File>,
    stopped: Arc<AtomicBool>,
    planned: AtomicU64,
    done: AtomicU64,
}

impl Watch {
    fn new(folder: Option<&Path>) -> anyhow::Result<Self> {
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
        let samples = folder.map(samples_file).transpose()?;
        // Nothing of something, until the warm-up has shown how long it will take.
        Ok(Self { samples, stopped, planned: AtomicU64::new(1), done: AtomicU64::new(0) })
    }
}

/// The file for the samples, in the folder of the report, which is made.
fn samples_file(folder: &Path) -> anyhow::Result<File> {
    let made = std::fs::create_dir_all(folder);
    made.with_context(|| format!("cannot make folder {}", folder.display()))?;
    let path = folder.join(SAMPLES);
    let error = || format!("cannot write {}", path.display());
    let mut file = File::create(&path).with_context(error)?;
    file.write_all(CSV_HEADINGS.as_bytes()).with_context(error)?;
    Ok(file)
}

impl Watcher for Watch {
    fn sample(&self, sample: Sample) {
        if let Some(mut file) = self.samples.as_ref() {
            // The file is written anew at the end, and what goes wrong is told then.
            let _ = file.write_all(sample.csv().as_bytes());
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
