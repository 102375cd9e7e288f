//! How many entries have each value, as numbers and as bars.

use rayon::prelude::*;

use super::Picture;
use super::canvas::{Canvas, Pixels, text_width};
use super::palette::Palette;
use crate::table::Table;

const STRETCH: usize = 1 << 20;

/// How many entries have each value.
pub(super) struct Counts([u64; 256]);

impl Counts {
    pub(super) fn of(values: &[u8]) -> Self {
        let stretches = values.par_chunks(STRETCH).map(|stretch| {
            let mut counts = [0; 256];
            for &value in stretch {
                counts[usize::from(value)] += 1;
            }
            counts
        });
        let sum = |a: [u64; 256], b: [u64; 256]| std::array::from_fn(|n| a[n] + b[n]);
        Self(stretches.reduce(|| [0; 256], sum))
    }

    /// How many have `value`.
    pub(super) const fn of_value(&self, value: u8) -> u64 {
        self.0[value as usize]
    }

    /// The largest value that any has.
    pub(super) fn most(&self) -> u8 {
        (0..=u8::MAX).rev().find(|&value| self.of_value(value) > 0).unwrap_or(0)
    }
}

const WIDTH: usize = 840;
const MARGIN: usize = 20;
const HEAD: usize = 84;
/// A bar, and from one to the next.
const BAR: usize = 18;
const STEP: usize = 24;
const SMALL: usize = 2;
const LARGE: usize = 3;
/// Between a value, its bar, its count and its share.
const GAP: usize = 10;

impl Picture {
    /// How many entries of a table have each value: a bar for each, as long as its count, with the count and its
    /// share in per cent.
    pub fn of_counts(table: &Table) -> Self {
        let counts = Counts::of(table.values());
        let palette = Palette::new(counts.most());
        let lines = palette.colours().len();
        let mut canvas = Canvas::new((WIDTH, HEAD + STEP * lines + MARGIN));
        canvas.text((MARGIN, MARGIN), LARGE, &table.game().to_string());
        let entries = table.header().entries();
        let words = format!("{entries} entries: how many have each value");
        canvas.text((MARGIN, MARGIN + 36), SMALL, &words);
        let columns = Columns::new(&counts, entries);
        for (value, &colour) in (0..=counts.most()).zip(palette.colours()) {
            let top = HEAD + STEP * usize::from(value);
            let count = counts.of_value(value);
            columns.write(
                &mut canvas,
                top,
                &[value.to_string(), count.to_string(), share(count, entries)],
            );
            if let Some(length) = columns.length(count) {
                canvas.boxed((columns.bars.0, top), (length, BAR), colour);
            }
        }
        Self(canvas)
    }
}

fn share(count: u64, entries: u64) -> String {
    let share = 100.0 * count as f64 / entries as f64;
    if count > 0 && share < 0.1 { "<0.1%".to_owned() } else { format!("{share:.1}%") }
}

/// Where things stand on a line.
struct Columns {
    /// Where the value, the count and the share end.
    ends: [usize; 3],
    /// Where bars begin and end.
    bars: Pixels,
    /// The largest count.
    largest: u64,
}

impl Columns {
    fn new(counts: &Counts, entries: u64) -> Self {
        let largest = counts.0.iter().copied().max().unwrap_or(0);
        let wide = |text: String| text_width(SMALL, &text);
        let value = MARGIN + wide(counts.most().to_string());
        let share_end = WIDTH - MARGIN;
        let count_end = share_end - wide(share(largest, entries)) - 2 * GAP;
        let bars = (value + GAP, count_end - wide(largest.to_string()) - GAP);
        Self { ends: [value, count_end, share_end], bars, largest }
    }

    /// How long the bar of a count is: none for nothing, and always to be seen for something.
    fn length(&self, count: u64) -> Option<usize> {
        let room = (self.bars.1 - self.bars.0) as u64;
        let length = u128::from(room) * u128::from(count) / u128::from(self.largest.max(1));
        (count > 0).then_some((length as usize).max(3))
    }

    fn write(&self, canvas: &mut Canvas, top: usize, texts: &[String; 3]) {
        for (&end, text) in self.ends.iter().zip(texts) {
            canvas.text((end - text_width(SMALL, text), top + 2), SMALL, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Columns, Counts, share};

    #[test]
    fn a_share_of_something_is_not_nothing() {
        let shares = [0, 1, 100, 99_999, 100_000].map(|count| share(count, 100_000));
        assert_eq!(shares, ["0.0%", "<0.1%", "0.1%", "100.0%", "100.0%"]);
    }

    #[test]
    fn every_value_is_counted_across_stretches() {
        let mut values = vec![7_u8; 2 * super::STRETCH + 5];
        (values[0], values[super::STRETCH]) = (0, 9);
        let counts = Counts::of(&values);
        assert_eq!([0, 7, 8, 9].map(|v| counts.of_value(v)), [1, values.len() as u64 - 2, 0, 1]);
        assert_eq!((counts.most(), Counts::of(&[]).most()), (9, 0));
    }

    #[test]
    fn bars_are_as_long_as_their_counts() {
        let values: Vec<u8> = [vec![0; 400], vec![1; 200], vec![3; 1]].concat();
        let counts = Counts::of(&values);
        let columns = Columns::new(&counts, values.len() as u64);
        let lengths = [0, 1, 2, 3].map(|value| columns.length(counts.of_value(value)));
        let room = columns.bars.1 - columns.bars.0;
        assert_eq!(lengths, [Some(room), Some(room / 2), None, Some(3)]);
        let widest = Columns::new(&Counts([1 << 32; 256]), 1 << 40);
        assert!(widest.bars.1 - widest.bars.0 > 300, "no room for bars: {:?}", widest.bars);
    }
}
