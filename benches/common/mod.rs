//! Cases of `grundy::experiment` as criterion benches: the same workloads, the same checks.

use std::num::NonZeroUsize;

use criterion::{BenchmarkId, Criterion, Throughput};
use grundy::experiment::{Case, Contender, Work, Workload};
use grundy::game::Game;
use grundy::simd::Level;
use rayon::ThreadPoolBuilder;

/// The game of an id.
pub(crate) fn game(id: &str) -> Game {
    id.parse().expect("an id")
}

/// Making the table of `game`, on one thread.
#[allow(dead_code, reason = "not every bench makes tables")]
pub(crate) fn compute(game: Game, contender: Contender, level: Level) -> Case {
    Case { game, work: Work::Compute(contender), threads: NonZeroUsize::MIN, level }
}

/// `case` on so many threads.
#[allow(dead_code, reason = "not every bench is about threads")]
pub(crate) fn on_threads(case: Case, threads: usize) -> Case {
    Case { threads: NonZeroUsize::new(threads).expect("not zero"), ..case }
}

/// Times each case in the group `name`; the answer is checked before and after, outside the timed span.
pub(crate) fn time(criterion: &mut Criterion, name: &str, cases: &[Case]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    let games = cases.iter().map(|case| case.game);
    let mut workload = Workload::new(games).expect("memory and right answers");
    for case in cases {
        let threads = case.threads.get();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.throughput(Throughput::Elements(case.units()));
        group.bench_function(BenchmarkId::from_parameter(case), |bencher| {
            pool.install(|| {
                workload.prepare(case).expect("a state to begin in");
                let mut answer = workload.run(case).expect("an answer");
                workload.check(case, answer).expect("a right answer");
                workload.prepare(case).expect("a state to begin in");
                bencher.iter(|| answer = workload.run(case).expect("an answer"));
                workload.check(case, answer).expect("a right answer");
            });
        });
    }
    group.finish();
}
