//! A board: a sum of rows of one strip game.

use super::SolveError;
use crate::game::{Game, Row, Strip, strip_value};

/// Where the values of rows come from.
#[derive(Clone, Copy, Debug)]
pub struct RowValues<'a> {
    strip: Strip,
    /// One byte a row, `strip.entries()` of them; without it the formula, which then exists.
    table: Option<&'a [u8]>,
}

impl<'a> RowValues<'a> {
    /// The theorem of the rule.
    ///
    /// # Errors
    /// [`SolveError::NoFormula`] where the reach is limited.
    pub fn formula(strip: Strip) -> Result<Self, SolveError> {
        match strip_value(strip, 0) {
            Some(_) => Ok(Self { strip, table: None }),
            None => Err(SolveError::NoFormula { strip }),
        }
    }

    /// The values of a complete table of `strip`, one byte a row in right-low order.
    ///
    /// # Errors
    /// [`SolveError::Length`] where the slice has not one byte for each row.
    pub fn table(strip: Strip, values: &'a [u8]) -> Result<Self, SolveError> {
        let (expected, found) = (strip.entries(), values.len() as u64);
        if expected != found {
            return Err(SolveError::Length { game: Game::Strip(strip), expected, found });
        }
        Ok(Self { strip, table: Some(values) })
    }

    /// The game whose values these are.
    pub const fn strip(&self) -> Strip {
        self.strip
    }

    /// The value of the row at `index`, which must be below `entries`.
    #[inline]
    pub(super) fn at(&self, index: u64) -> u8 {
        match self.table {
            Some(values) => values[index as usize],
            None => strip_value(self.strip, index).unwrap_or_default(),
        }
    }
}

/// A sum of rows of one game. A move is a move in one of them.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    values: RowValues<'a>,
    rows: Vec<Row>,
}

/// A move on a board: the piece on cell `from` of a row goes to the empty cell `to`. All are counted
/// from 1, cells from the left. Moves are ordered by row, then `from`, then `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowMove {
    /// The row.
    pub row: usize,
    /// The cell that the piece leaves.
    pub from: u32,
    /// The cell that it reaches, on the right of `from`.
    pub to: u32,
}

impl<'a> Board<'a> {
    /// The sum of `rows`.
    ///
    /// # Errors
    /// [`SolveError::OtherStrip`] where a row is not of the game of the values.
    pub fn new(values: RowValues<'a>, rows: Vec<Row>) -> Result<Self, SolveError> {
        let expected = values.strip;
        match rows.iter().position(|row| row.strip() != expected) {
            None => Ok(Self { values, rows }),
            Some(at) => {
                Err(SolveError::OtherStrip { row: at + 1, found: rows[at].strip(), expected })
            }
        }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The value of each row.
    pub fn row_values(&self) -> impl Iterator<Item = u8> {
        self.rows.iter().map(|row| self.values.at(row.index()))
    }

    /// The value of the sum: the xor of the values of the rows (Sprague 1935, Grundy 1939).
    pub fn value(&self) -> u8 {
        self.row_values().fold(0, |sum, value| sum ^ value)
    }

    /// Whether the player who moves first wins.
    pub fn first_player_wins(&self) -> bool {
        self.value() != 0
    }

    /// Every move after which the player who must move has lost, in order.
    pub fn winning_moves(&self) -> impl Iterator<Item = RowMove> {
        let sum = self.value();
        self.rows.iter().enumerate().filter(move |_| sum != 0).flat_map(move |(at, &row)| {
            // The others sum to this, and a sum is 0 where the row becomes equal to the others.
            let others = sum ^ self.values.at(row.index());
            let mut moves: Vec<(u32, u32)> = row
                .moves()
                .filter(|&step| self.values.at(row.after(step).index()) == others)
                .collect();
            moves.sort_unstable();
            moves.into_iter().map(move |(from, to)| RowMove { row: at + 1, from, to })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, RowValues};
    use crate::game::{Row, Rule, Strip};
    use crate::solve::SolveError;

    fn strip(width: u32, reach: Option<u32>) -> Strip {
        Strip::new(Rule::Slide, width, reach).expect("a game")
    }

    #[test]
    fn values_are_refused_where_they_cannot_be_those_of_the_game() {
        let limited = strip(6, Some(2));
        assert!(matches!(RowValues::formula(limited), Err(SolveError::NoFormula { .. })));
        for length in [0, 63, 65] {
            let values = vec![0; length];
            let refused = RowValues::table(limited, &values).expect_err("a wrong length");
            let found = length as u64;
            assert!(
                matches!(refused, SolveError::Length { expected: 64, found: f, .. } if f == found)
            );
        }
    }

    #[test]
    fn a_row_of_another_game_is_refused_with_its_place() {
        let rows = vec![Row::new(strip(6, None), 1), Row::new(strip(7, None), 1)];
        let values = RowValues::formula(strip(6, None)).expect("a formula");
        let refused = Board::new(values, rows).expect_err("two games");
        assert!(matches!(refused, SolveError::OtherStrip { row: 2, .. }), "{refused}");
    }

    #[test]
    fn an_empty_board_and_a_board_of_value_zero_have_no_winning_move() {
        let values = RowValues::formula(strip(6, None)).expect("a formula");
        for rows in [vec![], vec![Row::new(strip(6, None), 8); 2]] {
            let board = Board::new(values, rows).expect("one game");
            assert!(!board.first_player_wins());
            assert_eq!(board.winning_moves().next(), None);
        }
    }
}
