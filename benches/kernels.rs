//! The kernels at each level of this processor, on tables that stay in a cache and on one that does not.

#![allow(missing_docs, reason = "criterion makes public functions")]

mod common;

use common::{compute, game, time};
use criterion::{Criterion, criterion_group, criterion_main};
use grundy::experiment::Contender;
use grundy::simd::Level;

/// 16 KiB, 256 KiB and 16 MiB: in a first, in a second, and beyond most third caches' share of a core.
fn levels(criterion: &mut Criterion) {
    for id in ["chess-14", "chess-18", "chess-24", "welter-18"] {
        let cases = Contender::USUAL.into_iter().flat_map(|contender| {
            Level::available().map(move |level| compute(game(id), contender, level))
        });
        time(criterion, id, &cases.collect::<Vec<_>>());
    }
}

criterion_group!(benches, levels);
criterion_main!(benches);
