//! The file: PNG, with a palette where the colours are few.

use std::collections::BTreeMap;
use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use super::Picture;
use super::palette::Colour;

impl Picture {
    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write_png(&self, to: impl Write) -> io::Result<()> {
        let (width, height) = self.0.size();
        let colours = self.0.colours();
        let mut encoder = Encoder::new(to, width as u32, height as u32);
        encoder.set_compression(Compression::High);
        encoder.set_depth(BitDepth::Eight);
        let bytes = if let Some(indexed) = Indexed::of(colours) {
            encoder.set_color(ColorType::Indexed);
            encoder.set_palette(indexed.palette);
            // Neighbouring numbers of a palette are no neighbouring colours: differences would say nothing.
            encoder.set_filter(Filter::NoFilter);
            indexed.bytes
        } else {
            encoder.set_color(ColorType::Rgb);
            encoder.set_filter(Filter::Adaptive);
            colours.concat()
        };
        let write = || {
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&bytes)?;
            writer.finish()
        };
        write().map_err(|error: EncodingError| match error {
            EncodingError::IoError(error) => error,
            other => io::Error::other(other),
        })
    }
}

/// Pixels as numbers of colours.
struct Indexed {
    palette: Vec<u8>,
    bytes: Vec<u8>,
}

impl Indexed {
    /// `None` where a byte cannot tell the colours apart.
    fn of(colours: &[Colour]) -> Option<Self> {
        let mut numbers = BTreeMap::new();
        let mut palette = Vec::new();
        let mut bytes = Vec::with_capacity(colours.len());
        let mut last = None;
        for &colour in colours {
            let number = match last {
                Some((same, number)) if same == colour => number,
                _ => *numbers.entry(colour).or_insert_with(|| {
                    palette.extend(colour);
                    palette.len() / 3 - 1
                }),
            };
            bytes.push(u8::try_from(number).ok()?);
            last = Some((colour, number));
        }
        Some(Self { palette, bytes })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use crate::picture::Picture;
    use crate::picture::canvas::Canvas;

    fn read(file: &[u8]) -> (png::OutputInfo, Vec<u8>) {
        let mut decoder = png::Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        (info, pixels)
    }

    #[test]
    fn few_and_many_colours_read_back() {
        for colours in [2_usize, 256, 257, 2000] {
            let mut canvas = Canvas::new((100, 40));
            for n in 0..colours {
                let colour = [n as u8, (n >> 8) as u8, 7];
                canvas.fill((n % 100, n / 100), (1, 1), colour);
            }
            let mut file = Vec::new();
            Picture(canvas.clone()).write_png(&mut file).expect("written");
            let (info, pixels) = read(&file);
            assert_eq!((info.width, info.height), (100, 40));
            assert_eq!(pixels, canvas.colours().concat(), "{colours} colours");
        }
    }
}
