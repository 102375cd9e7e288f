//! Drawing: a canvas of SVG elements, and scales that turn numbers into places on it.
//!
//! Colours are classes, given in one style sheet with a light and a dark half, so that a picture follows
//! the reader's choice wherever it stands.

use std::fmt::{Display, Write as _};

/// The width of every picture in its own units. Small, so that text stays readable on a phone.
pub(super) const WIDTH: f64 = 420.0;

/// The colours of the series: told apart also by people who do not tell red from green.
const LIGHT: [&str; 6] = ["#0072b2", "#c04d00", "#007d5a", "#a8558a", "#8a6d00", "#555555"];
const DARK: [&str; 6] = ["#5cb3ea", "#ff9a5c", "#3fd0a4", "#eba3cd", "#e6c34d", "#b5b5b5"];

/// How many series can be told apart by colour.
pub(super) const COLOURS: usize = LIGHT.len();

/// The style sheet of a picture.
pub(super) fn style() -> String {
    let half = |ink: &str, faint: &str, paper: &str, colours: [&str; COLOURS]| {
        let mut text = format!(
            ".ink{{fill:{ink}}}text.ink{{stroke:{paper};stroke-width:3px;paint-order:stroke}}.faint{{fill:{faint}}}.rule{{stroke:{faint};stroke-opacity:.35}}.paper{{fill:{paper}}}"
        );
        for (n, colour) in colours.iter().enumerate() {
            let _ = write!(text, ".f{n}{{fill:{colour}}}.s{n}{{stroke:{colour};fill:none}}");
        }
        text
    };
    let light = half("#1a1a1a", "#666666", "#ffffff", LIGHT);
    let dark = half("#e8e8e8", "#a0a0a0", "#16181b", DARK);
    format!(
        "text{{font:12px system-ui,sans-serif}}.end{{text-anchor:end}}.mid{{text-anchor:middle}}{light}@media(prefers-color-scheme:dark){{{dark}}}"
    )
}

/// Text as it may stand in a page or a picture.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

/// The elements of a picture.
#[derive(Default)]
pub(super) struct Canvas {
    elements: String,
}

/// A place on a canvas: to the right, and down.
pub(super) type Place = (f64, f64);

impl Canvas {
    pub(super) fn text(&mut self, (x, y): Place, class: &str, text: impl Display) {
        let text = escape(&text.to_string());
        let _ =
            write!(self.elements, r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{text}</text>"#);
    }

    pub(super) fn line(&mut self, (x1, y1): Place, (x2, y2): Place, class: &str) {
        let _ = write!(
            self.elements,
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        );
    }

    pub(super) fn bar(&mut self, (x, y): Place, (width, height): (f64, f64), class: &str) {
        let _ = write!(
            self.elements,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        );
    }

    pub(super) fn dot(&mut self, (x, y): Place, radius: f64, class: &str) {
        let _ = write!(
            self.elements,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill-opacity=".6" class="{class}"/>"#
        );
    }

    /// A line through `places`, whole, dashed or dotted for the first, second and third round of colours.
    pub(super) fn path(&mut self, places: &[Place], class: &str, round: usize) {
        let places: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dash = ["", r#" stroke-dasharray="5 3""#, r#" stroke-dasharray="1.5 2.5""#][round % 3];
        let places = places.join(" ");
        let _ = write!(
            self.elements,
            r#"<polyline points="{places}" stroke-width="1.8" class="{class}"{dash}/>"#
        );
    }

    /// The picture as a file of its own, `height` high.
    pub(super) fn finish(self, title: &str, height: f64) -> String {
        let (style, title, elements) = (style(), escape(title), self.elements);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0}" role="img"><title>{title}</title><style>{style}</style><rect width="{WIDTH}" height="{height:.0}" class="paper"/>{elements}</svg>"#
        )
    }
}

/// Turns numbers into places, in proportion or by their logarithms.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Scale {
    /// From `low` at `from` to `high` at `to`, in proportion.
    pub(super) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, from, to, logarithmic: false }
    }

    /// By logarithms, with room for all of `numbers`, which must be positive, up to the next of 1, 2 and 5
    /// times a power of ten.
    pub(super) fn logarithmic(
        numbers: impl Iterator<Item = f64> + Clone,
        (from, to): (f64, f64),
    ) -> Self {
        let low = numbers.clone().fold(f64::INFINITY, f64::min);
        let high = numbers.fold(0.0, f64::max);
        let (low, high) = if low > 0.0 && low <= high { (low, high) } else { (1.0, 10.0) };
        let round = |down: bool, number: f64| {
            let power = 10_f64.powf(number.log10().floor());
            let mut steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power);
            if down {
                steps.rfind(|&step| step <= number * (1.0 + 1e-9)).unwrap_or(number)
            } else {
                steps.find(|&step| step >= number * (1.0 - 1e-9)).unwrap_or(number)
            }
        };
        let low = round(true, low);
        let high = round(false, high).max(low * 2.0);
        Self { low, high, from, to, logarithmic: true }
    }

    /// Where `number` stands.
    pub(super) fn place(self, number: f64) -> f64 {
        let Self { low, high, from, to, .. } = self;
        let share = if self.logarithmic {
            (number / low).ln() / (high / low).ln()
        } else {
            (number - low) / (high - low)
        };
        from + (to - from) * share
    }

    /// The numbers to be marked on a logarithmic scale: powers of ten; on a short one also 2 and 5 times.
    pub(super) fn marks(self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = if decades > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9);
        let marks = (first..=last)
            .flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
        marks.filter(|mark| inside.contains(mark)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Canvas, Scale, escape};

    #[test]
    fn a_logarithmic_scale_has_room_for_all_and_marks_them() {
        let scale = Scale::logarithmic([0.07, 60.0].into_iter(), (0.0, 100.0));
        assert!(
            (scale.place(0.05) - 0.0).abs() < 1e-9 && (scale.place(100.0) - 100.0).abs() < 1e-9
        );
        assert_eq!(scale.marks().len(), 4, "0.1, 1, 10, 100: {:?}", scale.marks());
        let short = Scale::logarithmic([1.0, 1.0].into_iter(), (0.0, 100.0));
        assert_eq!(short.marks(), [1.0, 2.0]);
        let none = Scale::logarithmic(std::iter::empty(), (0.0, 1.0));
        assert!(none.place(1.0).is_finite());
    }

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escape("<a b=\"c\">&"), "&lt;a b=&quot;c&quot;&gt;&amp;");
        let mut canvas = Canvas::default();
        canvas.text((0.0, 0.0), "ink", "<script>");
        assert!(!canvas.finish("</title>", 10.0).contains("<script>"));
    }
}
