//! Sums against the definition: who wins is searched on whole boards, without values and without xor.

use std::collections::HashMap;

use grundy::game::{Pile, Row, Rule, Stones, Strip};
use grundy::generate::{Method, Settings, generate};
use grundy::solve::{Board, Heap, PileMove, PileValues, RowMove, RowValues};
use proptest::prelude::*;

/// A row as cells from the left: whether each holds a piece.
type Cells = Vec<bool>;

/// The moves of a row by walking right from each piece, with what they lead to: `from` and `to` from 1.
fn row_steps(cells: &Cells, rule: Rule, reach: usize) -> Vec<(u32, u32, Cells)> {
    let mut steps = Vec::new();
    for from in (0..cells.len()).filter(|&from| cells[from]) {
        for to in (from + 1..cells.len()).take(reach) {
            if !cells[to] {
                let mut after = cells.clone();
                after.swap(from, to);
                steps.push((from as u32 + 1, to as u32 + 1, after));
            }
            let passes = if cells[to] { rule != Rule::Slide } else { rule != Rule::Chess };
            if !passes {
                break;
            }
        }
    }
    steps
}

/// Whether the player who moves wins a sum, by trying everything.
fn wins<P, S>(sum: &[P], steps: &S, known: &mut HashMap<Vec<P>, bool>) -> bool
where
    P: Clone + Ord + std::hash::Hash,
    S: Fn(&P) -> Vec<P>,
{
    let mut key = sum.to_vec();
    key.sort();
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let mut found = false;
    for (at, position) in key.iter().enumerate() {
        for after in steps(position) {
            let mut option = key.clone();
            option[at] = after;
            found |= !wins(&option, steps, known);
        }
    }
    known.insert(key, found);
    found
}

/// A pile as the stones left and the amounts taken from it.
type Taken = (u32, Vec<u32>);

fn pile_steps((left, used): &Taken) -> Vec<(u32, Taken)> {
    let free = (1..=*left).filter(|amount| !used.contains(amount));
    let take = |amount| {
        let mut used = [used.as_slice(), &[amount]].concat();
        used.sort_unstable();
        (amount, (left - amount, used))
    };
    free.map(take).collect()
}

fn values(strip: Strip) -> Vec<u8> {
    let mut values = vec![0; strip.entries() as usize];
    generate(&strip.into(), Method::Naive, Settings::detect(), &mut values, &()).expect("a table");
    values
}

fn row(strip: Strip, cells: &Cells) -> Row {
    let pieces = (1..).zip(cells).filter(|(_, piece)| **piece).map(|(cell, _)| cell);
    Row::from_cells(strip, pieces).expect("cells of the strip")
}

/// Up to three rows of one width.
fn rows() -> impl Strategy<Value = Vec<Cells>> {
    (1..=5_usize).prop_flat_map(|width| {
        prop::collection::vec(prop::collection::vec(any::<bool>(), width), 0..=3)
    })
}

proptest! {
    #[test]
    fn the_winning_moves_on_a_board_are_those_of_the_definition(
        rows in rows(),
        rule in prop::sample::select(Rule::ALL.to_vec()),
        reach in prop::option::of(1..=4_u32),
    ) {
        let width = rows.first().map_or(3, Vec::len) as u32;
        let strip = Strip::new(rule, width, reach).expect("a game");
        let table = values(strip);
        let board = rows.iter().map(|cells| row(strip, cells)).collect::<Vec<_>>();
        let by_table = RowValues::table(strip, &table).expect("the whole table");
        let by_table = Board::new(by_table, board.clone()).expect("one game");

        let reach = reach.map_or(usize::MAX, |reach| reach as usize);
        let after = |cells: &Cells| row_steps(cells, rule, reach).into_iter().map(|(.., a)| a).collect();
        let mut known = HashMap::new();
        let mut expected = Vec::new();
        for (at, cells) in rows.iter().enumerate() {
            for (from, to, after_step) in row_steps(cells, rule, reach) {
                let mut option = rows.clone();
                option[at] = after_step;
                if !wins(&option, &after, &mut known) {
                    expected.push(RowMove { row: at + 1, from, to });
                }
            }
        }
        prop_assert_eq!(by_table.first_player_wins(), wins(&rows, &after, &mut known));
        prop_assert_eq!(by_table.winning_moves().collect::<Vec<_>>(), expected.clone());
        if let Ok(formula) = RowValues::formula(strip) {
            let by_formula = Board::new(formula, board).expect("one game");
            prop_assert_eq!(by_formula.value(), by_table.value());
            prop_assert_eq!(by_formula.winning_moves().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_winning_moves_in_a_heap_are_those_of_the_definition(
        piles in prop::collection::vec(0..=7_u32, 0..=3),
    ) {
        let stones = Stones::new(60).expect("a game");
        let untouched = piles.iter().map(|&left| Pile::untouched(left).expect("a pile")).collect();
        let heap = Heap::new(PileValues::formula(stones), untouched).expect("untouched piles");
        let sum: Vec<Taken> = piles.iter().map(|&left| (left, vec![])).collect();
        let after = |pile: &Taken| pile_steps(pile).into_iter().map(|(_, after)| after).collect();
        let mut known = HashMap::new();
        let mut expected = Vec::new();
        for (at, pile) in sum.iter().enumerate() {
            for (take, after_step) in pile_steps(pile) {
                let mut option = sum.clone();
                option[at] = after_step;
                if !wins(&option, &after, &mut known) {
                    expected.push(PileMove { pile: at + 1, take });
                }
            }
        }
        prop_assert_eq!(heap.first_player_wins(), wins(&sum, &after, &mut known));
        prop_assert_eq!(heap.winning_moves().expect("small piles"), expected);
    }

    #[test]
    fn the_value_of_a_sum_is_the_xor_and_a_winning_move_makes_it_zero(
        indices in prop::collection::vec(0..1_u64 << 20, 0..=8),
        rule in prop::sample::select(Rule::ALL.to_vec()),
    ) {
        let strip = Strip::new(rule, 20, None).expect("a game");
        let values = RowValues::formula(strip).expect("a formula");
        let rows: Vec<Row> = indices.iter().map(|&index| Row::new(strip, index)).collect();
        let board = Board::new(values, rows.clone()).expect("one game");
        prop_assert_eq!(board.value(), board.row_values().fold(0, |sum, value| sum ^ value));
        let moves: Vec<RowMove> = board.winning_moves().collect();
        prop_assert_eq!(moves.is_empty(), board.value() == 0);
        prop_assert!(moves.is_sorted());
        for step in moves {
            let mut after = rows.clone();
            after[step.row - 1] = after[step.row - 1].after((step.from, step.to));
            prop_assert_eq!(Board::new(values, after).expect("one game").value(), 0);
        }
    }
}

#[test]
fn welters_example_has_its_only_winning_move() {
    // Distances 2 3 5 7 11 13 17 19 23 from the right end have value 28; only 13 to 1 wins.
    let strip = Strip::new(Rule::Welter, 24, None).expect("a game");
    let index =
        [2, 3, 5, 7, 11, 13, 17, 19, 23].iter().fold(0, |row, distance| row | 1 << distance);
    let values = RowValues::formula(strip).expect("a formula");
    let board = Board::new(values, vec![Row::new(strip, index)]).expect("one game");
    assert_eq!(board.value(), 28);
    let only = RowMove { row: 1, from: 24 - 13, to: 24 - 1 };
    assert_eq!(board.winning_moves().collect::<Vec<_>>(), [only]);
}
