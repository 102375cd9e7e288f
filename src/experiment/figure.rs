//! The report as pictures: samples, widths, threads, shares of the bound.

use std::collections::BTreeSet;

use super::svg::{COLOURS, Canvas, Place, Scale, WIDTH};
use super::text::figure as number;
use super::{Outcome, Report};
use crate::game::Game;

/// A picture of a report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// A short name, fit for a file.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The picture, with a light and a dark half.
    pub svg: String,
}

impl Report {
    /// The pictures that the results have something to say in.
    pub fn figures(&self) -> Vec<Figure> {
        [self.samples(), self.widths(), self.threads(), self.shares()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Every sample as a dot, a line for each case.
    fn samples(&self) -> Option<Figure> {
        self.results.first()?;
        let title = "Nanoseconds an entry: every sample, and the median";
        let all = self.results.iter().flat_map(|result| result.samples.iter().copied());
        let scale = Scale::logarithmic(all, (12.0, WIDTH - 60.0));
        let mut canvas = Canvas::default();
        let bottom = TOP + ROW * self.results.len() as f64;
        for mark in scale.marks() {
            let x = scale.place(mark);
            canvas.line((x, TOP), (x, bottom), "rule");
            canvas.text((x, TOP - 6.0), "faint mid", short(mark));
        }
        for (row, result) in self.results.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            canvas.text((12.0, y + 13.0), "ink", result.case());
            let colour = format!("f{}", self.colour(result));
            for &sample in &result.samples {
                canvas.dot((scale.place(sample), y + 23.0), 3.5, &colour);
            }
            let median = result.ns_per_entry.median;
            canvas.bar((scale.place(median) - 1.0, y + 17.0), (2.0, 12.0), "ink");
            canvas.text((WIDTH - 8.0, y + 27.0), "ink end", number(median));
        }
        Some(Figure { name: "samples", title, svg: canvas.finish(title, bottom + 8.0) })
    }

    /// Nanoseconds an entry by the width of the strip.
    fn widths(&self) -> Option<Figure> {
        let series = self.series(|result| match result.id.parse().ok()? {
            Game::Strip(strip) => {
                let reach =
                    strip.reach().map(|reach| format!(" reach {reach}")).unwrap_or_default();
                let Outcome { threads, simd, .. } = result;
                let name = format!("{}{reach} {}, {threads}, {simd}", strip.rule(), result.name());
                Some((name, strip.width(), result.ns_per_entry.median))
            }
            Game::Stones(_) => None,
        });
        let title = "Nanoseconds an entry by width (name, threads, level)";
        Some(Figure {
            name: "widths",
            title,
            svg: Chart { title, logarithmic: true }.draw(&series)?,
        })
    }

    /// How many times as fast as one thread, by threads.
    fn threads(&self) -> Option<Figure> {
        let series = self.series(|result| {
            let name = format!("{} {}, {}", result.id, result.name(), result.simd);
            Some((name, result.threads as u32, result.speedup?))
        });
        let title = "Speed-up by threads: how many times as fast as on one";
        Some(Figure {
            name: "threads",
            title,
            svg: Chart { title, logarithmic: false }.draw(&series)?,
        })
    }

    /// How near each case is to what the machine allows.
    fn shares(&self) -> Option<Figure> {
        let bounded: Vec<_> = self
            .results
            .iter()
            .filter_map(|result| Some((result, result.bound.as_ref()?)))
            .collect();
        bounded.first()?;
        let title = "Share of the bound: filling memory, or reading it, is 100%";
        let most = bounded.iter().map(|(_, bound)| bound.share).fold(1.0, f64::max);
        let scale = Scale::linear((0.0, most), (12.0, WIDTH - 90.0));
        let mut canvas = Canvas::default();
        let bottom = TOP + ROW * bounded.len() as f64;
        let whole = scale.place(1.0);
        canvas.line((whole, TOP), (whole, bottom), "rule");
        canvas.text((whole, TOP - 6.0), "faint mid", "100%");
        for (row, (result, bound)) in bounded.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            canvas.text((12.0, y + 13.0), "ink", result.case());
            let length = scale.place(bound.share) - 12.0;
            let colour = format!("f{}", self.colour(result));
            canvas.bar((12.0, y + 18.0), (length.max(1.0), 9.0), &colour);
            let words = format!("{:.1}% {}", bound.share * 100.0, bound.what);
            canvas.text((WIDTH - 8.0, y + 27.0), "ink end", words);
        }
        Some(Figure { name: "bounds", title, svg: canvas.finish(title, bottom + 8.0) })
    }

    /// The colour of a case is that of its method, in the order in which these appear.
    fn colour(&self, result: &Outcome) -> usize {
        let mut names: Vec<&str> = Vec::new();
        for other in &self.results {
            if !names.contains(&other.name()) {
                names.push(other.name());
            }
        }
        names.iter().position(|name| *name == result.name()).unwrap_or(0) % COLOURS
    }

    /// Points gathered by the name of their series, in the order in which these appear.
    fn series(&self, point: impl Fn(&Outcome) -> Option<(String, u32, f64)>) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for (name, x, y) in self.results.iter().filter_map(point) {
            match all.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push((x, y)),
                None => all.push(Series { name, points: vec![(x, y)] }),
            }
        }
        all.retain(|series| series.points.len() > 1);
        for series in &mut all {
            series.points.sort_by_key(|&(x, _)| x);
        }
        all
    }
}

/// Room for the numbers of the scale, and for a case with its name.
const TOP: f64 = 24.0;
const ROW: f64 = 36.0;

/// The place of the lines in a chart.
const LEFT: f64 = 44.0;
const BOTTOM: f64 = 230.0;
const LEGEND: f64 = 18.0;

struct Series {
    name: String,
    points: Vec<(u32, f64)>,
}

/// A chart of lines.
struct Chart {
    title: &'static str,
    logarithmic: bool,
}

impl Chart {
    fn draw(&self, series: &[Series]) -> Option<String> {
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
            let (colour, dashed) = (n % COLOURS, n / COLOURS % 2 == 1);
            canvas.path(&places, &format!("s{colour}"), dashed);
            for &place in &places {
                canvas.dot(place, 3.0, &format!("f{colour}"));
            }
            let y = BOTTOM + 40.0 + LEGEND * n as f64;
            canvas.path(&[(12.0, y - 4.0), (36.0, y - 4.0)], &format!("s{colour}"), dashed);
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

/// A round number without trailing zeros.
fn short(mark: f64) -> String {
    let text = format!("{mark:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
