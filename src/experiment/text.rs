//! The report as words: a table for the terminal, in Markdown, and as comma-separated values.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Contender, Limit, Outcome, Parts, Report, Sample, Share, Work};

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
        for result in &self.results {
            if let Some(parts) = &result.parts {
                let _ = writeln!(text, "parts: {}: {}", result.case(), parts.words());
            }
        }
        for limit in &self.bounds {
            let _ = writeln!(text, "bound: {}", limit.words());
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
            let parts = result.parts.as_ref();
            text.extend(result.samples.iter().enumerate().map(|(number, &nanos)| {
                csv_line(&start, number, nanos, parts.map(|parts| parts.of_sample(number)))
            }));
        }
        for Limit { what, threads, units, samples, .. } in &self.bounds {
            let start = csv_start(("", what, ""), (*threads, *threads), ("", *units));
            let numbered = samples.iter().enumerate();
            text.extend(numbered.map(|(number, &nanos)| csv_line(&start, number, nanos, None)));
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

/// The headings of the comma-separated values. `entries` are those of the table or those looked up, or the
/// bytes or reads that a bound treats; the last three are the parts of the time of a file.
pub const CSV_HEADINGS: &str =
    "id,what,method,threads,threads_used,simd,entries,sample,ns_per_entry,compute,write,sync\n";

impl Sample {
    /// The line of this sample, as in [`Report::csv`].
    pub fn csv(&self) -> String {
        let Self { case, threads_used, number, ns_per_entry, times } = self;
        let (id, level) = match case.work {
            Work::Bound(_) => (String::new(), ""),
            _ => (case.game.to_string(), case.level.name()),
        };
        let method = case.work.contender().map_or("", Contender::name);
        let threads = (case.threads.get(), *threads_used);
        let start = csv_start((&id, case.work.name(), method), threads, (level, case.units()));
        let nanos = |part: Duration| part.as_nanos() as f64 / case.units() as f64;
        let parts = times.map(|times| [times.compute, times.write, times.sync].map(nanos));
        csv_line(&start, *number, *ns_per_entry, parts)
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

fn csv_line(start: &str, number: usize, nanos: f64, parts: Option<[f64; 3]>) -> String {
    let [compute, write, sync] =
        parts.map_or_else(Default::default, |parts| parts.map(|part| part.to_string()));
    format!("{start},{number},{nanos},{compute},{write},{sync}\n")
}

impl Outcome {
    /// What was timed, in a word or two: the method, the method and `file`, or the kind of work.
    pub fn name(&self) -> String {
        match &self.method {
            Some(method) if self.parts.is_some() => format!("{method} {}", self.what),
            Some(method) => method.clone(),
            None => self.what.clone(),
        }
    }

    fn cells(&self) -> Cells {
        let spread = self.ns_per_entry;
        let several = self.threads > 1;
        let speedup = self.speedup.filter(|_| several);
        let others = |times: Option<f64>, name| times.filter(|_| self.name() != name);
        [
            self.id.clone(),
            self.name(),
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

impl Parts {
    /// The parts of one sample.
    fn of_sample(&self, number: usize) -> [f64; 3] {
        self.by_name().map(|(_, part)| part.samples.get(number).copied().unwrap_or_default())
    }

    fn words(&self) -> String {
        let parts = self
            .by_name()
            .map(|(name, part)| format!("{name} {}", figure(part.ns_per_entry.median)));
        parts.join(", ")
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
        format!("{what}, {bytes} bytes, {threads} thread{s}: {}", self.rate())
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
