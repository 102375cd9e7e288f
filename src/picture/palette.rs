//! Colours from values: 0 is white, and 1, 2, .. go from a light yellow-green over blue-green to a dark
//! violet, each darker than the one before.
//!
//! The way is straight in `OKLCh` (Björn Ottosson, 2020), in which equal distances look equal. A value lies
//! on it by its square root, because small values are by far the most frequent: in equal steps, nine tenths of
//! `chess-20` would share a fifth of the way. Lightness alone tells the values apart, so the picture holds for people
//! who see fewer colours, and without colour; the gap between white and the first step makes zeros stand out.

/// Red, green and blue as in a file (sRGB).
pub(super) type Colour = [u8; 3];

const ZERO: Colour = [255; 3];

/// Lightness, chroma and hue in degrees of the value 1 and of the largest value.
const FIRST: [f64; 3] = [0.84, 0.14, 115.0];
const LAST: [f64; 3] = [0.24, 0.13, 305.0];

/// White in linear light: 16 bits, so that every colour of 8 bits survives the way there and back.
const FULL: f64 = 65535.0;

/// One colour for each value from 0 to the largest.
pub(super) struct Palette {
    colours: Vec<Colour>,
    /// The same in linear light, red, green and blue from 0 to [`FULL`].
    light: Vec<[u64; 3]>,
}

impl Palette {
    /// The colours of the values from 0 to `most`.
    pub(super) fn new(most: u8) -> Self {
        let steps = f64::from(most.saturating_sub(1).max(1));
        let step = |value: u8| at((f64::from(value - 1) / steps).sqrt());
        let colours: Vec<Colour> = std::iter::once(ZERO).chain((1..=most).map(step)).collect();
        let light = colours.iter().map(|colour| colour.map(|part| light(part) as u64)).collect();
        Self { colours, light }
    }

    /// The colour of each value, in order.
    pub(super) fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// The colour that `values` (some, each in the palette) have together, seen from afar: the mean of
    /// their light. What a screen is told is not proportional to light, so a mean of that would be too dark.
    pub(super) fn mix(&self, values: &[u8]) -> Colour {
        if let [value] = values {
            return self.colours[usize::from(*value)];
        }
        let mut sum = [0; 3];
        for &value in values {
            let light = &self.light[usize::from(value)];
            for part in 0..3 {
                sum[part] += light[part];
            }
        }
        sum.map(|sum| screen(sum as f64 / values.len() as f64 / FULL))
    }
}

/// The colour at a `share` of the way from the first to the last.
fn at(share: f64) -> Colour {
    let [lightness, mut chroma, hue] = [0, 1, 2].map(|n| FIRST[n] + (LAST[n] - FIRST[n]) * share);
    // Not every colour that can be named can be shown: a paler one of the same lightness can.
    loop {
        let parts = linear(lightness, chroma, hue.to_radians());
        if parts.iter().all(|part| (0.0..=1.0).contains(part)) {
            return parts.map(screen);
        }
        chroma *= 0.98;
    }
}

/// From `OKLCh` (the hue in radians) to linear light. The numbers are those of its author.
fn linear(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (b, a) = hue.sin_cos();
    let (a, b) = (chroma * a, chroma * b);
    let cone = |of_a: f64, of_b: f64| (lightness + of_a * a + of_b * b).powi(3);
    let long = cone(0.396_337_777_4, 0.215_803_757_3);
    let middle = cone(-0.105_561_345_8, -0.063_854_172_8);
    let short = cone(-0.089_484_177_5, -1.291_485_548_0);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701_0 * short,
    ]
}

/// Linear light, 0 to 1, as a part of a colour of sRGB.
fn screen(light: f64) -> u8 {
    let part =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (part * 255.0).round() as u8
}

/// The linear light of a part of a colour of sRGB, 0 to [`FULL`].
fn light(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    let light = if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    (light * FULL).round()
}

#[cfg(test)]
mod tests {
    use super::{Colour, FULL, Palette, light};

    /// The luminance of a colour, 0 to 1, which is monotone in lightness.
    fn luminance(colour: Colour) -> f64 {
        let [red, green, blue] = colour.map(|part| light(part) / FULL);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn every_value_is_darker_than_the_one_before_and_zero_stands_out() {
        for most in 0..=64 {
            let palette = Palette::new(most);
            let lights: Vec<f64> = palette.colours().iter().map(|&c| luminance(c)).collect();
            assert_eq!(lights.len(), usize::from(most) + 1);
            assert!(lights.is_sorted_by(|a, b| a > b), "most {most}: {lights:?}");
            assert!((lights[0] - 1.0).abs() < 1e-9 && lights.iter().skip(1).all(|&l| l < 0.7));
        }
    }

    #[test]
    fn the_largest_value_has_the_same_colour_in_every_palette() {
        let last = |most| *Palette::new(most).colours().last().expect("a colour");
        assert_eq!(last(19), last(255));
        assert_ne!(last(1), last(2), "a single value is the first step");
        assert_eq!(Palette::new(255).colours().len(), 256);
    }

    #[test]
    fn a_mix_is_the_mean_of_light_and_of_equals_their_colour() {
        let palette = Palette::new(255);
        for value in 0..=255 {
            assert_eq!(palette.mix(&[value; 4]), palette.mix(&[value]), "value {value}");
        }
        let lights = |values: &[u8]| palette.mix(values).map(light);
        let (white, dark, mixed) = (lights(&[0]), lights(&[255]), lights(&[0, 255, 255, 0]));
        for part in 0..3 {
            let mean = f64::midpoint(white[part], dark[part]);
            assert!((mixed[part] - mean).abs() < 0.01 * FULL, "part {part}");
        }
    }
}
