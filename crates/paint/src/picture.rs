//! A small copy of an image, painted in half blocks: two pixels a cell, in every terminal that has
//! colours, over ssh and inside of tmux, too.

use std::io::Cursor;
use std::sync::Arc;

use image::imageops::thumbnail;
use image::{ImageReader, Limits, RgbaImage};
use ratatui_core::style::{Color, Style};
use ratatui_core::text::{Line, Span};

use crate::canvas::Canvas;
use crate::theme::{Depth, Mode};

/// The most columns of a picture.
const MAX_COLUMNS: u32 = 64;
/// The most rows of a picture.
const MAX_ROWS: u32 = 16;
/// The longest side of an image that is decoded, in pixels.
const MAX_SIDE: u32 = 16_384;
/// The most memory that decoding an image takes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// The upper half of a cell.
const HALF: &str = "▀";

/// A small copy of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pixels: Arc<RgbaImage>,
}

impl Picture {
    /// Decodes an image: PNG, JPEG, GIF (its first frame) or WebP. Blocks.
    ///
    /// # Errors
    /// Why it cannot be decoded.
    ///
    /// # Limits
    /// 16,384 pixels a side and 256 MiB of memory.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .map_err(|error| error.to_string())?;
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_BYTES);
        reader.limits(limits);
        let image = reader.decode().map_err(|error| error.to_string())?;
        let (width, height) = fit(image.width(), image.height(), MAX_COLUMNS, MAX_ROWS);
        let image = if (width, height) == (image.width(), image.height()) {
            image.into_rgba8()
        } else {
            image.thumbnail_exact(width, height).into_rgba8()
        };
        Ok(Self {
            pixels: Arc::new(image),
        })
    }

    /// The lines at a width; none where the terminal cannot show it.
    pub(crate) fn lines(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let has_colours = matches!(canvas.theme.depth, Depth::Rgb | Depth::Indexed);
        if !has_colours || !canvas.symbols().is_unicode {
            return Vec::new();
        }
        let columns = u32::try_from(width).unwrap_or(MAX_COLUMNS).max(1);
        let (full_width, full_height) = self.pixels.dimensions();
        let scaled;
        let pixels: &RgbaImage = if full_width > columns {
            let (width, height) = fit(full_width, full_height, columns, MAX_ROWS);
            scaled = thumbnail(&*self.pixels, width, height);
            &scaled
        } else {
            &self.pixels
        };
        let color = |x: u32, y: u32| -> Option<Color> {
            let pixel = pixels.get_pixel_checked(x, y)?.0;
            canvas.theme.show(over(pixel, canvas.theme.mode))
        };
        let row = |y: u32| {
            let cell = |x: u32| {
                let mut style = Style::new();
                style.fg = color(x, y);
                style.bg = color(x, y + 1);
                Span::styled(HALF, style)
            };
            Line::from((0..pixels.width()).map(cell).collect::<Vec<_>>())
        };
        (0..pixels.height()).step_by(2).map(row).collect()
    }
}

/// Width and height in pixels that fit into so many columns and rows, of two pixels each; never
/// larger than the image.
fn fit(width: u32, height: u32, columns: u32, rows: u32) -> (u32, u32) {
    let (width, height) = (width.max(1), height.max(1));
    let scale = |by: u32, of: u32, to: u32| {
        let scaled = u64::from(of) * u64::from(to) / u64::from(by);
        u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
    };
    let (columns, pixel_rows) = (columns.min(width), (rows * 2).min(height));
    let by_width = (columns, scale(width, height, columns));
    if by_width.1 <= rows * 2 {
        return by_width;
    }
    (scale(height, width, pixel_rows).min(columns), pixel_rows)
}

/// The colour of a pixel over the background.
fn over([r, g, b, alpha]: [u8; 4], mode: Mode) -> Color {
    let ground = match mode {
        Mode::Dark => 0,
        Mode::Light => 255,
    };
    let mix = |part: u8| {
        let (part, ground, alpha) = (u32::from(part), ground, u32::from(alpha));
        let mixed = (part * alpha + ground * (255 - alpha)) / 255;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    Color::Rgb(mix(r), mix(g), mix(b))
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgba};

    use super::*;
    use crate::theme::Theme;

    fn png(width: u32, height: u32, of: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        let image = RgbaImage::from_fn(width, height, |x, y| Rgba(of(x, y)));
        let mut bytes = Vec::new();
        image
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .unwrap();
        bytes
    }

    #[test]
    fn two_pixels_are_a_cell() {
        let colours = [[255, 0, 0, 255], [0, 0, 255, 255], [9, 9, 9, 0]];
        let bytes = png(2, 3, |_, y| colours[y as usize]);
        let picture = Picture::decode(&bytes).unwrap();
        let lines = picture.lines(&Canvas::new(Theme::dark()), 80);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].to_string(), "▀▀");
        let style = |line: usize| lines[line].spans[0].style;
        assert_eq!(style(0).fg, Some(Color::Rgb(255, 0, 0)));
        assert_eq!(style(0).bg, Some(Color::Rgb(0, 0, 255)));
        // See-through, and nothing below it.
        assert_eq!(
            (style(1).fg, style(1).bg),
            (Some(Color::Rgb(0, 0, 0)), None)
        );
    }

    #[test]
    fn it_fits_the_width_and_keeps_its_shape() {
        let check = |size: (u32, u32), width: usize, expect: (usize, usize)| {
            let bytes = png(size.0, size.1, |x, _| [x as u8, 0, 0, 255]);
            let picture = Picture::decode(&bytes).unwrap();
            let lines = picture.lines(&Canvas::new(Theme::dark()), width);
            let cells = lines.first().map_or(0, Line::width);
            assert_eq!((cells, lines.len()), expect, "{size:?} at {width}");
        };
        check((1, 1), 80, (1, 1));
        check((640, 320), 80, (64, 16));
        check((640, 320), 20, (20, 5));
        check((100, 1000), 80, (3, 16));
        check((1000, 10), 80, (64, 1));
        check((200, 200), 1, (1, 1));
    }

    #[test]
    fn where_there_are_no_colours_there_is_no_picture() {
        let picture = Picture::decode(&png(4, 4, |_, _| [1; 4])).unwrap();
        let none = Theme::dark().at_depth(Depth::None);
        assert!(picture.lines(&Canvas::new(none), 80).is_empty());
        let ascii = Theme::dark().in_ascii();
        assert!(picture.lines(&Canvas::new(ascii), 80).is_empty());
    }

    #[test]
    fn what_is_no_image_or_too_large_is_refused() {
        assert!(Picture::decode(b"GIF89a but no").is_err());
        assert!(Picture::decode(b"").is_err());
        // A header that claims more than anybody has memory for.
        let mut bytes = png(1, 1, |_, _| [0; 4]);
        bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        assert!(Picture::decode(&bytes).is_err());
    }
}
