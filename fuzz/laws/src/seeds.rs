//! The files to start from: those of the suite, read when they are needed, so that none is kept
//! twice.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Law;

/// The size of the largest file that is a seed: larger ones teach a fuzzer little and cost it much.
pub const BYTES_MAX: usize = 4 << 10;

/// A file of the suite.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Its path from `suite/`, with `/` between the parts.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The files of `suite` that a law starts from, by name.
pub fn read(suite: &Path, law: &Law) -> io::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    let mut folders = vec![(suite.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path: PathBuf = entry?.path();
            let file_name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{file_name}");
            if path.is_dir() {
                folders.push((path, name + "/"));
            } else if law.seeds.iter().any(|start| name.starts_with(start))
                && !name.ends_with(".md")
            {
                seeds.push(Seed { name, bytes: fs::read(&path)? });
            }
        }
    }
    seeds.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(seeds)
}
