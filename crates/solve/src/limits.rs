//! What a search may use.

use std::time::Duration;

use serde_json::{Value, json};

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The highest order tried.
    pub order: u32,
    /// Nodes searched at most.
    pub nodes: u64,
    /// Time spent at most.
    pub time: Option<Duration>,
}

impl Limits {
    /// For programs.
    pub fn json(self) -> Value {
        let seconds = self.time.map(|time| time.as_secs());
        json!({ "order": self.order, "nodes": self.nodes, "seconds": seconds })
    }
}
