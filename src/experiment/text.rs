//! The report as words: a table for the terminal, in Markdown, and as comma-separated values.

use std::fmt::Write as _;

use super::{Contender, Limit, Outcome, Report, Sample, Share, Work};

/// The headings, and whether their columns hold numbers.
const HEADINGS: [(&str, bool); 12] = [
    ("id", false),
    ("what", false),
    ("threads", true),
    ("simd", false),
    ("min", true),
    ("median", true),
    ("max", true),
    ("million/s", true),
    ("x 1 thread", true),
    ("x naive", true),
    ("x contest", true),
    ("of bound", true),
];

type Cells = [String; HEADINGS.len()];

impl Report {
    /// A table for the terminal: nanoseconds an entry, and how many times as fast as what.
    pub fn text(&self) -> String {
        let (headings, rows, used) = self.cells();
        let mut text = String::from("nanoseconds an entry, smallest, median and largest\n");
        let widths: Vec<usize> = (0..HEADINGS.len())
            .map(|column| {
                let cells = rows.iter().chain([&headings]).map(|row| row[column].chars().count());
                cells.max().unwrap_or(0)
            })
            .collect();
        for row in [&headings].into_iter().chain(&rows) {
            let mut line = String::new();
            for column in used.clone() {
                let (cell, width) = (&row[column], widths[column]);
                let _ = if HEADINGS[column].1 {
                    write!(line, "{cell:>width$}  ")
                } else {
                    write!(line, "{cell:<width$}  ")
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for limit in &self.bounds {
            let _ = writeln!(text, "{}", limit.words());
        }
        text
    }

    /// The same table in Markdown.
    pub fn markdown(&self) -> String {
        let (headings, rows, used) = self.cells();
        let line = |row: &Cells| {
            let cells: Vec<&str> = used.iter().map(|&column| row[column].as_str()).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(&headings);
        let rules = used.iter().map(|&column| if HEADINGS[column].1 { "---:" } else { "---" });
        let _ = writeln!(text, "| {} |", rules.collect::<Vec<_>>().join(" | "));
        text.extend(rows.iter().map(line));
        text
    }

    /// One line for each sample, with a line of headings.
    pub fn csv(&self) -> String {
        let mut text = String::from(CSV_HEADINGS);
        for result in &self.results {
            let Outcome { id, what, threads, threads_used, simd, entries, .. } = result;
            let method = result.method.as_deref().unwrap_or_default();
            let start = csv_start((id, what, method), (*threads, *threads_used), (simd, *entries));
            text.extend(csv_lines(&start, &result.samples));
        }
        for Limit { what, threads, units, samples, .. } in &self.bounds {
            let start = csv_start(("", what, ""), (*threads, *threads), ("", *units));
            text.extend(csv_lines(&start, samples));
        }
        text
    }

    /// The headings, a row for each result, and the columns that have anything to say.
    fn cells(&self) -> (Cells, Vec<Cells>, Vec<usize>) {
        let headings = HEADINGS.map(|(name, _)| name.to_owned());
        let rows: Vec<Cells> = self.results.iter().map(Outcome::cells).collect();
        let says = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
        let used = (0..HEADINGS.len()).filter(says).collect();
        (headings, rows, used)
    }
}

/// The headings of the comma-separated values. `entries` are those of the table, or the bytes or
/// reads that a bound treats.
pub const CSV_HEADINGS: &str =
    "id,what,method,threads,threads_used,simd,entries,sample,ns_per_entry\n";

impl Sample {
    /// The line of this sample, as in [`Report::csv`].
    pub fn csv(&self) -> String {
        let Self { case, threads_used, number, ns_per_entry } = self;
        let (id, level) = match case.work {
            Work::Bound(_) => (String::new(), ""),
            Work::Compute(_) | Work::Law => (case.game.to_string(), case.level.name()),
        };
        let method = case.work.contender().map_or("", Contender::name);
        let threads = (case.threads.get(), *threads_used);
        let start = csv_start((&id, case.work.name(), method), threads, (level, case.units()));
        format!("{start},{number},{ns_per_entry}\n")
    }
}

/// What the lines of one case begin with. No field holds a comma: names and ids have none.
fn csv_start(
    (id, what, method): (&str, &str, &str),
    (threads, used): (usize, usize),
    (simd, entries): (&str, u64),
) -> String {
    format!("{id},{what},{method},{threads},{used},{simd},{entries}")
}

fn csv_lines(start: &str, samples: &[f64]) -> impl Iterator<Item = String> {
    let numbered = samples.iter().enumerate();
    numbered.map(move |(number, nanos)| format!("{start},{number},{nanos}\n"))
}

impl Outcome {
    /// What was timed, in a word: the method, or the kind of work.
    pub fn name(&self) -> &str {
        self.method.as_deref().unwrap_or(&self.what)
    }

    fn cells(&self) -> Cells {
        let spread = self.ns_per_entry;
        let several = self.threads > 1;
        let speedup = self.speedup.filter(|_| several);
        let others = |times: Option<f64>, name| times.filter(|_| self.name() != name);
        [
            self.id.clone(),
            self.name().to_owned(),
            self.threads.to_string(),
            self.simd.clone(),
            figure(spread.min),
            figure(spread.median),
            figure(spread.max),
            figure(self.entries_per_second / 1e6),
            speedup.map(figure).unwrap_or_default(),
            others(self.times_naive, "naive").map(figure).unwrap_or_default(),
            others(self.times_contest, "contest").map(figure).unwrap_or_default(),
            self.bound.as_ref().map(Share::words).unwrap_or_default(),
        ]
    }
}

impl Share {
    fn words(&self) -> String {
        format!("{:.0}% {}", self.share * 100.0, self.what)
    }
}

impl Limit {
    /// How fast that was.
    pub(super) fn rate(&self) -> String {
        match self.unit.as_str() {
            "byte" => format!("{} GB/s", figure(self.units_per_second / 1e9)),
            unit => format!("{} ns a {unit}", figure(self.ns_per_unit.median)),
        }
    }

    fn words(&self) -> String {
        let Self { what, bytes, threads, .. } = self;
        let s = if *threads == 1 { "" } else { "s" };
        format!("bound: {what}, {bytes} bytes, {threads} thread{s}: {}", self.rate())
    }
}

/// A number with three or four digits that count.
pub(super) fn figure(number: f64) -> String {
    let decimals = match number.abs() {
        ..10.0 => 3,
        ..100.0 => 2,
        ..1000.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn a_figure_has_the_digits_that_count() {
        let shown = [0.0504, 0.25, 9.9994, 12.345, 123.45, 4096.7].map(figure);
        assert_eq!(shown, ["0.050", "0.250", "9.999", "12.35", "123.5", "4097"]);
    }
}
