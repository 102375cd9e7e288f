//! The methods side by side, on every rule, over widths, and over threads.

#![allow(missing_docs, reason = "criterion makes public functions")]

mod common;

use common::{compute, game, on_threads, time};
use criterion::{Criterion, criterion_group, criterion_main};
use grundy::experiment::Contender;
use grundy::generate::Method;
use grundy::simd::Level;

fn rules(criterion: &mut Criterion) {
    let ids = ["chess-20", "slide-20", "welter-20", "chess-20-reach-3", "stones-60"];
    let cases = ids.map(game).into_iter().flat_map(|game| {
        let who = Contender::ALL.into_iter().filter(move |contender| contender.applies_to(&game));
        who.map(move |contender| compute(game, contender, Level::detect()))
    });
    time(criterion, "rules", &cases.collect::<Vec<_>>());
}

fn widths(criterion: &mut Criterion) {
    let cases = (16..=26).step_by(2).flat_map(|width| {
        Contender::USUAL.map(|who| compute(game(&format!("chess-{width}")), who, Level::detect()))
    });
    time(criterion, "widths", &cases.collect::<Vec<_>>());
}

fn threads(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let cases = ["chess-16", "chess-20", "chess-24"].map(game).into_iter().flat_map(|game| {
        let layered = compute(game, Contender::Method(Method::Layered), Level::detect());
        (1..=all).map(move |threads| on_threads(layered, threads))
    });
    time(criterion, "threads", &cases.collect::<Vec<_>>());
}

criterion_group!(benches, rules, widths, threads);
criterion_main!(benches);
