//! The values of a strip table on a square, in Z-order.
//!
//! The even bits of a row (bit 0 is the rightmost cell) count to the right, the odd bits down: the square is cut into
//! four quarters by the leftmost two cells, each quarter by the next two, and so on. So the table of
//! a smaller width is the top left corner of a larger one, and rows that differ in few cells on the
//! right are neighbours. An odd number of cells makes a rectangle twice as wide as high.

use rayon::prelude::*;

use super::canvas::{Canvas, INK, text_width};
use super::counts::Counts;
use super::palette::{Colour, Palette};
use super::{Picture, PictureError};
use crate::game::Game;
use crate::table::Table;

/// The most cells that are drawn row by row: a million dots. Of wider tables a dot stands for
/// 4, 16, .. rows, which are a square of the whole picture.
const MOST_CELLS: u32 = 20;

/// The least width of a picture, for the legend's sake: small tables have large dots.
const LEAST_WIDTH: usize = 512;

const MARGIN: usize = 20;
const HEAD: usize = 84;
const RAMP: usize = 28;
const FOOT: usize = 116;

/// The size of the dots of letters.
const SMALL: usize = 2;
const LARGE: usize = 3;

impl Picture {
    /// The values of a strip table in Z-order: the even bits of a row count to the right, the odd bits down. Of
    /// more than 20 cells each dot stands for 4, 16, .. rows in sequence, and its colour is the mean of their light.
    ///
    /// # Errors
    /// [`PictureError::NoRows`] for a game that is not on a strip.
    pub fn of_rows(table: &Table) -> Result<Self, PictureError> {
        let game = table.game();
        let Game::Strip(strip) = game else { return Err(PictureError::NoRows { game }) };
        let counts = Counts::of(table.values());
        let palette = Palette::new(counts.most());
        let square = Square::new(strip.width());
        let (width, height) = square.size();
        let mut canvas = Canvas::new((width + 2 * MARGIN, HEAD + height + RAMP + FOOT));
        canvas.text((MARGIN, MARGIN), LARGE, &game.to_string());
        let (rows, zeros) = (strip.entries(), counts.of_value(0));
        canvas.text((MARGIN, MARGIN + 36), SMALL, &format!("{rows} rows, {zeros} of value 0"));
        square.draw(
            &mut canvas,
            (MARGIN, HEAD),
            &dots(table.values(), square.rows_a_dot(), &palette),
        );
        legend(&mut canvas, HEAD + height + 16, &palette);
        let foot = HEAD + height + RAMP + 58;
        for (n, line) in square.words().iter().enumerate() {
            canvas.text((MARGIN, foot + 24 * n), SMALL, line);
        }
        Ok(Self(canvas))
    }
}

/// The colour of each dot, in the order of the rows.
fn dots(values: &[u8], rows_a_dot: usize, palette: &Palette) -> Vec<Colour> {
    values.par_chunks(rows_a_dot).with_min_len(1024).map(|rows| palette.mix(rows)).collect()
}

/// The colours of all values side by side, and as many of the values below them as find room.
fn legend(canvas: &mut Canvas, top: usize, palette: &Palette) {
    let colours = palette.colours();
    let width = canvas.size().0 - 2 * MARGIN;
    let edge = |value: usize| MARGIN + width * value / colours.len();
    canvas.fill((MARGIN - 1, top - 1), (width + 2, RAMP + 2), INK);
    for (value, &colour) in colours.iter().enumerate() {
        canvas.fill((edge(value), top), (edge(value + 1) - edge(value), RAMP), colour);
    }
    let room = text_width(SMALL, &format!("{} ", colours.len() - 1)) * colours.len();
    let steps = [1, 2, 5, 10, 20, 50, 100].into_iter();
    let step = steps.into_iter().find(|step| room <= width * step).unwrap_or(colours.len());
    for value in (0..colours.len()).step_by(step) {
        let label = value.to_string();
        let middle = usize::midpoint(edge(value), edge(value + 1));
        let left = middle.saturating_sub(text_width(SMALL, &label) / 2).max(MARGIN);
        canvas.text((left, top + RAMP + 6), SMALL, &label);
    }
}

/// How the rows of a strip lie on a square, or on a rectangle twice as wide as high.
#[derive(Clone, Copy, Debug)]
struct Square {
    /// The bits of the number of a dot.
    bits: u32,
    /// How many bits of a row a dot leaves out, at the low end: an even number.
    left_out: u32,
}

impl Square {
    fn new(cells: u32) -> Self {
        let left_out = cells.saturating_sub(MOST_CELLS).next_multiple_of(2);
        Self { bits: cells - left_out, left_out }
    }

    const fn rows_a_dot(self) -> usize {
        1 << self.left_out
    }

    /// How many dots it has to the right and down.
    const fn dots(self) -> (usize, usize) {
        (1 << self.bits.div_ceil(2), 1 << (self.bits / 2))
    }

    /// How many pixels wide and high a dot is.
    const fn pixels_a_dot(self) -> usize {
        let across = self.dots().0;
        if across < LEAST_WIDTH { LEAST_WIDTH / across } else { 1 }
    }

    const fn size(self) -> (usize, usize) {
        let ((across, down), pixels) = (self.dots(), self.pixels_a_dot());
        (across * pixels, down * pixels)
    }

    fn draw(self, canvas: &mut Canvas, (left, top): (usize, usize), dots: &[Colour]) {
        let pixels = self.pixels_a_dot();
        for (dot, &colour) in dots.iter().enumerate() {
            let (x, y) = place(dot as u64);
            canvas.fill((left + x * pixels, top + y * pixels), (pixels, pixels), colour);
        }
    }

    /// How it is to be read.
    fn words(self) -> [String; 2] {
        let rows = self.rows_a_dot();
        let dot = if rows == 1 {
            "each dot is a row".to_owned()
        } else {
            format!("a dot is the mean light of {rows} rows")
        };
        ["z-order: even bits right, odd bits down".to_owned(), dot]
    }
}

/// How far right and down a dot lies: its even bits, and its odd bits.
fn place(dot: u64) -> (usize, usize) {
    (every_other_bit(dot), every_other_bit(dot >> 1))
}

/// The bits 0, 2, 4, .. of `number`, closed up.
fn every_other_bit(number: u64) -> usize {
    (0..u64::BITS / 2).fold(0, |bits, n| bits | ((number >> (2 * n) & 1) << n)) as usize
}

#[cfg(test)]
mod tests {
    use super::{HEAD, MARGIN, Square, dots, place};
    use crate::picture::palette::Palette;
    use crate::picture::{Picture, PictureError};
    use crate::table::{Header, Summary, Table};

    fn table(id: &str, values: &[u8]) -> Table {
        let summary = Summary::of(values);
        let header = Header::new(id.parse().expect("an id"), &summary).encode();
        let digests = summary.chunks.iter().flat_map(|digest| *digest.bytes());
        let bytes = header.iter().copied().chain(values.iter().copied()).chain(digests);
        Table::from_bytes(bytes.collect()).expect("a table")
    }

    #[test]
    fn dots_lie_in_z_order() {
        let places = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1), (0, 2)];
        for (dot, &expected) in places.iter().enumerate() {
            assert_eq!(place(dot as u64), expected, "dot {dot}");
        }
        assert_eq!(place((1 << 20) - 1), (1023, 1023));
        assert_eq!(place(0b01 << 18), (512, 0));
    }

    #[test]
    fn a_square_has_at_most_a_million_dots_and_is_at_least_512_wide() {
        for cells in 1..=40 {
            let square = Square::new(cells);
            let (across, down) = square.dots();
            assert_eq!(across * down * square.rows_a_dot(), 1 << cells, "{cells} cells");
            assert!(across * down <= 1 << 20, "{cells} cells");
            assert_eq!(across / down, 1 + cells as usize % 2, "{cells} cells");
            assert!([512, 1024].contains(&square.size().0), "{cells} cells");
        }
        assert_eq!([20, 21, 22, 30].map(|cells| Square::new(cells).rows_a_dot()), [1, 4, 4, 1024]);
    }

    #[test]
    fn each_row_of_a_small_table_has_the_colour_of_its_value_at_its_place() {
        let values = [0, 0, 1, 0, 2, 1, 0, 0];
        let picture = Picture::of_rows(&table("chess-3", &values)).expect("a picture").0;
        let (width, _) = picture.size();
        assert_eq!(width, 512 + 2 * MARGIN);
        let palette = Palette::new(2);
        // Four dots across and two down, each 128 pixels wide.
        for (row, (x, y)) in
            [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1)].into_iter().enumerate()
        {
            for (right, down) in [(0, 0), (127, 127)] {
                let place = (HEAD + 128 * y + down) * width + MARGIN + 128 * x + right;
                let expected = palette.colours()[usize::from(values[row])];
                assert_eq!(picture.colours()[place], expected, "row {row}");
            }
        }
    }

    #[test]
    fn a_dot_of_several_rows_is_their_mean_light() {
        let palette = Palette::new(3);
        let values = [0, 0, 0, 0, 1, 2, 3, 0, 3, 3, 3, 3];
        let expected = [palette.mix(&[0]), palette.mix(&[1, 2, 3, 0]), palette.mix(&[3])];
        assert_eq!(dots(&values, 4, &palette), expected);
    }

    #[test]
    fn stones_have_no_rows() {
        let table = table("stones-1", &[0, 1]);
        let game = table.game();
        assert_eq!(Picture::of_rows(&table), Err(PictureError::NoRows { game }));
    }
}
