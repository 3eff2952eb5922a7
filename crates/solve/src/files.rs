//! Files in and out, with errors that name them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// The longest input that is read whole: games, diagrams, libraries. Certificates are streamed.
const INPUT_BYTES_MAX: u64 = 256 << 20;
/// How a zstd stream starts.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Certificates are written once and kept.
const ZSTD_LEVEL: i32 = 15;

/// What people call an input.
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
const DEMO_CERTIFICATE: &[u8] = include_bytes!("../../../suite/good/go-moku.cert");

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
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
    }
    unpacked(BufReader::new(File::open(path)?))
}

/// Whether bytes are compressed with zstd.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD_MAGIC)
}

/// Unpacks zstd when the input is compressed, as its first bytes tell.
pub fn unpacked<R: BufRead + 'static>(mut input: R) -> io::Result<Box<dyn BufRead>> {
    if is_packed(input.fill_buf()?) {
        return Ok(Box::new(BufReader::new(zstd::Decoder::with_buffer(input)?)));
    }
    Ok(Box::new(input))
}

/// Finds out whether a file can be written, before hours are spent on what goes into it.
pub fn ensure_writable(path: &Path) -> Result<()> {
    let name = path.display();
    let Some(file_name) = path.file_name() else {
        return Err(Failure::new(format!("{name}: not the name of a file")));
    };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return Err(Failure::new(format!("{name}: is a folder")).help("name a file in it"));
        }
        Ok(found) if !found.is_file() => return Ok(()),
        _ => {}
    }
    let mut probe = file_name.to_os_string();
    probe.push(".probe");
    let probe = path.with_file_name(probe);
    match File::options().write(true).create_new(true).open(&probe) {
        Ok(_) => {
            // An empty file that stays would be a pity, but no reason to give up.
            let _removed = fs::remove_file(&probe);
            Ok(())
        }
        // Somebody else finds it out at this moment.
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
        zstd::encode_all(certificate, ZSTD_LEVEL).map_err(|e| Failure::io(path.display(), &e))?;
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
        // The part is of no use any more; that it cannot be removed would not help anyone.
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

/// Where some bytes go.
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// Whether the file holds these bytes already.
    pub is_there: bool,
}

/// The first file, in the order of [`free`], that holds these bytes or does not exist yet.
pub fn place_for(stem: &str, extension: &str, bytes: &[u8]) -> Place {
    let holds = |path: &Path| {
        let is_as_long = fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64);
        is_as_long && fs::read(path).is_ok_and(|found| found == bytes)
    };
    let places = names(stem, extension).map(|path| Place { is_there: holds(&path), path });
    let mut fitting = places.filter(|place| place.is_there || !place.path.exists());
    fitting.next().unwrap_or_else(|| Place { path: free(stem, extension), is_there: false })
}

/// Whether two paths lead to the same file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
