//! HDU 5724 "Chess": `T`; then `T` boards: `n`, then `n` rows: `m`, then the cells of `m` pieces from the
//! left. The answer to each is YES where the player who moves first wins.
//!
//! The judge promises at most 100 boards of at most 1,000 rows; more are answered too. Everything else
//! that it promises is checked. Nothing is allocated by a number that the input claims.

use std::io::{Read, Write as _};

use super::scan::{Input, Scan};
use super::{Board, RowMove, RowValues, SolveError};
use crate::game::Row;

/// The width of the judge's rows.
pub const WIDTH: u32 = 20;

/// The answers to `input`, a line a board. With `moves` a win is `YES row from to`: the first winning move
/// in order of row, then `from`, then `to`, all counted from 1, cells from the left.
///
/// ```
/// use grundy::game::{Rule, Strip};
/// use grundy::solve::{RowValues, hdu5724};
/// let chess = RowValues::formula(Strip::new(Rule::Chess, hdu5724::WIDTH, None)?)?;
/// let input = b"2\n1\n2 19 20\n2\n1 19\n1 18\n".as_slice();
/// assert_eq!(hdu5724::answers(input, chess, false)?, b"NO\nYES\n");
/// assert_eq!(hdu5724::answers(input, chess, true)?, b"NO\nYES 1 19 20\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::Input`] where the input is not in the format, with the line, what was found and the range
/// allowed; [`SolveError::Read`] where it cannot be read.
pub fn answers(
    mut input: impl Read,
    values: RowValues<'_>,
    moves: bool,
) -> Result<Vec<u8>, SolveError> {
    let mut input = Input::new(&mut input);
    let mut scan = Scan::new(&mut input);
    let mut answers = Vec::new();
    let mut rows = Vec::new();
    let boards = scan
        .number(0, u64::MAX)
        .map_err(|bad| bad.at(String::new(), "T, the number of boards, from 0".to_owned()))?;
    for board in 1..=boards {
        let sum = read_board(&mut scan, board, values, &mut rows)?;
        if sum == 0 {
            answers.extend_from_slice(b"NO\n");
        } else if moves {
            write_move(&mut answers, first_winning_move(values, &rows)?);
        } else {
            answers.extend_from_slice(b"YES\n");
        }
    }
    scan.end().map_err(|bad| {
        bad.at(String::new(), format!("nothing: T is {boards}, and so many boards are read"))
    })?;
    Ok(answers)
}

/// Reads a board: its rows into `rows`, and the xor of their values.
#[inline(always)]
fn read_board(
    scan: &mut Scan<'_, '_>,
    board: u64,
    values: RowValues<'_>,
    rows: &mut Vec<u64>,
) -> Result<u8, SolveError> {
    rows.clear();
    let count = scan.number(0, u64::MAX).map_err(|bad| {
        bad.at(format!("board {board}"), "n, the number of rows, from 0".to_owned())
    })?;
    let mut sum = 0;
    for row in 1..=count {
        let place = || format!("board {board}, row {row} of {count}");
        let index = read_row(scan, values.strip().width(), place)?;
        sum ^= values.at(index);
        rows.push(index);
    }
    Ok(sum)
}

/// Reads a row: its index in right-low order.
#[inline(always)]
fn read_row(
    scan: &mut Scan<'_, '_>,
    width: u32,
    place: impl Fn() -> String,
) -> Result<u64, SolveError> {
    let most = u64::from(width);
    let pieces = scan
        .number(0, most)
        .map_err(|bad| bad.at(place(), format!("m, the number of pieces, from 0 to {width}")))?;
    let mut index = 0_u64;
    for _ in 0..pieces {
        let cell = scan
            .number(1, most)
            .map_err(|bad| bad.at(place(), format!("the cell of a piece, from 1 to {width}")))?;
        let bit = 1 << (most - cell);
        if index & bit != 0 {
            let expected = format!("{pieces} different cells from 1 to {width}");
            return Err(scan.repeated(cell as u32).at(place(), expected));
        }
        index |= bit;
    }
    Ok(index)
}

/// The first winning move on a board, which has one.
fn first_winning_move(values: RowValues<'_>, rows: &[u64]) -> Result<Option<RowMove>, SolveError> {
    let rows = rows.iter().map(|&index| Row::new(values.strip(), index)).collect();
    Ok(Board::new(values, rows)?.winning_moves().next())
}

fn write_move(answers: &mut Vec<u8>, step: Option<RowMove>) {
    match step {
        Some(RowMove { row, from, to }) => {
            // Writing to memory does not fail.
            let _ = writeln!(answers, "YES {row} {from} {to}");
        }
        // Only a table that is no table of the game has a sum without a move to 0.
        None => answers.extend_from_slice(b"YES\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, answers};
    use crate::game::{Rule, Strip};
    use crate::solve::RowValues;

    fn refusal(input: &[u8]) -> String {
        let strip = Strip::new(Rule::Chess, WIDTH, None).expect("a game");
        let values = RowValues::formula(strip).expect("a formula");
        answers(input, values, false).expect_err("a refusal").to_string()
    }

    #[test]
    fn a_refusal_names_the_line_the_place_the_token_and_the_range() {
        for (input, message) in [
            (
                "1\n2\n1 19\n1 21\n",
                "line 4 (board 1, row 2 of 2): found \"21\", expected the cell of a piece, from 1 to 20",
            ),
            (
                "1\n1\n2 5 5\n",
                "line 3 (board 1, row 1 of 1): cell 5 is named twice, expected 2 different cells from 1 to 20",
            ),
            ("", "line 1: the input ends, expected T, the number of boards, from 0"),
            (
                "2\n1\n0\n\n",
                "line 4 (board 2): the input ends, expected n, the number of rows, from 0",
            ),
            (
                "1\n1\n21 1\n",
                "line 3 (board 1, row 1 of 1): found \"21\", expected m, the number of pieces, from 0 to 20",
            ),
            (
                "1\n1\n0\n7\n",
                "line 4: found \"7\", expected nothing: T is 1, and so many boards are read",
            ),
        ] {
            assert_eq!(refusal(input.as_bytes()), message);
        }
    }

    #[test]
    fn the_mark_of_another_encoding_is_told_with_the_remedy() {
        for (input, name) in [(&b"\xff\xfe1\0"[..], "UTF-16"), (b"\xef\xbb\xbf1\n", "UTF-8")] {
            let expected = format!("a mark of {name}: save it as plain ASCII");
            assert!(refusal(input).contains(&expected), "{}", refusal(input));
        }
    }

    #[test]
    fn a_claim_of_many_rows_costs_nothing() {
        let message = refusal(b"18446744073709551615\n99999999999999999999\n1 1\n");
        assert!(
            message.starts_with("line 3 (board 1, row 2 of 18446744073709551615)"),
            "{message}"
        );
    }
}
