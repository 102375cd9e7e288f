//! Looking values up: one by one, in batches, and in a plain slice, at random places.

#![allow(missing_docs, reason = "criterion makes public functions")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy::game::{Game, strip_value};
use grundy::generate::{Method, Settings, generate};
use grundy::table::{Header, Policy, Table, Target, Writer};

const PROBES: usize = 1 << 12;

/// Places of a table in no order: a linear congruential generator, whose high bits are random enough.
fn places(entries: u64) -> Vec<u64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 20) % entries
    };
    (0..PROBES).map(step).collect()
}

fn probe(criterion: &mut Criterion) {
    for id in ["chess-20", "chess-26"] {
        let game: Game = id.parse().expect("an id");
        let table = table(game);
        let places = places(game.entries());
        let right: Vec<u8> = places.iter().map(|&place| value(game, place)).collect();
        let mut group = criterion.benchmark_group(id);
        group.throughput(Throughput::Elements(PROBES as u64));
        let mut time = |name: &str, probe: &dyn Fn(&mut [u8])| {
            let mut found = vec![0xEE; PROBES];
            probe(&mut found);
            assert!(found == right, "{id} {name}: a wrong value");
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                bencher.iter(|| probe(black_box(&mut found)));
            });
            assert!(found == right, "{id} {name}: a wrong value");
        };
        time("get", &|found| {
            for (found, &place) in found.iter_mut().zip(&places) {
                *found = table.get(place).unwrap_or(0xEE);
            }
        });
        time("values_at", &|found| table.values_at(&places, found).expect("places of the table"));
        time("slice", &|found| {
            let values = table.values();
            for (found, &place) in found.iter_mut().zip(&places) {
                *found = values[place as usize];
            }
        });
        group.finish();
    }
}

/// The table, as a file read back into memory.
fn table(game: Game) -> Table {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let target = Target::check(&path, Policy::Keep).expect("a target");
    let mut writer = Writer::reserve(target.create().expect("a file"), game).expect("room");
    let method = Method::ClosedForm;
    let collector = grundy::table::Collector::new(game.entries());
    generate(&game, method, Settings::detect(), writer.values_mut(), &()).expect("a table");
    let _: Header = writer.seal(collector).publish().expect("a file");
    Table::load(&path).expect("the table")
}

fn value(game: Game, place: u64) -> u8 {
    match game {
        Game::Strip(strip) => strip_value(strip, place).expect("a formula"),
        Game::Stones(_) => unreachable!("the tables of this bench are of strips"),
    }
}

criterion_group!(benches, probe);
criterion_main!(benches);
