//! A search of its own, from the text of the rules: other data, other loops, no table. Every method must
//! agree with it on random games.

mod common;

use std::collections::HashMap;

use common::games::{settings, strip, table};
use grundy::game::Rule;
use grundy::generate::Method;
use proptest::prelude::{Just, Strategy, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::Config;

/// A row as a player sees it, cells from the left, with what is known of other rows.
struct Search {
    rule: Rule,
    reach: usize,
    known: HashMap<Vec<bool>, u8>,
}

impl Search {
    fn value(&mut self, row: &[bool]) -> u8 {
        if let Some(&value) = self.known.get(row) {
            return value;
        }
        let options: Vec<u8> = self.options(row).iter().map(|option| self.value(option)).collect();
        let mut value = 0;
        while options.contains(&value) {
            value += 1;
        }
        self.known.insert(row.to_vec(), value);
        value
    }

    /// The rows one move away: each piece on each empty cell on its right, if what lies between and
    /// the distance allow it.
    fn options(&self, row: &[bool]) -> Vec<Vec<bool>> {
        let mut options = Vec::new();
        for from in (0..row.len()).filter(|&cell| row[cell]) {
            for to in (from + 1..row.len()).filter(|&cell| !row[cell]) {
                let between = &row[from + 1..to];
                let free = match self.rule {
                    Rule::Chess => between.iter().all(|piece| *piece),
                    Rule::Slide => between.iter().all(|piece| !piece),
                    Rule::Welter => true,
                };
                if free && to - from <= self.reach {
                    let mut option = row.to_vec();
                    option.swap(from, to);
                    options.push(option);
                }
            }
        }
        options
    }

    /// The values of all rows of a width, in the order of a table.
    fn table(rule: Rule, width: u32, reach: Option<u32>) -> Vec<u8> {
        let reach = reach.map_or(usize::MAX, |reach| reach as usize);
        let mut search = Self { rule, reach, known: HashMap::new() };
        let row = |index: u32| -> Vec<bool> {
            (1..=width).map(|cell| index >> (width - cell) & 1 == 1).collect()
        };
        (0..1 << width).map(|index| search.value(&row(index))).collect()
    }
}

fn games() -> impl Strategy<Value = (Rule, u32, Option<u32>)> {
    let rule = prop_oneof![Just(Rule::Chess), Just(Rule::Slide), Just(Rule::Welter)];
    let reach = prop_oneof![2 => Just(None), 5 => (1_u32..12).prop_map(Some)];
    (rule, 1_u32..=11, reach)
}

proptest! {
    #![proptest_config(Config::with_cases(60))]

    #[test]
    fn every_method_agrees_with_a_search((rule, width, reach) in games()) {
        let expected = Search::table(rule, width, reach);
        let strip = strip(rule, width, reach);
        for method in Method::ALL.into_iter().filter(|method| method.applies_to(&strip.into())) {
            for on in settings() {
                let found = table(strip, method, on);
                let bad = (0..found.len()).find(|&row| found[row] != expected[row]);
                prop_assert_eq!(bad, None, "{} {} {:?}", strip, method, on);
            }
        }
    }
}

#[test]
fn the_search_knows_the_examples_of_the_rules() {
    let mut search = Search { rule: Rule::Chess, reach: usize::MAX, known: HashMap::new() };
    let row = |picture: &str| picture.bytes().map(|cell| cell == b'#').collect::<Vec<bool>>();
    let options = [row("#.##"), row(".###")];
    assert_eq!(search.options(&row("##.#")), [options[1].clone(), options[0].clone()]);
    assert_eq!(search.value(&row("##.#")), 2);
    search.rule = Rule::Slide;
    search.known.clear();
    assert_eq!(search.options(&row("#..#.")), [row(".#.#."), row("..##."), row("#...#")]);
}
