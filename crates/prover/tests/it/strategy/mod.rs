//! Walking a certificate: whatever Defender plays, the strategy has an answer, and it wins.

mod list;
mod parts;
mod player;
mod samples;
mod walk;
