//! SVG to PNG and to animated GIF: sizes and errors. `pixels` does the work, with the feature
//! `raster`.

use std::fmt;

#[cfg(feature = "raster")]
pub use crate::pixels::{gif, png};

/// The most pixels of a side of a picture.
pub const SIDE_MAX: u32 = 10_000;
/// The most pixels of a picture.
pub const PIXELS_MAX: u64 = 50_000_000;
/// The most frames of an animation.
pub const FRAMES_MAX: usize = 2_000;
/// The most pixels of an animation, all frames together.
pub const ANIMATION_PIXELS_MAX: u64 = 4_000_000_000;
/// How large a picture becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RasterSize {
    /// Pixels for a unit of the SVG; 2 is good for screens.
    Scale(f32),
    /// The width in pixels.
    Width(u32),
}

/// Pixels for a unit of the SVG when no width is asked for.
const SCALE_USUAL: f32 = 2.0;

impl RasterSize {
    /// As wide as was asked for, or as large as pictures usually are.
    pub fn of(width: Option<u32>) -> RasterSize {
        width.map_or(RasterSize::Scale(SCALE_USUAL), RasterSize::Width)
    }
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RasterError {
    /// The text is not an SVG picture.
    Svg(String),
    /// The picture has a text that cannot be drawn.
    Text(String),
    /// The picture has no pixels, or more than [`SIDE_MAX`] or [`PIXELS_MAX`] allow.
    Size {
        /// Pixels wide.
        width: u32,
        /// Pixels high.
        height: u32,
    },
    /// An animation without frames, with more than [`FRAMES_MAX`], or with more than
    /// [`ANIMATION_PIXELS_MAX`] pixels.
    Frames {
        /// How many there are.
        count: usize,
    },
    /// A frame has another size than the first one.
    FrameSize {
        /// Its number, from 0.
        index: usize,
    },
    /// The pixels could not be written.
    Encoding(String),
    /// The program was built without the feature `raster`.
    Absent,
}

impl fmt::Display for RasterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RasterError::Svg(reason) => write!(f, "not an SVG picture: {reason}"),
            RasterError::Text(reason) => write!(f, "cannot draw the text of the picture: {reason}"),
            RasterError::Size { width, height } => write!(
                f,
                "a picture of {width} x {height} pixels is not possible; \
                 a side has 1 to {SIDE_MAX}, the whole at most {PIXELS_MAX}"
            ),
            RasterError::Frames { count } => write!(
                f,
                "an animation of {count} frames is not possible; it has 1 to {FRAMES_MAX} frames \
                 and at most {ANIMATION_PIXELS_MAX} pixels: choose fewer frames or a smaller width"
            ),
            RasterError::FrameSize { index } => write!(
                f,
                "frame {index} has another size than the first; \
                 show the same part of the board in every frame"
            ),
            RasterError::Encoding(reason) => write!(f, "cannot write the picture: {reason}"),
            RasterError::Absent => f.write_str(
                "this program was built without PNG and GIF (feature `raster`); write SVG instead",
            ),
        }
    }
}

impl std::error::Error for RasterError {}

/// PNG is not part of this program.
#[cfg(not(feature = "raster"))]
pub fn png(_svg: &str, _size: RasterSize) -> Result<Vec<u8>, RasterError> {
    Err(RasterError::Absent)
}

/// GIF is not part of this program.
#[cfg(not(feature = "raster"))]
pub fn gif(
    _frames: &[String],
    _size: RasterSize,
    _frame_ms: u32,
    _last_ms: u32,
) -> Result<Vec<u8>, RasterError> {
    Err(RasterError::Absent)
}
