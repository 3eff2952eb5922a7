//! Pictures that are files: drawings that are not boards, and SVG as pixels. Boards themselves are
//! drawn by `sixproof_game::picture`.

#[cfg(feature = "raster")]
mod pixels;
pub mod raster;
pub mod svg;
