//! The engine against the oracle, and against what is known of the game.

use std::sync::{LazyLock, Mutex};

use super::{Fill, GRAIN, PLANES, STRETCH, layered};
use crate::game::{Game, Pile, Stones, untouched_pile};
use crate::generate::{Method, Observer, Settings, generate};
use crate::simd::Level;

/// The largest table that is compared with the oracle's.
const LARGEST: u32 = 70;

fn stones(max: u32) -> Stones {
    Stones::new(max).expect("a game")
}

fn naive(max: u32) -> Vec<u8> {
    let game = Game::from(stones(max));
    let mut values = vec![0xAA; game.entries() as usize];
    generate(&game, Method::Naive, Settings::detect(), &mut values, &()).expect("a table");
    values
}

/// Each state of the largest table: all its stones, left and used, and the value by the oracle. The
/// states of a smaller table are those with no more stones, in the same order.
static ORACLE: LazyLock<Vec<(u32, u8)>> = LazyLock::new(|| {
    let all = |index| {
        let pile = stones(LARGEST).unrank(index);
        pile.left() + pile.used().sum::<u32>()
    };
    naive(LARGEST).into_iter().enumerate().map(|(n, value)| (all(n as u64), value)).collect()
});

fn expected(max: u32) -> Vec<u8> {
    ORACLE.iter().filter(|(all, _)| *all <= max).map(|(_, value)| *value).collect()
}

/// A table by the engine, with every subtree of more than `grain` entries split.
fn filled(max: u32, level: Level, threads: usize, grain: usize) -> Vec<u8> {
    let stones = stones(max);
    let mut values = vec![0xAA; stones.entries() as usize];
    let fill = Fill { stones, level, grain, planes: 1, observer: &() };
    fill.on(threads, &mut values).expect("a table");
    values
}

fn assert_same(stones: Stones, found: &[u8], expected: &[u8], how: &str) {
    assert_eq!(found.len(), expected.len(), "{stones} {how}: entries");
    if let Some(index) = found.iter().zip(expected).position(|(found, value)| found != value) {
        let (found, expected) = (found[index], expected[index]);
        let pile = stones.unrank(index as u64);
        panic!("{stones} {how}: index {index}, {pile}: found {found}, expected {expected}");
    }
}

#[test]
fn a_table_of_the_oracle_is_the_states_of_a_larger_one_with_fewer_stones() {
    for max in 1..=45 {
        assert_same(stones(max), &naive(max), &expected(max), "naive");
    }
}

#[test]
fn every_level_gives_the_bytes_of_the_oracle_for_every_max_up_to_70() {
    for max in 1..=LARGEST {
        let expected = expected(max);
        for level in Level::available() {
            let found = filled(max, level, 1, GRAIN);
            assert_same(stones(max), &found, &expected, &format!("{level}"));
        }
    }
}

#[test]
fn two_threads_give_the_bytes_of_the_oracle_for_every_max_up_to_70() {
    for max in 1..=LARGEST {
        let expected = expected(max);
        for level in Level::available() {
            // Down to single lines where that is soon done, and to pieces of some lines elsewhere.
            let grain = if max <= 40 { 0 } else { 1000 };
            let found = filled(max, level, 2, grain);
            let how = format!("{level}, 2 threads, grain {grain}");
            assert_same(stones(max), &found, &expected, &how);
        }
    }
}

/// From 136 stones on there are values of 16, which need a third plane.
#[test]
fn three_planes_give_the_bytes_of_the_oracle() {
    for level in Level::available() {
        let stones = stones(LARGEST);
        let mut values = vec![0xAA; stones.entries() as usize];
        let fill = Fill { stones, level, grain: GRAIN, planes: PLANES, observer: &() };
        fill.on(1, &mut values).expect("a table");
        assert_same(stones, &values, &expected(LARGEST), &format!("{level}, three planes"));
    }
}

#[test]
fn larger_tables_do_not_depend_on_level_or_threads() {
    let one = filled(90, Level::detect(), 1, GRAIN);
    assert_same(stones(90), &filled(90, Level::detect(), 3, 1000), &one, "3 threads");
    assert_same(stones(90), &filled(90, Level::PORTABLE, 2, 5000), &one, "portable");
}

#[test]
fn a_small_table_has_one_thread_unless_it_is_asked_to_have_more() {
    let stones = stones(60);
    let mut values = vec![0; stones.entries() as usize];
    let settings = Settings::detect();
    let two = settings.with_threads(2.try_into().expect("not 0"));
    assert_eq!(layered(stones, two, &mut values, &()), Ok(1));
    assert_eq!(layered(stones, Settings { small_too: true, ..two }, &mut values, &()), Ok(2));
}

#[test]
fn untouched_piles_have_the_values_of_the_formula_and_no_value_is_above_the_bound() {
    let stones = stones(100);
    let values = filled(100, Level::detect(), 1, GRAIN);
    for left in 0..=100 {
        let index = stones.rank(Pile::untouched(left).expect("a pile"));
        assert_eq!(u32::from(values[index as usize]), untouched_pile(left), "{left} stones");
    }
    for (index, &value) in values.iter().enumerate().step_by(7) {
        let pile = stones.unrank(index as u64);
        assert!(u32::from(value) <= pile.bound(), "{pile}: value {value}");
    }
}

#[test]
fn states_worked_out_by_hand_have_their_values() {
    let stones = stones(60);
    let values = filled(60, Level::detect(), 1, GRAIN);
    for (pile, value) in [("3:3", 0), ("2:2", 1), ("6:4,5", 1), ("1:1", 0), ("2:1", 1), ("0", 0)] {
        let index = stones.rank(Pile::parse(stones, pile).expect("a pile"));
        assert_eq!(values[index as usize], value, "{pile}");
    }
}

/// Notes what it is told, and wipes what is about to be filled.
#[derive(Default)]
struct Notes {
    before: Mutex<Vec<(u64, u64)>>,
    after: Mutex<Vec<(u64, Vec<u8>)>>,
}

impl Observer for Notes {
    fn before(&self, offset: u64, values: &mut [u8]) {
        values.fill(0x55);
        self.before.lock().expect("notes").push((offset, values.len() as u64));
    }

    fn after(&self, offset: u64, values: &[u8]) {
        self.after.lock().expect("notes").push((offset, values.to_vec()));
    }
}

#[test]
fn the_observer_sees_every_entry_once_before_and_once_after() {
    for (max, threads) in [(20, 1), (80, 1), (80, 2)] {
        let stones = stones(max);
        let mut values = vec![0; stones.entries() as usize];
        let notes = Notes::default();
        let fill =
            Fill { stones, level: Level::detect(), grain: 1000, planes: 1, observer: &notes };
        fill.on(threads, &mut values).expect("a table");
        let mut before = notes.before.into_inner().expect("notes");
        let mut after = notes.after.into_inner().expect("notes");
        before.sort_unstable();
        after.sort_unstable();
        let spans = after.iter().map(|(offset, values)| (*offset, values.len() as u64));
        assert_eq!(before, spans.collect::<Vec<_>>(), "max {max}, {threads} threads");
        assert!(before.iter().all(|(offset, _)| offset % STRETCH as u64 == 0));
        let seen: Vec<u8> = after.into_iter().flat_map(|(_, values)| values).collect();
        assert_eq!(seen, values, "max {max}, {threads} threads");
    }
}
