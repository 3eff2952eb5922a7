//! The trusted checker against the oracle: on tiny games every truth is known.

#[path = "oracle/world.rs"]
mod world;

#[path = "oracle/central.rs"]
mod central;
#[path = "oracle/complete.rs"]
mod complete;
#[path = "oracle/full_boards.rs"]
mod full_boards;
#[path = "oracle/python.rs"]
mod python;
#[path = "oracle/suite.rs"]
mod suite;
#[path = "oracle/unbounded.rs"]
mod unbounded;
