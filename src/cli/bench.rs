//! `grundy bench`: how fast the methods are on this machine, measured so that it can be believed.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use grundy::experiment::{
    self, Contender, ExperimentError, Machine, Measured, Plan, Report, Watcher, What,
};
use grundy::game::Game;
use grundy::simd::Level;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::{Outcome, output, progress, work};

#[derive(clap::Args)]
pub(super) struct Args {
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

    /// What is timed: compute, law [default: both]
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',')]
    what: Vec<What>,

    /// How often each case is timed [default: as often as a second or two allow, 5 to 31]
    #[arg(long, value_name = "N")]
    repeats: Option<NonZeroUsize>,

    /// No progress and no talk
    #[arg(short, long)]
    quiet: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

const DEFAULT_IDS: [&str; 2] = ["chess-20", "chess-24"];

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let or = |given: &[Game]| match given {
            [] => DEFAULT_IDS.iter().map(|id| id.parse()).collect(),
            given => Ok(given.to_vec()),
        };
        Ok(Plan {
            games: or(&self.ids)?,
            contenders: given_or(&self.methods, || Contender::USUAL.to_vec()),
            threads: given_or(&self.threads, one_and_all),
            levels: given_or(&self.simd, || vec![Level::detect()]),
            what: given_or(&self.what, || What::ALL.to_vec()),
            repeats: self.repeats,
        })
    }
}

fn given_or<T: Clone>(given: &[T], default: impl FnOnce() -> Vec<T>) -> Vec<T> {
    if given.is_empty() { default() } else { given.to_vec() }
}

fn one_and_all() -> Vec<NonZeroUsize> {
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut threads = vec![NonZeroUsize::MIN, all];
    threads.dedup();
    threads
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let plan = args.plan()?;
    if cfg!(debug_assertions) {
        let text = "warning: this build is not optimised, and its figures say little";
        output::talk(args.quiet, text);
    }
    let machine = Machine::look();
    let measured = match measure(&plan, args.quiet)? {
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
    if args.json {
        output::json(&report)?;
    } else {
        output::result(report.text())?;
    }
    Ok(Outcome::Holds)
}

/// Times the plan behind a progress bar, until the end or the first interrupt.
fn measure(plan: &Plan, quiet: bool) -> anyhow::Result<Result<Measured, ExperimentError>> {
    let watch = Watch::new()?;
    Ok(progress::stepping((quiet, "bench"), (&watch.planned, &watch.done), || {
        experiment::run(plan, &watch)
    }))
}

/// Passes progress on to the bar, in microseconds, and an interrupt on to the experiment.
struct Watch {
    stopped: Arc<AtomicBool>,
    planned: AtomicU64,
    done: AtomicU64,
}

impl Watch {
    fn new() -> anyhow::Result<Self> {
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
        Ok(Self { stopped, planned: AtomicU64::new(0), done: AtomicU64::new(0) })
    }
}

impl Watcher for Watch {
    fn progress(&self, done: Duration, planned: Duration) {
        self.planned.store(planned.as_micros() as u64, Ordering::Relaxed);
        self.done.store(done.as_micros() as u64, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
