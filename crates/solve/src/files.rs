//! Files in and out, with errors that name them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use sixproof_store::packing::{self, Unpacked};

use crate::failure::{Failure, Result};

/// The longest input that is read whole: games, diagrams, libraries. Certificates are streamed.
const INPUT_BYTES_MAX: u64 = 256 << 20;
/// The level of compression: certificates are written once, and kept.
const ZSTD_LEVEL: i32 = 15;

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_string();
    }
    if path == Path::new(DEMO) {
        return "the demo".to_string();
    }
    path.display().to_string()
}

/// Reads a file, or standard input for `-`, whole.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let input =
        if path == Path::new("-") { unpacked(BufReader::new(io::stdin())) } else { open(path) };
    let read = input.and_then(|input| input.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes));
    let name = name(path);
    read.map_err(|e| Failure::io(&name, &e))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(Failure::new(format!("{name}: longer than {} MiB", INPUT_BYTES_MAX >> 20)));
    }
    Ok(bytes)
}

/// The name under which [`open`] finds the certificate that is part of the program. No file can
/// have it: names do not hold NUL.
pub const DEMO: &str = "demo\0";
const DEMO_CERTIFICATE: &[u8] = include_bytes!("../data/demo.cert");

/// The certificate that is part of the program.
pub fn demo() -> &'static [u8] {
    DEMO_CERTIFICATE
}

/// Opens a file, plain or compressed with zstd.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new(DEMO) {
        return Ok(Box::new(DEMO_CERTIFICATE));
    }
    if fs::metadata(path)?.is_dir() {
        return Err(folder());
    }
    unpacked(BufReader::new(File::open(path)?))
}

/// What is wrong with a folder where a file is wanted.
fn folder() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "is a folder")
}

/// Unpacks zstd when the input is compressed, as its first bytes tell, within the limits of
/// [`packing`].
pub fn unpacked<R: BufRead + 'static>(mut input: R) -> io::Result<Box<dyn BufRead>> {
    if packing::is_packed(input.fill_buf()?) {
        return Ok(Box::new(BufReader::new(Unpacked::new(input, u64::MAX)?)));
    }
    Ok(Box::new(input))
}

/// Checks that a file can be written, before a search of hours.
pub fn ensure_writable(path: &Path) -> Result<()> {
    let name = path.display();
    let Some(file_name) = path.file_name() else {
        return Err(Failure::new(format!("{name}: not the name of a file")));
    };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return Err(Failure::io(name, &folder()));
        }
        Ok(found) if !found.is_file() => return Ok(()),
        _ => {}
    }
    let mut probe = file_name.to_os_string();
    probe.push(".probe");
    let probe = path.with_file_name(probe);
    match File::options().write(true).create_new(true).open(&probe) {
        Ok(_) => {
            // A probe that cannot be removed is an empty file, and no error.
            let _removed = fs::remove_file(&probe);
            Ok(())
        }
        // Another process probes the same place at this moment.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Failure::io(name, &error)),
    }
}

/// Writes a certificate: compressed, if its name ends in `.zst`. Returns how many bytes.
pub fn write_certificate(path: &Path, certificate: &[u8]) -> Result<usize> {
    if path.extension().is_none_or(|extension| extension != "zst") {
        write(path, certificate)?;
        return Ok(certificate.len());
    }
    let packed =
        packing::pack(certificate, ZSTD_LEVEL).map_err(|e| Failure::io(path.display(), &e))?;
    write(path, &packed)?;
    Ok(packed.len())
}

/// Writes a file so that a failure in the middle leaves the old one as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.display();
    let Some(file_name) = path.file_name() else {
        return Err(Failure::new(format!("{name}: not the name of a file")));
    };
    // Devices and pipes (/dev/stdout) are written as they are.
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return fs::write(path, bytes).map_err(|e| Failure::io(name, &e));
    }
    let mut part = file_name.to_os_string();
    part.push(".part");
    let part = path.with_file_name(part);
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|e| {
        // The part is useless now, and the first error is the one to report.
        let _removed = fs::remove_file(&part);
        Failure::io(name, &e)
    })
}

/// How many names are tried for a file that has none yet.
const NAMES_MAX: u32 = 10_000;

/// `stem.extension`, then `stem-2.extension` and so on.
fn names(stem: &str, extension: &str) -> impl Iterator<Item = PathBuf> {
    let later = (2..NAMES_MAX).map(move |number| format!("{stem}-{number}.{extension}"));
    std::iter::once(format!("{stem}.{extension}")).chain(later).map(PathBuf::from)
}

/// A file that does not exist yet: `stem.extension`, else `stem-2.extension` and so on.
pub fn free(stem: &str, extension: &str) -> PathBuf {
    let free = names(stem, extension).find(|path| !path.exists());
    free.unwrap_or_else(|| PathBuf::from(format!("{stem}.{extension}")))
}

/// The file for some bytes.
pub struct FilePlace {
    /// The file.
    pub path: PathBuf,
    /// Whether the file holds these bytes already.
    pub is_there: bool,
}

/// The first file, in the order of [`free`], that holds these bytes or does not exist yet.
pub fn place_for(stem: &str, extension: &str, bytes: &[u8]) -> FilePlace {
    let holds = |path: &Path| {
        let is_as_long = fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64);
        is_as_long && fs::read(path).is_ok_and(|found| found == bytes)
    };
    let places = names(stem, extension).map(|path| FilePlace { is_there: holds(&path), path });
    let mut fitting = places.filter(|place| place.is_there || !place.path.exists());
    fitting.next().unwrap_or_else(|| FilePlace { path: free(stem, extension), is_there: false })
}

/// Whether two paths lead to the same file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Refuses to write over one of the files that were read.
pub fn keep(inputs: &[Option<&Path>], out: &Path) -> Result<()> {
    if inputs.iter().flatten().any(|input| is_same(input, out)) {
        return Err(Failure::new(format!("{}: would replace the input", out.display()))
            .help("give the new file another name"));
    }
    Ok(())
}

/// Which part of a file is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part<'a> {
    /// The number of the game, from 1, as it was typed; without one, the first.
    pub number: Option<&'a str>,
    /// The path of the node.
    pub node: Option<&'a str>,
}

/// A file, and which part of it is meant.
#[derive(Clone, Copy, Debug)]
pub struct FilePart<'a> {
    /// The file.
    pub path: &'a Path,
    /// What is meant of it.
    pub part: Part<'a>,
}

/// The longest path of a file, in bytes.
const PATH_BYTES_MAX: usize = 4096;

impl<'a> FilePart<'a> {
    /// Reads `FILE`, `FILE@path`, `FILE#3` or `FILE#3@path`, when there is such a file. The longest
    /// name that is there is the file's, so that names with `#` and `@` in them are found, too.
    pub fn find(text: &'a str) -> Option<FilePart<'a>> {
        let is_there = |name: &str| name.len() < PATH_BYTES_MAX && Path::new(name).exists();
        let numbered = |text: &'a str| match text.rsplit_once('#') {
            _ if is_there(text) => Some((text, None)),
            Some((name, number)) if !number.contains('@') && is_there(name) => {
                Some((name, Some(number)))
            }
            _ => None,
        };
        let found = |(name, number): (&'a str, _), node| FilePart {
            path: Path::new(name),
            part: Part { number, node },
        };
        if let Some(name) = numbered(text) {
            return Some(found(name, None));
        }
        let (text, node) = text.rsplit_once('@')?;
        Some(found(numbered(text)?, Some(node)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_a_certificate_of_the_suite() {
        assert_eq!(demo(), include_bytes!("../../../suite/good/go-moku.cert"));
    }

    #[test]
    fn the_longest_name_that_is_there_is_the_file_s() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["a.sgf", "a.sgf#2", "b#1.sgf", "c@1.sgf"] {
            fs::write(folder.join(name), "").unwrap();
        }
        for (text, expected) in [
            ("a.sgf", Some(("a.sgf", None, None))),
            ("a.sgf#3", Some(("a.sgf", Some("3"), None))),
            ("a.sgf@1.b.2", Some(("a.sgf", None, Some("1.b.2")))),
            ("a.sgf#3@12", Some(("a.sgf", Some("3"), Some("12")))),
            ("a.sgf#2", Some(("a.sgf#2", None, None))),
            ("a.sgf#2#3@1", Some(("a.sgf#2", Some("3"), Some("1")))),
            ("b#1.sgf#2", Some(("b#1.sgf", Some("2"), None))),
            ("b#1.sgf@2", Some(("b#1.sgf", None, Some("2")))),
            ("c@1.sgf", Some(("c@1.sgf", None, None))),
            ("c@1.sgf#2@3", Some(("c@1.sgf", Some("2"), Some("3")))),
            ("c@1.sgf#2", Some(("c@1.sgf", Some("2"), None))),
            ("d.sgf#1", None),
            ("", None),
        ] {
            let whole = format!("{}/{text}", folder.display());
            let found = FilePart::find(&whole).filter(|found| found.path != folder);
            let shown = found.map(|FilePart { path, part }| {
                (path.file_name().unwrap().to_str().unwrap(), part.number, part.node)
            });
            assert_eq!(shown, expected, "{text}");
        }
    }
}
