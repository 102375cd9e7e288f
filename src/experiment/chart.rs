//! Charts of lines: how something changes with the width or with the threads.

use std::collections::BTreeSet;

use super::figure::{TOP, short};
use super::svg::{COLOURS, Canvas, Place, Scale, WIDTH};

/// The place of the lines in a chart.
const LEFT: f64 = 44.0;
const BOTTOM: f64 = 230.0;
const LEGEND: f64 = 18.0;

/// One line: its name, and its points from left to right.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(u32, f64)>,
}

/// A chart of lines with dots, and what each is below it.
pub(super) struct Chart {
    pub(super) title: &'static str,
    pub(super) logarithmic: bool,
}

impl Chart {
    pub(super) fn draw(&self, series: &[Series]) -> Option<String> {
        series.first()?;
        let points = series.iter().flat_map(|series| series.points.iter().copied());
        let columns: BTreeSet<u32> = points.clone().map(|(x, _)| x).collect();
        let (first, last) = (*columns.first()?, *columns.last()?);
        let across = Scale::linear((first.into(), last.into()), (LEFT, WIDTH - 16.0));
        let heights = points.map(|(_, y)| y);
        let up = if self.logarithmic {
            Scale::logarithmic(heights, (BOTTOM, TOP))
        } else {
            let most = heights.fold(f64::from(last), f64::max).ceil();
            Scale::linear((0.0, most), (BOTTOM, TOP))
        };
        let mut canvas = Canvas::default();
        self.frame(&mut canvas, (across, up), &columns);
        for (n, series) in series.iter().enumerate() {
            let place = |&(x, y): &(u32, f64)| -> Place { (across.place(x.into()), up.place(y)) };
            let places: Vec<Place> = series.points.iter().map(place).collect();
            let (colour, round) = (n % COLOURS, n / COLOURS);
            canvas.path(&places, &format!("s{colour}"), round);
            for &place in &places {
                canvas.dot(place, 3.0, &format!("f{colour}"));
            }
            let y = BOTTOM + 40.0 + LEGEND * n as f64;
            canvas.path(&[(12.0, y - 4.0), (36.0, y - 4.0)], &format!("s{colour}"), round);
            canvas.text((LEFT, y), "ink", &series.name);
        }
        Some(canvas.finish(self.title, BOTTOM + 34.0 + LEGEND * series.len() as f64))
    }

    fn frame(&self, canvas: &mut Canvas, (across, up): (Scale, Scale), columns: &BTreeSet<u32>) {
        // At most a dozen numbers find room.
        let step = columns.len().div_ceil(12);
        for &column in columns.iter().step_by(step) {
            canvas.text((across.place(column.into()), BOTTOM + 18.0), "faint mid", column);
        }
        let marks = if self.logarithmic {
            up.marks()
        } else {
            columns.iter().step_by(step).map(|&column| f64::from(column)).collect()
        };
        for mark in marks {
            let y = up.place(mark);
            canvas.line((LEFT, y), (WIDTH - 16.0, y), "rule");
            canvas.text((LEFT - 6.0, y + 4.0), "faint end", short(mark));
        }
    }
}
