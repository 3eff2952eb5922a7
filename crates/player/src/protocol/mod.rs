//! The protocols in which programs play each other.

pub mod squares;
