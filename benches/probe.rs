//! Looking values up, one by one and in batches, at random places of a table that stays in a cache and of one
//! that does not, and what one read at a random place takes.

#![allow(missing_docs, reason = "criterion makes public functions")]

mod common;

use std::num::NonZeroUsize;

use common::{game, time};
use criterion::{Criterion, criterion_group, criterion_main};
use grundy::experiment::{Bound, Case, Probe, Work};
use grundy::simd::Level;

fn probe(criterion: &mut Criterion) {
    for id in ["chess-20", "chess-26", "stones-100"] {
        let works = Probe::ALL.map(Work::Probe).into_iter();
        let works = works.chain([Work::Bound(Bound::RandomRead)]);
        let (game, threads, level) = (game(id), NonZeroUsize::MIN, Level::PORTABLE);
        let cases = works.map(|work| Case { game, work, threads, level });
        time(criterion, id, &cases.collect::<Vec<_>>());
    }
}

criterion_group!(benches, probe);
criterion_main!(benches);
