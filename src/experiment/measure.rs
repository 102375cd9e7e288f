//! Samples: every case warmed up, timed again and again, in turn with all others.
//!
//! A machine drifts: it warms up, its neighbours wake. So the cases take turns, round by round, and every
//! round begins with another case: what drifts hits all alike, and no case always follows the same one.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::workload::Answer;
use super::{Case, ExperimentError, Plan, Times, Work, Workload};

/// A sample lasts at least so long; shorter work is done several times in a row. The first of them finds the
/// caches as another case has left them; what is timed is the work when it is warm.
const SHORTEST_SAMPLE: Duration = Duration::from_millis(5);

/// Unless told how often, a case is repeated for so long,
const PATIENCE: Duration = Duration::from_millis(1500);

/// but at least so often,
const FEWEST: usize = 5;

/// and at most so often.
const MOST: usize = 31;

/// Is told how an experiment goes on, and can end it early.
pub trait Watcher {
    /// So much of the planned time is over, as far as can be foreseen.
    fn progress(&self, done: Duration, planned: Duration) {
        let _ = (done, planned);
    }

    /// A sample was taken.
    fn sample(&self, sample: Sample) {
        let _ = sample;
    }

    /// Every case has had another turn; `so_far` is what is measured.
    fn round(&self, so_far: &dyn Fn() -> Measured) {
        let _ = so_far;
    }

    /// Whether to stop now and keep what is measured.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Watcher for () {}

/// One sample, as soon as it is taken.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The case.
    pub case: Case,
    /// The threads that took part.
    pub threads_used: usize,
    /// How many samples of this case came before.
    pub number: usize,
    /// Nanoseconds an entry; of a bound, a byte or a read.
    pub ns_per_entry: f64,
    /// What the parts took, where a file was made.
    pub times: Option<Times>,
}

/// The samples of a whole plan.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The samples of each case, in the order of the plan.
    pub series: Vec<Series>,
    /// Whether every sample planned was taken.
    pub complete: bool,
}

/// The samples of one case.
#[derive(Clone, Debug)]
pub struct Series {
    /// The case.
    pub case: Case,
    /// The threads that took part.
    pub threads_used: usize,
    /// How many times in a row the work was done for each sample.
    pub runs_per_sample: u32,
    /// Nanoseconds for the work once, sample by sample.
    pub nanos: Vec<f64>,
    /// What the parts of each took, where files were made.
    pub times: Vec<Times>,
}

/// Times every case of a plan, in this process and in memory.
///
/// # Errors
/// [`ExperimentError`]: above all [`ExperimentError::Wrong`] where an answer is.
pub fn run(plan: &Plan, watcher: &dyn Watcher) -> Result<Measured, ExperimentError> {
    let cases = plan.cases();
    if cases.is_empty() {
        return Err(ExperimentError::Nothing);
    }
    let mut workload = Workload::new(cases.iter().map(|case| case.game).collect::<Games>())?
        .in_folder(plan.folder.clone());
    let mut runners = Vec::new();
    for &case in &cases {
        if watcher.is_stopped() {
            break;
        }
        runners.push(Runner::warm_up(case, plan.repeats, &mut workload)?);
    }
    take_samples(&mut runners, &mut workload, watcher)?;
    let complete = runners.len() == cases.len() && runners.iter().all(Runner::is_done);
    Ok(Measured { complete, ..so_far(&runners) })
}

/// What is measured, as if no more came.
fn so_far(runners: &[Runner]) -> Measured {
    let series = runners.iter().map(|runner| &runner.series);
    let series = series.filter(|series| !series.nanos.is_empty()).cloned().collect();
    Measured { series, complete: false }
}

type Games = std::collections::HashSet<crate::game::Game>;

fn take_samples(
    runners: &mut [Runner],
    workload: &mut Workload,
    watcher: &dyn Watcher,
) -> Result<(), ExperimentError> {
    let planned =
        runners.iter().map(Runner::planned).fold(Duration::ZERO, Duration::saturating_add);
    let rounds = runners.iter().map(|runner| runner.repeats).max().unwrap_or(0);
    let mut done = Duration::ZERO;
    for round in 0..rounds {
        let cases = runners.len();
        for turn in 0..cases {
            let runner = &mut runners[(turn + round) % cases];
            if runner.is_done() {
                continue;
            }
            if watcher.is_stopped() {
                return Ok(());
            }
            watcher.sample(runner.sample(workload)?);
            done += runner.estimate;
            watcher.progress(done, planned);
        }
        watcher.round(&|| so_far(runners));
    }
    Ok(())
}

/// A case being timed.
struct Runner {
    series: Series,
    repeats: usize,
    /// How long a sample takes with all that surrounds it.
    estimate: Duration,
    /// The threads of the law and of the bounds; a method starts its own.
    pool: Option<ThreadPool>,
}

impl Runner {
    /// Does the work of a case untimed until caches, threads and page tables have seen it, and finds out
    /// how long it takes.
    fn warm_up(
        case: Case,
        repeats: Option<NonZeroUsize>,
        workload: &mut Workload,
    ) -> Result<Self, ExperimentError> {
        let own = matches!(case.work, Work::Compute(_) | Work::File(_));
        let pool = if own { None } else { Some(pool(case.threads)?) };
        let (nanos, times) = (Vec::new(), Vec::new());
        let series = Series { case, threads_used: 0, runs_per_sample: 1, nanos, times };
        let mut runner = Self { series, repeats: 1, estimate: Duration::ZERO, pool };
        let start = Instant::now();
        let mut once = runner.timed(workload, 1)?.0;
        runner.estimate = start.elapsed();
        if case.work == Work::Law {
            workload.doubt(&case)?;
        }
        // What has been written or synced once is not written or synced again by doing so.
        if once < SHORTEST_SAMPLE && !case.work.is_stored() {
            // The first run paid for what later ones find ready.
            once = once.min(runner.timed(workload, 1)?.0).max(Duration::from_nanos(50));
            let runs = SHORTEST_SAMPLE.as_nanos().div_ceil(once.as_nanos());
            runner.series.runs_per_sample = runs as u32;
            runner.estimate += SHORTEST_SAMPLE;
        }
        let affordable = PATIENCE.as_nanos() / runner.estimate.as_nanos().max(1);
        let affordable = (affordable as usize).clamp(FEWEST, MOST);
        runner.repeats = repeats.map_or(affordable, NonZeroUsize::get);
        Ok(runner)
    }

    /// How long all samples take.
    fn planned(&self) -> Duration {
        self.estimate.saturating_mul(u32::try_from(self.repeats).unwrap_or(u32::MAX))
    }

    fn is_done(&self) -> bool {
        self.series.nanos.len() >= self.repeats
    }

    fn sample(&mut self, workload: &mut Workload) -> Result<Sample, ExperimentError> {
        let runs = self.series.runs_per_sample;
        let (time, Answer { times, threads: threads_used, .. }) = self.timed(workload, runs)?;
        let nanos = time.as_nanos().max(1) as f64 / f64::from(runs);
        let (case, number) = (self.series.case, self.series.nanos.len());
        let ns_per_entry = nanos / case.units().max(1) as f64;
        self.series.threads_used = threads_used;
        self.series.nanos.push(nanos);
        self.series.times.extend(times);
        Ok(Sample { case, threads_used, number, ns_per_entry, times })
    }

    /// Prepares the work, does it `runs` times on the clock, and checks the answer.
    fn timed(
        &mut self,
        workload: &mut Workload,
        runs: u32,
    ) -> Result<(Duration, Answer), ExperimentError> {
        let case = self.series.case;
        workload.prepare(&case)?;
        // The clock runs inside the pool: waking its threads from outside is not the work.
        let (time, answer) = match &self.pool {
            Some(pool) => pool.install(|| clock(workload, &case, runs)),
            None => clock(workload, &case, runs),
        };
        let answer = answer?;
        workload.check(&case, answer)?;
        // The parts of a file make its whole.
        Ok((answer.times.map_or(time, |times| times.total()), answer))
    }
}

/// The timed span.
fn clock(
    workload: &mut Workload,
    case: &Case,
    runs: u32,
) -> (Duration, Result<Answer, ExperimentError>) {
    let start = Instant::now();
    let mut answer = workload.run(case);
    for _ in 1..runs {
        if answer.is_err() {
            break;
        }
        answer = workload.run(case);
    }
    (start.elapsed(), answer)
}

fn pool(threads: NonZeroUsize) -> Result<ThreadPool, ExperimentError> {
    let threads = threads.get();
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| ExperimentError::Threads { threads, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use super::{Watcher, run};
    use crate::experiment::{Contender, Measured, Plan, What, Work};
    use crate::generate::Method;
    use crate::simd::Level;

    fn plan(repeats: usize) -> Plan {
        let contenders = [Method::Layered, Method::ClosedForm, Method::Naive];
        Plan {
            games: ["chess-8", "welter-9-reach-3"].map(|id| id.parse().expect("an id")).to_vec(),
            contenders: contenders.map(Contender::Method).to_vec(),
            threads: vec![NonZeroUsize::MIN],
            levels: vec![Level::detect()],
            what: What::ALL.to_vec(),
            repeats: NonZeroUsize::new(repeats),
            folder: std::env::temp_dir(),
        }
    }

    #[test]
    fn every_case_is_timed_as_often_as_told() {
        let measured = run(&plan(3), &()).expect("it runs");
        assert!(measured.complete);
        let cases: Vec<_> = measured.series.iter().map(|series| series.case).collect();
        assert_eq!(cases, plan(3).cases());
        for series in measured.series {
            assert_eq!(series.nanos.len(), 3, "{}", series.case);
            assert!(series.nanos.iter().all(|&nanos| nanos > 0.0));
            let files = if matches!(series.case.work, Work::File(_)) { 3 } else { 0 };
            assert_eq!(series.times.len(), files, "{}", series.case);
            for (times, nanos) in series.times.iter().zip(&series.nanos) {
                assert!((times.total().as_nanos() as f64 - nanos).abs() < 1.0, "{}", series.case);
            }
            assert!(series.runs_per_sample >= 1 && series.threads_used == 1);
        }
    }

    /// Keeps how many samples each round has brought.
    #[derive(Default)]
    struct Rounds(RefCell<Vec<usize>>);

    impl Watcher for Rounds {
        fn round(&self, so_far: &dyn Fn() -> Measured) {
            let measured = so_far();
            assert!(!measured.complete);
            let samples = measured.series.iter().map(|series| series.nanos.len()).sum();
            self.0.borrow_mut().push(samples);
        }
    }

    #[test]
    fn what_is_measured_is_told_after_every_round() {
        let rounds = Rounds::default();
        run(&plan(3), &rounds).expect("it runs");
        let cases = plan(3).cases().len();
        assert_eq!(rounds.0.into_inner(), [cases, 2 * cases, 3 * cases]);
    }

    /// Stops after some samples.
    struct Impatient {
        samples: Cell<usize>,
    }

    impl Watcher for Impatient {
        fn progress(&self, done: Duration, planned: Duration) {
            assert!(done <= planned);
            self.samples.set(self.samples.get() - 1);
        }

        fn is_stopped(&self) -> bool {
            self.samples.get() == 0
        }
    }

    #[test]
    fn what_is_measured_before_the_end_is_kept() {
        let cases = plan(5).cases().len();
        let measured =
            run(&plan(5), &Impatient { samples: Cell::new(cases + 2) }).expect("it runs");
        assert!(!measured.complete);
        let samples = measured.series.iter().map(|series| series.nanos.len());
        assert_eq!(samples.clone().sum::<usize>(), cases + 2);
        assert!(samples.clone().all(|samples| samples <= 2), "the cases take turns");
        let none = run(&plan(5), &Impatient { samples: Cell::new(0) }).expect("it runs");
        assert!(none.series.is_empty() && !none.complete);
    }

    #[test]
    fn a_plan_without_a_case_is_an_error() {
        let contenders = vec![Contender::Contest];
        let plan = Plan { what: vec![What::Compute], contenders, ..plan(1) };
        let games = vec!["welter-9".parse().expect("an id")];
        assert!(run(&Plan { games, ..plan }, &()).is_err());
    }
}
