//! Pictures that are files: drawings that are not boards, and SVG as pixels. Boards themselves are
//! drawn by `sixproof_game::picture`.
//!
//! # Draw
//!
//! ```
//! use sixproof_picture::svg::{Anchor, Svg};
//!
//! let mut svg = Svg::new(120, 40, "A title", "A description for readers who cannot see it");
//! svg.put(format_args!(r#"<path class="axis" d="M10 30h100"/>"#));
//! svg.text("ink", 12, (60.0, 20.0), Anchor::Middle, "1 < 2");
//! assert!(svg.finish().contains("1 &lt; 2"));
//! ```
//!
//! # Pixels
//!
//! The same text gives the same bytes on every machine: one font is part of the crate.
//!
//! ```
//! # #[cfg(feature = "raster")] {
//! use sixproof_picture::raster::{self, RasterSize};
//! use sixproof_picture::svg::Svg;
//!
//! let svg = Svg::new(40, 40, "Empty", "").finish();
//! let png = raster::png(&svg, RasterSize::Width(80))?;
//! assert!(png.starts_with(b"\x89PNG"));
//! // Frames of 100 ms, the last one of a second.
//! let gif = raster::gif(&[svg.clone(), svg], RasterSize::Scale(1.0), 100, 1_000)?;
//! assert!(gif.starts_with(b"GIF89a"));
//! # }
//! # Ok::<(), sixproof_picture::raster::RasterError>(())
//! ```
//!
//! # Features
//!
//! - `raster` (off by default): PNG and animated GIF; without it both functions return an error.
//!   Cost: 35 packages, resvg and gif among them. Without features the crate needs no package.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "raster")]
mod pixels;
pub mod raster;
pub mod svg;
