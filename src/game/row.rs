//! A row of a strip game and its written forms.

use std::fmt::Write as _;

use super::{GameError, Strip};

/// Which cell the lowest bit of an index stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CellOrder {
    /// Bit 0 is the rightmost cell: cell `c` is bit `width - c`. The order of every table file.
    #[default]
    RightLow,
    /// Bit 0 is the leftmost cell: cell `c` is bit `c - 1`. The order of half of all solvers.
    LeftLow,
}

/// A row of a strip game: `width` cells, each empty or holding one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    strip: Strip,
    index: u64,
}

impl Row {
    /// The row at `index` (right-low). Bits above the width are dropped.
    pub const fn new(strip: Strip, index: u64) -> Self {
        Self { strip, index: index & (strip.entries() - 1) }
    }

    /// The row with pieces on `cells`, counted from the left, the first being 1.
    ///
    /// ```
    /// use grundy::game::{CellOrder, Row, Rule, Strip};
    /// let strip = Strip::new(Rule::Chess, 20, None)?;
    /// let row = Row::from_cells(strip, [19, 18])?;
    /// assert_eq!(row.index(), 0b110);
    /// assert_eq!(row.index_in(CellOrder::LeftLow), 0b110 << 16);
    /// assert_eq!(row.picture(), ".................##.");
    /// # Ok::<(), grundy::game::GameError>(())
    /// ```
    ///
    /// # Errors
    /// [`GameError::Row`] where a cell lies outside the strip or is named twice.
    pub fn from_cells(
        strip: Strip,
        cells: impl IntoIterator<Item = u32>,
    ) -> Result<Self, GameError> {
        let mut index = 0;
        let mut text = String::new();
        for cell in cells {
            let _ = write!(text, "{}{cell}", if text.is_empty() { "" } else { "," });
            index = with_cell(strip, index, cell, &text)?;
        }
        Ok(Self { strip, index })
    }

    /// The row of a bit mask in either order of cells.
    ///
    /// # Errors
    /// [`GameError::Row`] where a bit is set above the width.
    pub fn from_bits(strip: Strip, bits: u64, order: CellOrder) -> Result<Self, GameError> {
        if bits >= strip.entries() {
            let row = format!("{bits:#b}");
            let reason = format!("a bit is set beyond the {} cells", strip.width());
            return Err(GameError::Row { row, reason, width: strip.width() });
        }
        let index = match order {
            CellOrder::RightLow => bits,
            CellOrder::LeftLow => mirror(bits, strip.width()),
        };
        Ok(Self { strip, index })
    }

    /// Reads a row: cells such as `19,20`, `-` for no piece, or a picture such as `..##.` of exactly
    /// the width of the strip.
    ///
    /// # Errors
    /// [`GameError::Row`] saying what is wrong.
    pub fn parse(strip: Strip, text: &str) -> Result<Self, GameError> {
        let error =
            |reason: String| GameError::Row { row: text.to_owned(), reason, width: strip.width() };
        if text == "-" {
            return Ok(Self { strip, index: 0 });
        }
        if !text.is_empty() && text.bytes().all(|b| matches!(b, b'#' | b'x' | b'.')) {
            if text.len() != strip.width() as usize {
                return Err(error(format!("the picture has {} cells", text.len())));
            }
            let index = text.bytes().fold(0, |index, b| index << 1 | u64::from(b != b'.'));
            return Ok(Self { strip, index });
        }
        let mut index = 0;
        for token in text.split(',') {
            let digits = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
            let cell = if digits { token.parse().unwrap_or(u32::MAX) } else { 0 };
            if !digits {
                return Err(error(format!("{token:?} is not the number of a cell")));
            }
            index = with_cell(strip, index, cell, text)?;
        }
        Ok(Self { strip, index })
    }

    /// The game that the row belongs to.
    pub const fn strip(self) -> Strip {
        self.strip
    }

    /// The index in a table file: bit 0 is the rightmost cell.
    pub const fn index(self) -> u64 {
        self.index
    }

    /// The index in the given order of cells.
    pub const fn index_in(self, order: CellOrder) -> u64 {
        match order {
            CellOrder::RightLow => self.index,
            CellOrder::LeftLow => mirror(self.index, self.strip.width()),
        }
    }

    /// The cells that hold a piece, from the left, the first being 1.
    pub fn cells(self) -> impl Iterator<Item = u32> {
        let width = self.strip.width();
        (1..=width).filter(move |cell| self.index >> (width - cell) & 1 == 1)
    }

    /// The cells as a person reads them: `#` a piece, `.` an empty cell.
    pub fn picture(self) -> String {
        let width = self.strip.width();
        (0..width).rev().map(|bit| if self.index >> bit & 1 == 1 { '#' } else { '.' }).collect()
    }

    /// The cells as a list: `19,20`, or `-` where there is no piece.
    pub fn list(self) -> String {
        let cells: Vec<String> = self.cells().map(|cell| cell.to_string()).collect();
        if cells.is_empty() { "-".to_owned() } else { cells.join(",") }
    }

    /// The moves, each as the cell it leaves and the cell on the right that it reaches.
    pub fn moves(self) -> impl Iterator<Item = (u32, u32)> {
        let width = self.strip.width();
        self.strip.moves(self.index).map(move |(from, to)| (width - from, width - to))
    }

    /// The row after the piece on cell `from` has gone to the empty cell `to`.
    #[must_use]
    pub const fn after(self, (from, to): (u32, u32)) -> Self {
        let width = self.strip.width();
        Self { index: self.index ^ (1 << (width - from)) ^ (1 << (width - to)), ..self }
    }
}

/// `index` with a piece on `cell`, which must be on the strip and empty.
fn with_cell(strip: Strip, index: u64, cell: u32, text: &str) -> Result<u64, GameError> {
    let width = strip.width();
    let error = |reason| Err(GameError::Row { row: text.to_owned(), reason, width });
    if !(1..=width).contains(&cell) {
        return error(format!("cell {cell} is not on the strip"));
    }
    let bit = 1 << (width - cell);
    if index & bit != 0 {
        return error(format!("cell {cell} is named twice"));
    }
    Ok(index | bit)
}

/// The low `width` bits in reverse order.
pub(crate) const fn mirror(bits: u64, width: u32) -> u64 {
    bits.reverse_bits() >> (64 - width)
}

#[cfg(test)]
mod tests {
    use super::{CellOrder, Row};
    use crate::game::{Rule, Strip};

    fn strip() -> Strip {
        Strip::new(Rule::Chess, 6, None).expect("a game")
    }

    #[test]
    fn a_row_reads_back_from_every_written_form() {
        for index in 0..64 {
            let row = Row::new(strip(), index);
            assert_eq!(Row::parse(strip(), &row.picture()), Ok(row));
            assert_eq!(Row::parse(strip(), &row.list()), Ok(row));
            assert_eq!(Row::from_cells(strip(), row.cells()), Ok(row));
            for order in [CellOrder::RightLow, CellOrder::LeftLow] {
                assert_eq!(Row::from_bits(strip(), row.index_in(order), order), Ok(row));
            }
        }
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in
            ["", ",", "1,", "1,1", "0", "7", "+1", "1, 2", "..#", ".......", "4294967297", "#-"]
        {
            assert!(Row::parse(strip(), text).is_err(), "{text:?}");
        }
        assert!(Row::from_bits(strip(), 64, CellOrder::LeftLow).is_err());
    }
}
