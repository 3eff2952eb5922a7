//! What an example of a library writes.

use std::error::Error;
use std::io::Write;

/// Runs an example; returns the text that it writes.
pub fn output(run: impl FnOnce(&mut dyn Write) -> Result<(), Box<dyn Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).expect("the example runs");
    String::from_utf8(out).expect("the example writes text")
}
