//! Three ways to the same bytes: every method, level and number of threads against the definition.

mod common;

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use common::games::{assert_same, naive, settings, strip, table};
use grundy::game::{Game, Rule};
use grundy::generate::{GenerateError, Method, Observer, Settings, generate};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

#[test]
fn layered_equals_naive_for_every_rule_and_reach_to_width_16() {
    for rule in Rule::ALL {
        for width in 1..=16 {
            for reach in [None, Some(1), Some(2), Some(3), Some(4), Some(5)] {
                let strip = strip(rule, width, reach);
                let expected = naive(strip);
                settings().for_each(|on| assert_same(strip, Method::Layered, on, &expected));
            }
        }
    }
}

#[test]
fn closed_form_equals_naive_to_width_18() {
    for rule in Rule::ALL {
        for width in 1..=18 {
            let strip = strip(rule, width, None);
            let expected = naive(strip);
            settings().for_each(|on| assert_same(strip, Method::ClosedForm, on, &expected));
        }
    }
}

#[test]
fn all_methods_agree_at_width_20() {
    for rule in Rule::ALL {
        let strip = strip(rule, 20, None);
        let expected = naive(strip);
        for on in settings() {
            assert_same(strip, Method::Layered, on, &expected);
            assert_same(strip, Method::ClosedForm, on, &expected);
        }
    }
}

/// Wide enough for tiles of whole bands and more than one of them, on one thread and on two.
#[test]
fn layered_equals_naive_where_rows_have_a_top() {
    for (rule, width, reach) in [
        (Rule::Chess, 22, None),
        (Rule::Slide, 21, Some(9)),
        (Rule::Welter, 21, None),
        (Rule::Welter, 21, Some(2)),
        (Rule::Chess, 21, Some(15)),
    ] {
        let strip = strip(rule, width, reach);
        let expected = naive(strip);
        settings().for_each(|on| assert_same(strip, Method::Layered, on, &expected));
    }
}

/// Of 24 cells: smaller tiles, and moves inside the top at any number of threads.
#[test]
fn layered_is_the_formula_where_tiles_are_many() {
    for rule in Rule::ALL {
        let strip = strip(rule, 24, None);
        let expected = table(strip, Method::ClosedForm, Settings::detect());
        settings().for_each(|on| assert_same(strip, Method::Layered, on, &expected));
    }
}

/// Values beyond four planes of eight: reach 16 on 20 cells has 33.
#[test]
fn layered_equals_naive_where_values_pass_31() {
    for reach in [16, 17] {
        let strip = strip(Rule::Welter, 20, Some(reach));
        let expected = naive(strip);
        assert!(expected.iter().any(|&value| value > 31), "{strip} has no large value");
        settings().for_each(|on| assert_same(strip, Method::Layered, on, &expected));
    }
}

/// What an observer was told, and whether it fits a table.
#[derive(Default)]
struct Log {
    told: Mutex<Vec<(bool, u64, usize)>>,
    values: Mutex<Vec<(u64, Vec<u8>)>>,
}

impl Observer for Log {
    fn before(&self, offset: u64, values: &mut [u8]) {
        values.fill(0xEE);
        self.told.lock().expect("no panic").push((false, offset, values.len()));
    }

    fn after(&self, offset: u64, values: &[u8]) {
        self.told.lock().expect("no panic").push((true, offset, values.len()));
        self.values.lock().expect("no panic").push((offset, values.to_vec()));
    }
}

impl Log {
    /// Each stretch once before and once after, at a place that the contract allows.
    fn check(self, game: Game, expected: &[u8]) {
        let mut values = self.values.into_inner().expect("no panic");
        values.sort();
        let mut next = 0;
        for (offset, stretch) in &values {
            assert_eq!(*offset, next, "{game}: a gap or an overlap");
            let unit = (stretch.len() as u64).next_power_of_two().min(1 << 18);
            assert_eq!(offset % unit, 0, "{game}: a stretch of {} at {offset}", stretch.len());
            next += stretch.len() as u64;
        }
        let joined: Vec<u8> = values.iter().flat_map(|(_, stretch)| stretch).copied().collect();
        assert!(joined == expected, "{game}: the bytes seen are not final");
        let told = self.told.into_inner().expect("no panic");
        for (offset, stretch) in &values {
            let of = |after| {
                let told = told.iter().enumerate();
                let mut same = told.filter(|(_, told)| **told == (after, *offset, stretch.len()));
                let place = same.next().map(|(place, _)| place);
                assert!(same.next().is_none(), "{game}: told twice of {offset}");
                place
            };
            assert!(of(false).is_some() && of(false) < of(true), "{game}: not told of {offset}");
        }
    }
}

#[test]
fn an_observer_sees_every_byte_once_and_final() {
    for rule in Rule::ALL {
        for width in [1, 5, 6, 13, 18, 20] {
            let strip = strip(rule, width, None);
            let game = Game::from(strip);
            let expected = naive(strip);
            for on in [1, 2].map(|n| Settings::detect().with_threads(n.try_into().expect("1 or 2")))
            {
                for method in Method::ALL {
                    let log = Log::default();
                    let mut values = vec![0; strip.entries() as usize];
                    let threads = generate(&game, method, on, &mut values, &log).expect("a table");
                    assert!((1..=2).contains(&threads), "{game} {method}: {threads} threads");
                    log.check(game, &expected);
                }
            }
        }
    }
}

/// Fails at the stretch that begins at an offset or after it.
struct Failing(u64);

impl Observer for Failing {
    fn after(&self, offset: u64, _: &[u8]) {
        assert!(offset < self.0, "as it should");
    }
}

/// Settings with which tables of all sizes are made by `threads`.
fn on(threads: usize) -> Settings {
    Settings { threads: NonZeroUsize::new(threads), small_too: true, ..Settings::detect() }
}

#[test]
fn many_threads_make_the_same_bytes() {
    let strip = strip(Rule::Chess, 22, None);
    let expected = naive(strip);
    for threads in [1, 2, 3, 5, 16, 64] {
        assert_same(strip, Method::Layered, on(threads), &expected);
    }
}

/// Where an observer panics the panic comes through, and no thread waits for a tile that never comes.
#[test]
fn a_panic_of_an_observer_ends_the_work_of_all_threads() {
    let strip = strip(Rule::Chess, 22, None);
    for threads in [1, 2, 3, 16] {
        for offset in [0, 1, strip.entries() / 2] {
            let mut values = vec![0; strip.entries() as usize];
            let (game, observer) = (Game::from(strip), Failing(offset));
            let made = || generate(&game, Method::Layered, on(threads), &mut values, &observer);
            let panic = catch_unwind(AssertUnwindSafe(made)).expect_err("a panic");
            let text = panic.downcast_ref::<&str>();
            assert!(text.is_some_and(|text| text.contains("as it should")), "{text:?}");
        }
    }
}

/// Works on the threads of a pool and of the one that it runs on, which may be busy with tiles.
struct Parallel<'a>(&'a ThreadPool);

impl Observer for Parallel<'_> {
    fn before(&self, _: u64, values: &mut [u8]) {
        rayon::join(|| (), || rayon::join(|| (), || ()));
        self.0.install(|| values.fill(0xEE));
    }

    fn after(&self, _: u64, values: &[u8]) {
        let largest = self.0.install(|| values.par_iter().max().copied());
        assert!(largest.is_some_and(|largest| largest < 0xEE));
    }
}

/// The caller may be a thread of a pool, and an observer may use that pool or the one it finds itself in.
#[test]
fn an_observer_and_a_caller_may_use_pools() {
    let strip = strip(Rule::Chess, 22, None);
    let expected = naive(strip);
    for workers in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(workers).build().expect("a pool");
        for threads in [1, 2, 3, 16] {
            let make = || {
                let mut values = vec![0; strip.entries() as usize];
                let game = Game::from(strip);
                let observer = Parallel(&pool);
                generate(&game, Method::Layered, on(threads), &mut values, &observer)
                    .expect("a table");
                assert!(values == *expected, "{workers} workers, {threads} threads");
            };
            make();
            pool.install(make);
        }
    }
}

/// A table of 16 MiB, which is written past the caches where nobody looks at it, at places that are
/// aligned to a vector and that are not.
#[test]
fn a_table_larger_than_the_caches_is_the_formula() {
    for rule in Rule::ALL {
        let strip = strip(rule, 24, None);
        let entries = strip.entries() as usize;
        let mut buffer = vec![0xEE; entries + 64];
        for (on, shift) in settings().zip([0, 1, 16, 32].into_iter().cycle()) {
            let values = &mut buffer[shift..][..entries];
            generate(&Game::from(strip), Method::ClosedForm, on, values, &()).expect("a table");
            for row in (0..entries).step_by(997) {
                let value = grundy::game::strip_value(strip, row as u64);
                assert_eq!(Some(values[row]), value, "{strip} {on:?} shifted {shift} row {row}");
            }
        }
    }
}

#[test]
fn a_method_that_a_game_lacks_and_a_buffer_of_another_length_are_errors() {
    let game = Game::from(strip(Rule::Chess, 8, Some(3)));
    let mut values = vec![7; 256];
    let error = generate(&game, Method::ClosedForm, Settings::detect(), &mut values, &());
    assert!(matches!(error, Err(GenerateError::NotApplicable { .. })), "{error:?}");
    assert_eq!(values, [7; 256], "an error leaves no bytes behind");
    for length in [0, 255] {
        let error = generate(&game, Method::Naive, Settings::detect(), &mut values[..length], &());
        assert!(matches!(error, Err(GenerateError::Length { .. })), "{error:?}");
    }
}
