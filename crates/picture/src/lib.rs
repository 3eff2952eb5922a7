//! Pictures that are files: drawings that are not boards, and SVG as pixels. Boards themselves are
//! drawn by `sixproof_game::picture`.

pub mod raster;
pub mod svg;
