//! The law of every kind of game, at each level of this processor and over threads, and what reading the
//! same memory takes.

#![allow(missing_docs, reason = "criterion makes public functions")]

mod common;

use std::num::NonZeroUsize;

use common::{game, on_threads, time};
use criterion::{Criterion, criterion_group, criterion_main};
use grundy::experiment::{Bound, Case, Work};
use grundy::simd::Level;

fn law(id: &str, level: Level) -> Case {
    Case { game: game(id), work: Work::Law, threads: NonZeroUsize::MIN, level }
}

fn games(criterion: &mut Criterion) {
    let ids = ["chess-20", "slide-20", "welter-20", "chess-20-reach-3", "stones-60"];
    time(criterion, "law", &ids.map(|id| law(id, Level::detect())));
}

fn levels(criterion: &mut Criterion) {
    let cases: Vec<Case> = Level::available().map(|level| law("chess-20", level)).collect();
    time(criterion, "law, levels", &cases);
}

fn threads(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let law = law("chess-24", Level::detect());
    let read = Case { work: Work::Bound(Bound::Read), level: Level::PORTABLE, ..law };
    let cases = (1..=all).flat_map(|threads| [law, read].map(|case| on_threads(case, threads)));
    time(criterion, "law, threads", &cases.collect::<Vec<_>>());
}

criterion_group!(benches, games, levels, threads);
criterion_main!(benches);
