//! The check of the stones game against tables that are right, and against every kind that is not.

use super::law;
use crate::game::{Game, Mex, Stones};
use crate::generate::{Method, Settings, generate};
use crate::simd::Level;
use crate::verify::finding::Finding;

fn table(max: u32, method: Method) -> (Stones, Vec<u8>) {
    let stones = Stones::new(max).expect("a game");
    let mut values = vec![0; stones.entries() as usize];
    let settings = Settings::detect();
    generate(&stones.into(), method, settings, &mut values, &()).expect("a table");
    (stones, values)
}

/// The check state by state: the definition, in the table itself.
fn plain(stones: Stones, values: &[u8]) -> Finding {
    let mut finding = Finding::default();
    for (index, &found) in values.iter().enumerate() {
        let pile = stones.unrank(index as u64);
        let mut mex = Mex::default();
        for amount in pile.amounts() {
            mex.insert(values[stones.rank(pile.take(amount)) as usize]);
        }
        finding.compare(index as u64, found, mex.value());
    }
    finding
}

#[test]
fn right_tables_keep_the_law_at_every_level() {
    for max in (1..=30).chain([44, 45, 60]) {
        let (stones, values) = table(max, Method::Naive);
        for level in Level::available() {
            assert_eq!(law(stones, &values, level), Finding::default(), "max {max} {level}");
        }
    }
    let (stones, values) = table(100, Method::Layered);
    assert_eq!(law(stones, &values, Level::detect()), Finding::default());
}

#[test]
fn every_single_wrong_entry_is_found_with_all_that_follows_from_it() {
    for max in [1, 8, 9, 20, 33] {
        let (stones, right) = table(max, Method::Naive);
        for index in (0..right.len()).step_by(1 + right.len() / 150) {
            for wrong in [right[index] + 1, right[index] ^ 0x80, 23, 255] {
                let mut values = right.clone();
                values[index] = wrong;
                let found = law(stones, &values, Level::detect());
                let pile = stones.unrank(index as u64);
                assert_eq!(found, plain(stones, &values), "max {max} {pile} as {wrong}");
                assert_eq!(found.first.map(|first| first.index), Some(index as u64), "{pile}");
            }
        }
    }
}

#[test]
fn tables_of_arbitrary_bytes_are_judged_as_by_the_definition() {
    for max in [12, 30, 48] {
        let stones = Stones::new(max).expect("a game");
        for most in [2, 9, 17, 40, 256] {
            let mut state = 1_u64;
            let mut byte = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ((state >> 33) % most) as u8
            };
            let values: Vec<u8> = (0..stones.entries()).map(|_| byte()).collect();
            for level in Level::available() {
                let game = Game::from(stones);
                let found = law(stones, &values, level);
                assert_eq!(found, plain(stones, &values), "{game} below {most} {level}");
            }
        }
    }
}

/// The table of a generator that forgets the move `forgotten`.
fn mutant(stones: Stones, forgotten: impl Fn(u32, u32) -> bool) -> Vec<u8> {
    let mut values: Vec<u8> = Vec::new();
    for index in 0..stones.entries() {
        let pile = stones.unrank(index);
        let mut mex = Mex::default();
        for amount in pile.amounts().filter(|amount| !forgotten(pile.left(), *amount)) {
            mex.insert(values[stones.rank(pile.take(amount)) as usize]);
        }
        values.push(mex.value().expect("a byte"));
    }
    values
}

#[test]
fn a_generator_that_forgets_a_move_breaks_the_law() {
    let stones = Stones::new(40).expect("a game");
    assert_eq!(law(stones, &mutant(stones, |_, _| false), Level::detect()).bad, 0);
    for amount in 1..=40 {
        let values = mutant(stones, |left, taken| taken == amount && left < 2 * amount);
        let found = law(stones, &values, Level::detect());
        assert_eq!(found, plain(stones, &values), "without {amount}");
        // Where all lower amounts are used it is the only move. Above 8 no such state is in the table.
        assert!(found.bad > 0 || amount > 8, "without {amount}");
    }
}
