//! The report as a page: one file, nothing fetched, no script.

use std::fmt::Write as _;

use super::svg::escape;
use super::text::figure as number;
use super::{Machine, Outcome, Report};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1a1a1a;--faint:#666;--paper:#fff;--line:#ddd;--care:#fff4d6}\
@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--faint:#a0a0a0;--paper:#16181b;--line:#3a3d42;--care:#3d3415}}\
body{margin:0 auto;padding:1rem;max-width:60rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}\
.care{background:var(--care);padding:.5rem 1rem;border-radius:.4rem}\
.figures{columns:26rem;column-gap:2rem}figure{margin:0;padding:.5rem 0;break-inside:avoid}\
figure svg{width:100%;max-width:36rem;height:auto;display:block}figcaption{font-weight:600}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;white-space:nowrap}\
th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right}th:first-child,td:first-child{text-align:left}";

impl Report {
    /// The report as one HTML file.
    pub fn page(&self) -> String {
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>grundy bench</title><link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body>\n<h1>grundy bench</h1>\n"
        );
        page.push_str(&self.doubts_in_html());
        page.push_str("<div class=\"figures\">\n");
        for figure in self.figures() {
            let (title, svg) = (escape(figure.title), figure.svg);
            let _ = writeln!(page, "<figure><figcaption>{title}</figcaption>{svg}</figure>");
        }
        page.push_str("</div>\n");
        page.push_str(&self.table_in_html());
        page.push_str(&self.bounds_in_html());
        page.push_str(&self.machine_in_html());
        page.push_str("</body></html>\n");
        page
    }

    fn doubts_in_html(&self) -> String {
        if self.warnings.is_empty() {
            return String::new();
        }
        let items = self.warnings.iter().map(|warning| format!("<li>{}</li>", escape(warning)));
        format!("<div class=\"care\">Read with care:<ul>{}</ul></div>\n", items.collect::<String>())
    }

    fn table_in_html(&self) -> String {
        let mut text = String::from(
            "<h2>Figures</h2>\n<p>Nanoseconds an entry. Every answer was checked outside the timed span; the cases took turns.</p>\n<div class=\"wide\"><table><tr><th>case<th>smallest<th>median<th>largest<th>million entries/s<th>&times; one thread<th>&times; naive<th>&times; contest<th>samples<th>outliers</tr>\n",
        );
        let times = |times: Option<f64>| times.map(number).unwrap_or_default();
        for result in &self.results {
            let Outcome { ns_per_entry: spread, repeats, outliers, .. } = result;
            let [min, median, max] = [spread.min, spread.median, spread.max].map(number);
            let rate = number(result.entries_per_second / 1e6);
            let [one, naive, contest] =
                [result.speedup, result.times_naive, result.times_contest].map(times);
            let case = escape(&result.case());
            let _ = writeln!(
                text,
                "<tr><td>{case}<td>{min}<td>{median}<td>{max}<td>{rate}<td>{one}<td>{naive}<td>{contest}<td>{repeats}<td>{outliers}</tr>"
            );
        }
        text.push_str("</table></div>\n");
        text
    }

    fn bounds_in_html(&self) -> String {
        if self.bounds.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "<h2>What memory and disk allow</h2>\n<div class=\"wide\"><table><tr><th>work<th>bytes<th>threads<th>rate</tr>\n",
        );
        for limit in &self.bounds {
            let (rate, what) = (limit.rate(), escape(&limit.what));
            let (bytes, threads) = (limit.bytes, limit.threads);
            let _ = writeln!(text, "<tr><td>{what}<td>{bytes}<td>{threads}<td>{rate}</tr>");
        }
        text.push_str("</table></div>\n");
        text
    }

    fn machine_in_html(&self) -> String {
        let Machine { cpu, arch, levels, cores_allowed, memory_bytes, os, kernel, .. } =
            &self.machine;
        let unknown = || "not told".to_owned();
        let memory =
            memory_bytes.map(|bytes| format!("{} GiB", number(bytes as f64 / 1024_f64.powi(3))));
        let large = self.machine.huge_pages.clone().unwrap_or_else(unknown);
        let facts = [
            ("processor", cpu.clone().unwrap_or_else(unknown)),
            ("architecture", arch.clone()),
            ("levels", levels.join(", ")),
            ("threads allowed", cores_allowed.to_string()),
            ("memory", memory.unwrap_or_else(unknown)),
            ("system", format!("{os} {}", kernel.clone().unwrap_or_default())),
            ("large pages", large),
            ("load before", self.machine.load.map_or_else(unknown, number)),
            ("grundy", self.version.clone()),
            ("build", if self.optimised { "optimised" } else { "not optimised" }.to_owned()),
        ];
        let facts = facts.map(|(name, fact)| format!("<dt>{name}<dd>{}", escape(&fact)));
        format!("<h2>Machine</h2>\n<dl>{}</dl>\n", facts.concat())
    }
}
