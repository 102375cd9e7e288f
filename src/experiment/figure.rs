//! The report as pictures: threads, widths, methods, shares of the bound, parts of files, samples.

use super::chart::{Chart, Series};
use super::svg::{COLOURS, Canvas, Scale, WIDTH};
use super::text::figure as number;
use super::{Outcome, Parts, Report};
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
        let figures = [
            self.threads(),
            self.widths(),
            self.methods(),
            self.shares(),
            self.parts(),
            self.samples(),
        ];
        figures.into_iter().flatten().collect()
    }

    /// Every sample as a dot, a line for each case.
    fn samples(&self) -> Option<Figure> {
        self.results.first()?;
        let title = "Nanoseconds an entry: every sample, and the median";
        let all = self.results.iter().flat_map(|result| result.samples.iter().copied());
        let scale = Scale::logarithmic(all, (12.0, WIDTH - 60.0));
        let mut canvas = Canvas::default();
        let bottom = TOP + ROW * self.results.len() as f64;
        canvas.marked(scale, (TOP, bottom), "ns");
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

    /// Nanoseconds an entry by the width of the strip, of making and checking tables.
    fn widths(&self) -> Option<Figure> {
        let series = self.series(|result| match result.id.parse().ok()? {
            Game::Strip(strip) if result.is_in_memory() => {
                let reach =
                    strip.reach().map(|reach| format!(" reach {reach}")).unwrap_or_default();
                let Outcome { threads, simd, .. } = result;
                let name = format!("{}{reach} {}, {threads}, {simd}", strip.rule(), result.name());
                Some((name, strip.width(), result.ns_per_entry.median))
            }
            _ => None,
        });
        let title = "Nanoseconds an entry by width (name, threads, level)";
        Some(Figure {
            name: "widths",
            title,
            svg: Chart { title, logarithmic: true }.draw(&series)?,
        })
    }

    /// How many times as fast as one thread, by threads, of making and checking tables.
    fn threads(&self) -> Option<Figure> {
        let series = self.series(|result| {
            if !result.is_in_memory() {
                return None;
            }
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

    /// The methods side by side, each at its fastest, for each table that several have made.
    fn methods(&self) -> Option<Figure> {
        let made: Vec<&Outcome> =
            self.results.iter().filter(|result| result.what == "compute").collect();
        let like = |a: &Outcome, b: &Outcome| (&a.id, &a.method) == (&b.id, &b.method);
        let fastest = |result: &&&Outcome| {
            let mut rivals = made.iter().filter(|other| like(other, result));
            rivals.all(|other| other.ns_per_entry.median >= result.ns_per_entry.median)
        };
        let has_rival = |result: &&&Outcome| {
            made.iter().any(|other| other.id == result.id && other.method != result.method)
        };
        let shown: Vec<&Outcome> = made.iter().filter(has_rival).filter(fastest).copied().collect();
        shown.first()?;
        let title = "Methods side by side: million entries a second, each at its fastest";
        let rate = |result: &Outcome| result.entries_per_second / 1e6;
        let scale =
            Scale::logarithmic(shown.iter().map(|result| rate(result)), (12.0, WIDTH - 76.0));
        let mut canvas = Canvas::default();
        let bottom = TOP + ROW * shown.len() as f64;
        canvas.marked(scale, (TOP, bottom), "M/s");
        for (row, result) in shown.into_iter().enumerate() {
            let y = TOP + ROW * row as f64;
            canvas.text((12.0, y + 13.0), "ink", result.case());
            let (place, colour) = ((scale.place(rate(result)), y + 23.0), self.colour(result));
            canvas.path(&[(12.0, place.1), place], &format!("s{colour}"), 0);
            canvas.dot(place, 5.0, &format!("f{colour}"));
            canvas.text((WIDTH - 8.0, y + 27.0), "ink end", number(rate(result)));
        }
        Some(Figure { name: "methods", title, svg: canvas.finish(title, bottom + 8.0) })
    }

    /// What making files was made of.
    fn parts(&self) -> Option<Figure> {
        let files: Vec<(&Outcome, &Parts)> = self
            .results
            .iter()
            .filter_map(|result| Some((result, result.parts.as_ref()?)))
            .collect();
        let title = "Files: nanoseconds an entry to compute, write and sync";
        let most = files.iter().map(|(result, _)| result.ns_per_entry.median).reduce(f64::max)?;
        let scale = Scale::linear((0.0, most * 1.1), (12.0, WIDTH - 60.0));
        let mut canvas = Canvas::default();
        for (n, (name, _)) in files.first()?.1.by_name().iter().enumerate() {
            let x = 12.0 + 90.0 * n as f64;
            canvas.bar((x, 8.0), (10.0, 10.0), &format!("f{n}"));
            canvas.text((x + 15.0, 17.0), "ink", name);
        }
        canvas.text((WIDTH - 8.0, TOP - 6.0), "faint end", "ns");
        for (row, (result, parts)) in files.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            canvas.text((12.0, y + 13.0), "ink", result.case());
            let mut sum = 0.0;
            for (n, (_, part)) in parts.by_name().iter().enumerate() {
                let (from, to) = (sum, sum + part.ns_per_entry.median);
                let length = scale.place(to) - scale.place(from);
                canvas.bar((scale.place(from), y + 18.0), (length, 9.0), &format!("f{n}"));
                sum = to;
            }
            canvas.text((WIDTH - 8.0, y + 27.0), "ink end", number(sum));
        }
        let bottom = TOP + ROW * files.len() as f64;
        Some(Figure { name: "parts", title, svg: canvas.finish(title, bottom + 8.0) })
    }

    /// How near each case is to what the machine allows.
    fn shares(&self) -> Option<Figure> {
        let bounded: Vec<_> = self
            .results
            .iter()
            .filter_map(|result| Some((result, result.bound.as_ref()?)))
            .collect();
        bounded.first()?;
        let title = "Share of the bound that holds";
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

    /// The colour of a case is that of its method or its work, in the order in which these appear.
    fn colour(&self, result: &Outcome) -> usize {
        let mut names: Vec<&str> = Vec::new();
        for other in &self.results {
            if !names.contains(&other.kind()) {
                names.push(other.kind());
            }
        }
        names.iter().position(|name| *name == result.kind()).unwrap_or(0) % COLOURS
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

impl Outcome {
    /// The method, or the work without its variety.
    fn kind(&self) -> &str {
        let what = || self.what.split_once('-').map_or(&*self.what, |(what, _)| what);
        self.method.as_deref().unwrap_or_else(what)
    }

    /// Whether it is the making or checking of a table in memory.
    fn is_in_memory(&self) -> bool {
        ["compute", "law"].contains(&&*self.what)
    }
}

impl Canvas {
    /// Lines from top to bottom at the marks of a scale, with their numbers and the unit above.
    fn marked(&mut self, scale: Scale, (top, bottom): (f64, f64), unit: &str) {
        for mark in scale.marks() {
            let x = scale.place(mark);
            self.line((x, top), (x, bottom), "rule");
            self.text((x, top - 6.0), "faint mid", short(mark));
        }
        self.text((WIDTH - 8.0, top - 6.0), "faint end", unit);
    }
}

/// Room for the numbers of the scale, and for a case with its name.
pub(super) const TOP: f64 = 24.0;
const ROW: f64 = 36.0;

/// A round number without trailing zeros.
pub(super) fn short(mark: f64) -> String {
    let text = format!("{mark:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
