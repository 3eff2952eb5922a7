//! SVG to PNG and to animated GIF.
//!
//! The pixels do not depend on the machine: the program brings its one font along and sets every
//! text in it, whatever family the text asks for. Nothing is read from outside the given text.

mod text;

use std::collections::{BTreeMap, HashMap};

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::raster::{
    ANIMATION_PIXELS_MAX, FRAMES_MAX, PIXELS_MAX, RasterError, RasterSize, SIDE_MAX,
};

/// Viewers slow frames down that are shorter than this.
const FRAME_MS_MIN: u32 = 20;
/// The longest time that a GIF file can hold a frame.
const FRAME_MS_MAX: u32 = 655_350;
/// How many frames the colours of an animation are taken from.
const SAMPLES: usize = 12;
/// Colours of an animation; one more entry of the palette means "as before".
const COLORS_MAX: usize = 255;

/// The picture as a PNG file. The same text gives the same bytes.
pub fn png(svg: &str, size: RasterSize) -> Result<Vec<u8>, RasterError> {
    let pixmap = render(svg, size)?;
    pixmap.encode_png().map_err(|error| RasterError::Encoding(error.to_string()))
}

/// The pictures as an animated GIF file that repeats; each is shown for `frame_ms`, the last one
/// for `last_ms`. All must have the same size.
pub fn gif(
    frames: &[String],
    size: RasterSize,
    frame_ms: u32,
    last_ms: u32,
) -> Result<Vec<u8>, RasterError> {
    let count = frames.len();
    if count == 0 || FRAMES_MAX < count {
        return Err(RasterError::Frames { count });
    }
    let first = render(&frames[0], size)?;
    let (width, height) = (first.width(), first.height());
    if u64::from(width) * u64::from(height) * count as u64 > ANIMATION_PIXELS_MAX {
        return Err(RasterError::Frames { count });
    }
    let mut palette = Palette::of(&sampled_colors(frames, size)?);
    let encoding = |error: gif::EncodingError| RasterError::Encoding(error.to_string());
    let mut encoder = gif::Encoder::new(Vec::new(), width as u16, height as u16, &palette.bytes())
        .map_err(encoding)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(encoding)?;
    let mut shown: Vec<u8> = Vec::new();
    for (index, svg) in frames.iter().enumerate() {
        let pixmap = render(svg, size)?;
        if (pixmap.width(), pixmap.height()) != (width, height) {
            return Err(RasterError::FrameSize { index });
        }
        let pixels = palette.entries(&opaque_colors(&pixmap));
        let mut frame = changes(&shown, &pixels, width as usize, palette.unchanged());
        let time_ms = if index + 1 == count { last_ms } else { frame_ms };
        frame.delay = (time_ms.clamp(FRAME_MS_MIN, FRAME_MS_MAX) / 10) as u16;
        encoder.write_frame(&frame).map_err(encoding)?;
        shown = pixels;
    }
    encoder.into_inner().map_err(encoding)
}

/// The pixels of a picture.
fn render(svg: &str, size: RasterSize) -> Result<Pixmap, RasterError> {
    let options = Options {
        // Our pictures refer to no files, and other pictures must not read the disk.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(&text::to_paths(svg)?, &options)
        .map_err(|error| RasterError::Svg(error.to_string()))?;
    let scale = match size {
        RasterSize::Scale(scale) => scale,
        RasterSize::Width(width) => width as f32 / tree.size().width(),
    };
    // The conversion saturates: what is no number has no pixels, what is huge is too many.
    let side = |length: f32| (length * scale).round() as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let impossible = || RasterError::Size { width, height };
    if width.max(height) > SIDE_MAX || u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(impossible());
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(impossible)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// A colour as 0xRRGGBB.
type Rgb = u32;

/// The colours of a picture on white paper, row by row.
fn opaque_colors(pixmap: &Pixmap) -> Vec<Rgb> {
    let opaque = |pixel: &PremultipliedColorU8| {
        // The channels are premultiplied: what is missing to 255 is the paper.
        let paper = 255 - u32::from(pixel.alpha());
        let [r, g, b] = [pixel.red(), pixel.green(), pixel.blue()].map(|c| u32::from(c) + paper);
        r << 16 | g << 8 | b
    };
    pixmap.pixels().iter().map(opaque).collect()
}

/// Pixels side by side of one colour: a board is mostly plain, and a run is handled once.
fn runs(colors: &[Rgb]) -> impl Iterator<Item = &[Rgb]> {
    colors.chunk_by(|one, next| one == next)
}

/// How often which colour occurs, in some frames from the first to the last.
fn sampled_colors(frames: &[String], size: RasterSize) -> Result<BTreeMap<Rgb, u64>, RasterError> {
    // Counted in a hash table, which is fast, and listed in order, which is deterministic.
    let mut colors = HashMap::new();
    let samples = frames.len().min(SAMPLES);
    for i in 0..samples {
        let index = if samples == 1 { 0 } else { i * (frames.len() - 1) / (samples - 1) };
        for run in runs(&opaque_colors(&render(&frames[index], size)?)) {
            *colors.entry(run[0]).or_insert(0) += run.len() as u64;
        }
    }
    Ok(colors.into_iter().collect())
}

/// The part of a frame that differs from what is shown, with the pixels that do not left as
/// they are: most of a board stays the same from move to move.
fn changes(shown: &[u8], pixels: &[u8], width: usize, unchanged: u8) -> gif::Frame<'static> {
    let differs = |i: usize| shown.get(i) != Some(&pixels[i]);
    let changed: Vec<usize> = (0..pixels.len()).filter(|&i| differs(i)).collect();
    let (left, right) =
        (changed.iter().map(|i| i % width).min(), changed.iter().map(|i| i % width).max());
    let (top, bottom) = (changed.first().map(|i| i / width), changed.last().map(|i| i / width));
    let [left, right, top, bottom] = [left, right, top, bottom].map(Option::unwrap_or_default);
    let buffer: Vec<u8> = (top..=bottom)
        .flat_map(|y| (left..=right).map(move |x| y * width + x))
        .map(|i| if differs(i) { pixels[i] } else { unchanged })
        .collect();
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        dispose: gif::DisposalMethod::Keep,
        transparent: Some(unchanged),
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}

/// The colours of an animation.
struct Palette {
    colors: Vec<Rgb>,
    /// Answers of [`Palette::nearest`]: a picture asks for few colours many times.
    known: HashMap<Rgb, u8>,
}

impl Palette {
    /// At most [`COLORS_MAX`] colours that stand for the given ones: those themselves if they are
    /// few, else the averages of boxes made by median cut (Heckbert 1982).
    fn of(counts: &BTreeMap<Rgb, u64>) -> Palette {
        let mut boxes: Vec<Vec<(Rgb, u64)>> = vec![counts.iter().map(|(&c, &n)| (c, n)).collect()];
        while boxes.len() < COLORS_MAX {
            let widest = (0..boxes.len())
                .map(|i| (widest_channel(&boxes[i]), i))
                .max_by_key(|&((spread, _), i)| (spread, std::cmp::Reverse(i)));
            let Some(((spread, channel), index)) = widest else { break };
            if spread == 0 {
                break;
            }
            let mut colors = boxes.swap_remove(index);
            colors.sort_unstable_by_key(|&(color, _)| (channel_of(color, channel), color));
            let half = median(&colors);
            boxes.push(colors.split_off(half));
            boxes.push(colors);
        }
        let mut colors: Vec<Rgb> = boxes.iter().map(|colors| average(colors)).collect();
        colors.sort_unstable();
        Palette { colors, known: HashMap::new() }
    }

    fn bytes(&self) -> Vec<u8> {
        let unused = [0, 0, 0];
        let colors = self.colors.iter().map(|c| [(c >> 16) as u8, (c >> 8) as u8, *c as u8]);
        colors.chain([unused]).flatten().collect()
    }

    /// The entry for pixels that stay as they are.
    fn unchanged(&self) -> u8 {
        self.colors.len() as u8
    }

    /// The entries of all pixels.
    fn entries(&mut self, colors: &[Rgb]) -> Vec<u8> {
        let mut entries = Vec::with_capacity(colors.len());
        for run in runs(colors) {
            let entry = self.nearest(run[0]);
            entries.resize(entries.len() + run.len(), entry);
        }
        entries
    }

    fn nearest(&mut self, color: Rgb) -> u8 {
        *self.known.entry(color).or_insert_with(|| {
            let distance = |other: Rgb| -> u32 {
                (0..3).map(|i| channel_of(color, i).abs_diff(channel_of(other, i)).pow(2)).sum()
            };
            let indices = 0..self.colors.len();
            indices.min_by_key(|&i| distance(self.colors[i])).unwrap_or(0) as u8
        })
    }
}

fn channel_of(color: Rgb, channel: u32) -> u32 {
    color >> (8 * channel) & 0xff
}

/// The channel in which colours differ most, after by how much. Rare differences count less.
fn widest_channel(colors: &[(Rgb, u64)]) -> (u64, u32) {
    let weight = u64::from(colors.iter().map(|c| c.1).sum::<u64>().max(1).ilog2()) + 1;
    let spread = |channel| {
        let values = || colors.iter().map(|&(color, _)| channel_of(color, channel));
        u64::from(values().max().unwrap_or(0) - values().min().unwrap_or(0)) * weight
    };
    (0..3).map(|channel| (spread(channel), channel)).max().unwrap_or((0, 0))
}

/// Where to cut a sorted list of at least two colours so that both parts have about as many pixels.
fn median(colors: &[(Rgb, u64)]) -> usize {
    let half: u64 = colors.iter().map(|c| c.1).sum::<u64>() / 2;
    let mut sum = 0;
    let cut = colors.iter().position(|&(_, count)| {
        sum += count;
        sum > half
    });
    cut.unwrap_or(0).clamp(1, colors.len() - 1)
}

fn average(colors: &[(Rgb, u64)]) -> Rgb {
    let pixels = colors.iter().map(|c| c.1).sum::<u64>().max(1);
    let mean = |channel: u32| {
        let sum: u64 = colors.iter().map(|&(c, n)| u64::from(channel_of(c, channel)) * n).sum();
        ((sum + pixels / 2) / pixels) as Rgb
    };
    mean(2) << 16 | mean(1) << 8 | mean(0)
}

#[cfg(test)]
mod tests {
    use sixproof_game::picture::Picture;
    use sixproof_game::{Game, Position};

    use super::*;

    /// The pictures of the suite that other tests keep as text.
    fn kept(name: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/pictures");
        std::fs::read_to_string(format!("{folder}/{name}.svg")).unwrap()
    }

    /// A frame of 40 x 30 with a square that moves.
    fn frame(step: usize) -> String {
        let x = 4 * step;
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#eac88e"/><rect x="{x}" y="8" width="6" height="6" fill="#07c"/><text x="5" y="28" font-size="9">{step}</text></svg>"##
        )
    }

    fn decoded(file: &[u8]) -> Vec<gif::Frame<'static>> {
        let mut decoder = gif::DecodeOptions::new();
        decoder.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = decoder.read_info(file).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.clone());
        }
        frames
    }

    #[test]
    fn png_has_the_asked_size_and_the_same_bytes_again() {
        let svg = kept("signs-wood");
        let first = png(&svg, RasterSize::Width(500)).unwrap();
        assert_eq!(first, png(&svg, RasterSize::Width(500)).unwrap());
        assert_eq!(Pixmap::decode_png(&first).unwrap().width(), 500);

        let tiny = png(&frame(1), RasterSize::Scale(2.0)).unwrap();
        let pixmap = Pixmap::decode_png(&tiny).unwrap();
        assert_eq!((pixmap.width(), pixmap.height()), (80, 60));
    }

    /// Set `SIXPROOF_PICTURES` to a folder to look at the pictures of the suite.
    #[test]
    fn every_kept_picture_becomes_a_png() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/pictures");
        // Small pictures show as much, and large ones only matter to a reader who looks at them.
        let wanted = std::env::var_os("SIXPROOF_PICTURES");
        let scale = RasterSize::Scale(if wanted.is_some() { 1.5 } else { 0.5 });
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let Some(name) = name.strip_suffix(".svg") else { continue };
            let file = png(&kept(name), scale).unwrap();
            assert!(Pixmap::decode_png(&file).unwrap().pixels().len() > 100, "{name}");
            if let Some(folder) = &wanted {
                let path = std::path::Path::new(&folder).join(name).with_extension("png");
                std::fs::write(path, file).unwrap();
            }
            count += 1;
        }
        assert!(count >= 20);
    }

    #[test]
    fn text_is_set_in_the_one_font_whatever_it_asks_for() {
        let page = |attributes: &str| {
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text x="5" y="20" font-size="16" {attributes}>J10 αβ</text></svg>"#
            )
        };
        let plain = png(&page(""), RasterSize::Scale(1.0)).unwrap();
        let pixels = Pixmap::decode_png(&plain).unwrap();
        assert!(pixels.pixels().iter().filter(|p| p.alpha() > 0).count() > 100);
        let wanted = r#"font-family="Courier New, serif" font-weight="700""#;
        assert_eq!(plain, png(&page(wanted), RasterSize::Scale(1.0)).unwrap());
    }

    #[test]
    fn gif_has_all_frames_and_holds_the_last() {
        let frames: Vec<String> = (0..5).map(frame).collect();
        let file = gif(&frames, RasterSize::Scale(2.0), 500, 3000).unwrap();
        assert_eq!(file, gif(&frames, RasterSize::Scale(2.0), 500, 3000).unwrap());
        let decoded = decoded(&file);
        let delays: Vec<u16> = decoded.iter().map(|f| f.delay).collect();
        assert_eq!(delays, [50, 50, 50, 50, 300]);
        assert_eq!((decoded[0].width, decoded[0].height), (80, 60));
        assert!(decoded[1].width < 40, "only what changes is written");
    }

    #[test]
    fn gif_frames_add_up_to_the_pictures() {
        let frames: Vec<String> = [0, 1, 1, 7].map(frame).to_vec();
        let size = RasterSize::Scale(1.0);
        let file = gif(&frames, size, 100, 100).unwrap();
        let mut screen = vec![0; 40 * 30];
        for (svg, part) in frames.iter().zip(decoded(&file)) {
            for (i, pixel) in part.buffer.chunks(4).enumerate().filter(|(_, p)| p[3] > 0) {
                let (x, y) = (i % part.width as usize, i / part.width as usize);
                let at = (y + part.top as usize) * 40 + x + part.left as usize;
                screen[at] = u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
            }
            let wanted = opaque_colors(&render(svg, size).unwrap());
            assert!(screen == wanted, "few colours are kept exactly");
        }
    }

    #[test]
    fn a_game_becomes_a_small_gif() {
        let game = Game::CONNECT6;
        let names = "J10 K11 I9 K9 L10 I11 H10 J12 L12 K13 M9 K8 K10 M11 N8 O7 G9";
        let mut position = Position::new(game);
        let mut frames = Vec::new();
        for name in names.split(' ') {
            let square = game.parse_square(name).unwrap();
            position.place(square).unwrap();
            frames.push(Picture::new(&position).last_move([square]).svg());
        }
        let file = gif(&frames, RasterSize::Width(480), 600, 3000).unwrap();
        assert_eq!(decoded(&file).len(), frames.len());
        assert!(file.len() < 60_000, "{} bytes", file.len());
        if let Some(folder) = std::env::var_os("SIXPROOF_PICTURES") {
            std::fs::write(std::path::Path::new(&folder).join("game.gif"), file).unwrap();
        }
    }

    #[test]
    fn many_colors_are_reduced_to_near_ones() {
        let counts: BTreeMap<Rgb, u64> =
            (0..4096).map(|i| ((i & 0xf00) << 12 | (i & 0xf0) << 8 | (i & 0xf) << 4, 1)).collect();
        let mut palette = Palette::of(&counts);
        assert_eq!(palette.colors.len(), COLORS_MAX);
        for &color in counts.keys() {
            let index = palette.nearest(color);
            let near = palette.colors[index as usize];
            assert!((0..3).all(|c| channel_of(color, c).abs_diff(channel_of(near, c)) <= 48));
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let scale = RasterSize::Scale(1.0);
        assert!(matches!(png("<svg", scale), Err(RasterError::Svg(_))));
        assert!(matches!(png("", scale), Err(RasterError::Svg(_))));
        let sizes = [
            RasterSize::Width(0),
            RasterSize::Width(SIDE_MAX + 1),
            RasterSize::Scale(1e9),
            RasterSize::Scale(0.0),
            RasterSize::Scale(-1.0),
            RasterSize::Scale(f32::NAN),
            RasterSize::Scale(f32::INFINITY),
        ];
        for size in sizes {
            assert!(matches!(png(&frame(0), size), Err(RasterError::Size { .. })), "{size:?}");
        }
        assert_eq!(gif(&[], scale, 1, 1), Err(RasterError::Frames { count: 0 }));
        let many = vec![frame(0); FRAMES_MAX + 1];
        assert_eq!(gif(&many, scale, 1, 1), Err(RasterError::Frames { count: FRAMES_MAX + 1 }));
        let uneven = [frame(0), kept("empty-1x1")];
        assert_eq!(gif(&uneven, scale, 1, 1), Err(RasterError::FrameSize { index: 1 }));
        let reading = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd" width="9" height="9"/></svg>"#;
        let file = png(reading, scale).unwrap();
        assert!(Pixmap::decode_png(&file).unwrap().pixels().iter().all(|p| p.alpha() == 0));
    }
}
