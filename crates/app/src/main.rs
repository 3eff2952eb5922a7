//! stub
#[cfg(test)]
mod raster;
fn main() {}
