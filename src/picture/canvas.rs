//! Rectangles and letters, as pixels.

use super::font;
use super::palette::Colour;

/// What everything stands on, and what is written with.
pub(super) const PAPER: Colour = [0xEC; 3];
pub(super) const INK: Colour = [0x20; 3];

/// A place on a canvas, or a size: to the right, and down.
pub(super) type Pixels = (usize, usize);

/// A rectangle of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Canvas {
    size: Pixels,
    colours: Vec<Colour>,
}

impl Canvas {
    /// Empty paper.
    pub(super) fn new(size: Pixels) -> Self {
        Self { size, colours: vec![PAPER; size.0 * size.1] }
    }

    pub(super) const fn size(&self) -> Pixels {
        self.size
    }

    /// The colours, line by line from the top.
    pub(super) fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// Fills a rectangle; what lies beyond the canvas is cut off.
    pub(super) fn fill(&mut self, (x, y): Pixels, (width, height): Pixels, colour: Colour) {
        let right = (x + width).min(self.size.0);
        for line in y..(y + height).min(self.size.1) {
            let start = line * self.size.0;
            self.colours[start + x.min(right)..start + right].fill(colour);
        }
    }

    /// A filled rectangle with a thin line around it, so that white is seen on light paper.
    pub(super) fn boxed(&mut self, (x, y): Pixels, (width, height): Pixels, colour: Colour) {
        self.fill((x, y), (width, height), INK);
        let inside = (width.saturating_sub(2), height.saturating_sub(2));
        self.fill((x + 1, y + 1), inside, colour);
    }

    /// Writes a line, its top left corner at a place, each dot of a letter `scale` pixels wide and high.
    pub(super) fn text(&mut self, (x, y): Pixels, scale: usize, text: &str) {
        for (n, letter) in text.chars().enumerate() {
            let left = x + n * font::ADVANCE * scale;
            for (across, down) in font::dots(letter) {
                self.fill((left + across * scale, y + down * scale), (scale, scale), INK);
            }
        }
    }
}

/// How wide a line is.
pub(super) fn text_width(scale: usize, text: &str) -> usize {
    let letters = text.chars().count() * font::ADVANCE * scale;
    letters.saturating_sub(scale)
}

#[cfg(test)]
mod tests {
    use super::{Canvas, INK, PAPER, text_width};

    fn inked(canvas: &Canvas) -> Vec<usize> {
        let places = canvas.colours().iter().enumerate();
        places.filter(|(_, colour)| **colour == INK).map(|(place, _)| place).collect()
    }

    #[test]
    fn what_lies_beyond_the_canvas_is_cut_off() {
        let mut canvas = Canvas::new((3, 2));
        canvas.fill((2, 1), (9, 9), INK);
        canvas.fill((7, 0), (9, 9), INK);
        canvas.text((0, 5), 3, "8");
        assert_eq!(inked(&canvas), [5]);
        assert_eq!(canvas.colours()[0], PAPER);
    }

    #[test]
    fn letters_stand_side_by_side_in_the_size_asked_for() {
        let mut small = Canvas::new((11, 9));
        small.text((0, 0), 1, "11");
        let mut large = Canvas::new((22, 18));
        large.text((0, 0), 2, "11");
        assert_eq!(inked(&large).len(), 4 * inked(&small).len());
        let one = inked(&small).iter().filter(|&place| place % 11 < 6).count();
        assert_eq!(inked(&small).len(), 2 * one);
        assert_eq!((text_width(1, "11"), text_width(2, "11"), text_width(2, "")), (11, 22, 0));
    }
}
