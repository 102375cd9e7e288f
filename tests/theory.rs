//! The theorems of docs/theory.md, held against tables that know nothing of them, and against numbers
//! that were not made here.

mod common;

use common::games::{naive, strip, table};
use grundy::game::{
    CellOrder, Row, Rule, Strip, chess_cells, slide_cells, strip_value, welter_value,
};
use grundy::generate::{Method, Settings};
use proptest::prelude::{any, prop_assert_eq, proptest};

/// How many rows of each width 0, 1, .. have value 0, from one table: the smaller ones are its prefixes.
#[expect(clippy::naive_bytecount, reason = "a dependency for one line of a test")]
fn zero_counts(values: &[u8]) -> Vec<usize> {
    let widths = values.len().ilog2();
    (0..=widths)
        .map(|width| values[..1 << width].iter().filter(|&&value| value == 0).count())
        .collect()
}

/// The strip seen from the other side, with pieces for holes and holes for pieces.
fn dual(row: u64, width: u32) -> u64 {
    (!row).reverse_bits() >> (64 - width)
}

#[test]
fn chess_is_the_dual_of_slide_on_all_rows_to_width_16() {
    for width in 1..=16 {
        let chess = naive(strip(Rule::Chess, width, None));
        let slide = naive(strip(Rule::Slide, width, None));
        for row in 0..1 << width {
            let dual = dual(row, width);
            let (here, there) = (chess[row as usize], slide[dual as usize]);
            assert_eq!(here, there, "width {width} row {row:#b} dual {dual:#b}");
        }
    }
}

/// The duality is one of moves, not only of values, so it holds for every reach.
#[test]
fn the_options_of_the_dual_are_the_duals_of_the_options() {
    for reach in [None, Some(1), Some(2), Some(5)] {
        let (chess, slide) = (strip(Rule::Chess, 12, reach), strip(Rule::Slide, 12, reach));
        for row in 0..chess.entries() {
            let mut here: Vec<u64> = chess.options(row).map(|option| dual(option, 12)).collect();
            let mut there: Vec<u64> = slide.options(dual(row, 12)).collect();
            here.sort_unstable();
            there.sort_unstable();
            assert_eq!(here, there, "{chess} row {row:#b}");
        }
    }
}

#[test]
fn welter_is_its_own_dual_for_every_reach() {
    for reach in [None, Some(1), Some(2), Some(4), Some(9)] {
        let values = naive(strip(Rule::Welter, 13, reach));
        for row in 0..1 << 13 {
            let dual = dual(row, 13);
            assert_eq!(values[row as usize], values[dual as usize], "{reach:?} {row:#b}");
        }
    }
}

/// With a reach of `k`, each counted run (gap) is a pile from which 1 to `k` may be taken.
#[test]
fn a_limited_reach_takes_the_counted_runs_and_gaps_modulo_reach_plus_1() {
    for reach in 1..=8 {
        let chess = naive(strip(Rule::Chess, 15, Some(reach)));
        let slide = naive(strip(Rule::Slide, 15, Some(reach)));
        for row in 0..1_u64 << 15 {
            let cells: Vec<bool> = (0..15).rev().map(|bit| row >> bit & 1 == 1).collect();
            let pile = |length: usize| length % (reach as usize + 1);
            let runs = cells.rsplit(|piece| !piece).skip(1).step_by(2);
            let value = runs.fold(0, |value, run| value ^ pile(run.len()));
            assert_eq!(usize::from(chess[row as usize]), value, "chess reach {reach} {row:#b}");
            let gaps = cells.split(|piece| *piece).skip(1).step_by(2);
            let value = gaps.fold(0, |value, gap| value ^ pile(gap.len()));
            assert_eq!(usize::from(slide[row as usize]), value, "slide reach {reach} {row:#b}");
        }
    }
}

#[test]
fn welter_with_a_reach_of_a_power_of_two_less_1_is_the_value_modulo_that_power() {
    let free = naive(strip(Rule::Welter, 16, None));
    for power in [2, 4, 8] {
        let values = naive(strip(Rule::Welter, 16, Some(power - 1)));
        for row in 0..1 << 16 {
            let low = free[row] & (power as u8 - 1);
            assert_eq!(values[row], low, "reach {} row {row:#b}", power - 1);
        }
    }
}

#[test]
fn welter_with_reach_2_is_the_number_of_inversions_modulo_3() {
    let values = naive(strip(Rule::Welter, 16, Some(2)));
    for row in 0..1_u64 << 16 {
        let holes_below = |bit: u32| bit - (row & ((1 << bit) - 1)).count_ones();
        let pieces = (0..16).filter(|bit| row >> bit & 1 == 1);
        let inversions: u32 = pieces.map(holes_below).sum();
        assert_eq!(u32::from(values[row as usize]), inversions % 3, "row {row:#b}");
    }
}

/// One row of `reach + 2` cells loses its move to 0, and no narrower row loses any.
#[test]
fn a_limit_of_reach_first_shows_as_one_more_zero_row() {
    for rule in [Rule::Chess, Rule::Slide] {
        let free = zero_counts(&naive(strip(rule, 14, None)));
        for reach in 1..=11_usize {
            let limited = zero_counts(&naive(strip(rule, 14, Some(reach as u32))));
            assert_eq!(limited[..reach + 2], free[..reach + 2], "{rule} reach {reach}");
            assert_eq!(limited[reach + 2], free[reach + 2] + 1, "{rule} reach {reach}");
        }
    }
}

proptest! {
    #[test]
    fn chess_is_the_dual_of_slide_on_wide_rows(bits in any::<u64>(), width in 17_u32..=64) {
        let row = bits >> (64 - width);
        // A strip of 40 cells; the formula takes rows of up to 64.
        let [chess, slide] = [Rule::Chess, Rule::Slide].map(|rule| strip(rule, 40, None));
        let here = strip_value(chess, row).expect("a theorem");
        prop_assert_eq!(Some(here), strip_value(slide, dual(row, width)));
        let cells: Vec<bool> = (0..width).rev().map(|bit| row >> bit & 1 == 1).collect();
        let dual: Vec<bool> = cells.iter().rev().map(|piece| !piece).collect();
        prop_assert_eq!(usize::from(here), chess_cells(&cells));
        prop_assert_eq!(usize::from(here), slide_cells(&dual));
    }

    #[test]
    fn a_formula_is_the_mex_of_its_options(bits in any::<u64>(), width in 21_u32..=40) {
        let row = bits >> (64 - width);
        for rule in Rule::ALL {
            let strip = strip(rule, width, None);
            let options = strip.options(row).filter_map(|option| strip_value(strip, option));
            let options: Vec<u8> = options.collect();
            let mex = (0..=255).find(|value| !options.contains(value));
            prop_assert_eq!(strip_value(strip, row), mex, "{} row {:#b}", strip, row);
        }
    }

    #[test]
    fn rows_of_any_length_have_values(gaps in proptest::collection::vec(0_usize..300, 1..40)) {
        // The slide row with these gaps, each behind a piece, and its dual.
        let cells: Vec<bool> = gaps
            .iter()
            .flat_map(|&gap| std::iter::once(true).chain(std::iter::repeat_n(false, gap)))
            .collect();
        let counted = gaps.iter().step_by(2).fold(0, |value, gap| value ^ gap);
        prop_assert_eq!(slide_cells(&cells), counted);
        let dual: Vec<bool> = cells.iter().rev().map(|piece| !piece).collect();
        prop_assert_eq!(chess_cells(&dual), counted);
    }
}

#[test]
fn a_table_is_a_prefix_of_every_wider_one() {
    for rule in Rule::ALL {
        for reach in [None, Some(1), Some(2), Some(3), Some(7)] {
            let widest = naive(strip(rule, 14, reach));
            for width in 1..14 {
                let values = naive(strip(rule, width, reach));
                assert!(values[..] == widest[..values.len()], "{rule} {width} {reach:?}");
            }
        }
    }
}

#[test]
fn a_move_keeps_the_pieces_lowers_the_index_and_raises_the_sum_of_positions() {
    for rule in Rule::ALL {
        for reach in [None, Some(1), Some(3)] {
            let strip = strip(rule, 12, reach);
            for row in (0..strip.entries()).map(|index| Row::new(strip, index)) {
                for step in row.moves() {
                    let option = row.after(step);
                    assert_eq!(option.cells().count(), row.cells().count());
                    assert!(option.index() < row.index());
                    assert!(option.cells().sum::<u32>() > row.cells().sum::<u32>());
                }
            }
        }
    }
}

#[test]
fn chess_and_slide_stay_below_the_width_for_every_reach() {
    for rule in [Rule::Chess, Rule::Slide] {
        for width in 1..=15 {
            for reach in (1..width).map(Some).chain([None]) {
                let values = naive(strip(rule, width, reach));
                let largest = values.iter().copied().max().expect("a row");
                assert!(u32::from(largest) < width, "{rule} {width} {reach:?}: {largest}");
                // A counted run is at most `reach` modulo `reach + 1`, and so is every bit of an xor.
                let beyond = reach.map_or(64, |reach| (reach + 1).next_power_of_two());
                assert!(u32::from(largest) < beyond, "{rule} {width} {reach:?}: {largest}");
                // The bound is reached: width - 1 pieces in a run left of one hole; one lone piece.
                assert!(reach.is_some() || u32::from(largest) == width - 1, "{rule} {width}");
            }
        }
    }
}

#[test]
fn welter_stays_below_64_on_64_cells() {
    // The xor of distances below 64 and of masks 2^k - 1 with k at most 6.
    for row in [u64::MAX, u64::MAX << 1, u64::MAX >> 1, 1 << 63, 0xAAAA_AAAA_AAAA_AAAA] {
        assert!(welter_value(row) < 64, "{row:#b}");
    }
    assert_eq!(welter_value(1 << 63), 63);
}

#[test]
fn the_winning_move_of_the_nine_pieces_is_13_to_1_and_no_other() {
    let strip = strip(Rule::Welter, 24, None);
    let distances = [2, 3, 5, 7, 11, 13, 17, 19, 23];
    let row: u64 = distances.iter().map(|distance| 1 << distance).sum();
    assert_eq!(strip_value(strip, row), Some(28));
    let mut winning = strip.moves(row).filter(|(from, to)| {
        let option = row ^ (1 << from) ^ (1 << to);
        strip_value(strip, option) == Some(0)
    });
    assert_eq!(winning.next(), Some((13, 1)));
    assert_eq!(winning.next(), None);
}

#[test]
fn four_pieces_of_welter_lose_exactly_when_their_distances_xor_to_0() {
    for (width, zeros) in [(8, Some(14)), (13, None)] {
        let values = naive(strip(Rule::Welter, width, None));
        let fours = (0..1_u64 << width).filter(|row| row.count_ones() == 4);
        let mut found = 0;
        for row in fours {
            let xor = (0..width).filter(|bit| row >> bit & 1 == 1).fold(0, |xor, bit| xor ^ bit);
            assert_eq!(values[row as usize] == 0, xor == 0, "width {width} row {row:#b}");
            found += u32::from(xor == 0);
        }
        assert!(zeros.is_none_or(|zeros| zeros == found), "width {width}: {found}");
    }
}

#[test]
fn the_largest_value_of_welter_on_17_to_20_cells_is_31() {
    let values = naive(strip(Rule::Welter, 20, None));
    for width in 17..=20 {
        assert_eq!(values[..1 << width].iter().max(), Some(&31), "width {width}");
    }
}

#[test]
fn welter_has_the_known_numbers_of_zero_rows() {
    let counts = [
        1, 2, 3, 4, 6, 8, 14, 24, 40, 56, 92, 160, 304, 576, 1120, 2176, 4224, 6272, 10432, 18688,
        35200,
    ];
    assert_eq!(zero_counts(&naive(strip(Rule::Welter, 20, None))), counts);
}

/// OEIS A005418.
#[test]
fn the_one_step_game_has_the_known_numbers_of_zero_rows() {
    let counts = [
        1, 2, 3, 6, 10, 20, 36, 72, 136, 272, 528, 1056, 2080, 4160, 8256, 16512, 32896, 65792,
        131_328, 262_656, 524_800,
    ];
    // One step to the right, over nothing: the same game by any of the three rules.
    for rule in Rule::ALL {
        assert_eq!(zero_counts(&naive(strip(rule, 20, Some(1)))), counts, "{rule}");
    }
}

#[test]
fn chess_has_the_known_histograms_to_width_24() {
    let widest = table(strip(Rule::Chess, 24, None), Method::ClosedForm, Settings::detect());
    assert!(widest[..1 << 20] == naive(strip(Rule::Chess, 20, None))[..]);
    let known = include_str!("data/chess_histograms_0_24.txt");
    let lines: Vec<&str> = known.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 25);
    for line in lines {
        let (head, counts) = line.split_once(" : ").expect("a colon");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        let head: Vec<usize> = head.split_whitespace().map(number).collect();
        let counts: Vec<usize> = counts.split_whitespace().map(number).collect();
        let [width, zeros, sum, largest] = head[..] else { panic!("{line}") };
        let mut found = vec![0; largest + 1];
        for &value in &widest[..1 << width] {
            found[usize::from(value)] += 1;
        }
        assert_eq!(found, counts, "width {width}");
        assert_eq!(found[0], zeros, "width {width}");
        let total: usize = found.iter().enumerate().map(|(value, count)| value * count).sum();
        assert_eq!(total, sum, "width {width}");
    }
}

/// A published formula for `slide` that is wrong: the xor of all gaps, not of every other.
#[test]
fn the_xor_of_all_gaps_is_seen_to_fail_first_at_index_6() {
    let values = naive(strip(Rule::Slide, 10, None));
    let all_gaps = |row: usize| {
        let cells: Vec<bool> = (0..10).rev().map(|bit| row >> bit & 1 == 1).collect();
        cells.split(|piece| *piece).skip(1).fold(0, |xor, gap| xor ^ gap.len())
    };
    let wrong = (0..1 << 10).find(|&row| usize::from(values[row]) != all_gaps(row));
    assert_eq!(wrong, Some(6));
}

#[test]
fn no_formula_is_claimed_for_a_limited_reach() {
    for rule in Rule::ALL {
        assert_eq!(strip_value(strip(rule, 20, Some(3)), 6), None, "{rule}");
        assert!(strip_value(strip(rule, 20, Some(19)), 6).is_some(), "{rule}: no limit");
    }
}

#[test]
fn both_orders_of_cells_name_the_same_row() {
    let strip: Strip = strip(Rule::Chess, 9, None);
    for bits in 0..strip.entries() {
        let row = Row::from_bits(strip, bits, CellOrder::LeftLow).expect("a row");
        assert_eq!(row.index_in(CellOrder::LeftLow), bits);
        assert_eq!(row.index(), bits.reverse_bits() >> 55);
    }
}
