//! Jobs of a search, done by the prover.

use std::sync::Arc;

use super::labour::{Done, Hire, Labourer};

/// Whoever does the jobs of searches.
pub(crate) fn hire() -> Hire {
    Arc::new(|| Box::new(Untrained))
}

struct Untrained;

impl Labourer for Untrained {
    fn perform(
        &mut self,
        _body: &[u8],
        _watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> bool,
    ) -> Result<Option<Done>, String> {
        Err("this program does not know jobs of searches".to_string())
    }
}
