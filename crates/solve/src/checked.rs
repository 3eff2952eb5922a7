//! Certificates in files: read, and checked.

use std::io::{self, BufReader};
use std::path::Path;

use sixproof_certificate::{Certified, Refused, certify_file, certify_pipe};
use sixproof_check::CheckWatch;

use crate::files;

/// Runs the checker on a file, plain or compressed, or on standard input.
pub fn certify_path(file: &Path, watch: &mut dyn CheckWatch) -> Result<Certified, Refused> {
    if file != Path::new("-") {
        return certify_file(|| files::open(file), watch);
    }
    match files::unpacked(BufReader::new(io::stdin())) {
        Ok(input) => certify_pipe(input, watch),
        Err(error) => certify_file(|| Err::<&[u8], _>(io::Error::other(error.to_string())), watch),
    }
}
