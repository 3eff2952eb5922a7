//! `sixproof serve`: the editor, a local web server with everything in it.

pub(crate) mod jobs;
