//! The programs that the pages call: ours, and a few that are made here.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Where one of our programs is.
pub(crate) fn ours(name: &str) -> Option<PathBuf> {
    match name {
        "sixproof" => Some(PathBuf::from(env!("CARGO_BIN_EXE_sixproof"))),
        "sixproof-check" => Some(CHECK.clone()),
        _ => None,
    }
}

/// A call of a program, to be run in a folder. The answer depends on nothing but the command: not
/// on colours, languages or widths that the environment asks for, and not on the proofs that the
/// user of this machine keeps. The program finds itself by its name, as it does when installed.
pub(crate) fn call(program: &Path, folder: &Path) -> Command {
    let installed = Path::new(env!("CARGO_BIN_EXE_sixproof")).parent().unwrap_or(Path::new("."));
    let mut command = Command::new(program);
    command.env_clear().env("PATH", installed).current_dir(folder);
    command.env("SIXPROOF_STORE", "").env("SIXPROOF_THREADS", "1");
    command
}

/// The checker belongs to another package, whose programs cargo does not build for our tests.
/// `scripts/test` has built it, and says where it is: cargo would wait here for the lints beside.
static CHECK: LazyLock<PathBuf> = LazyLock::new(|| {
    if let Some(path) = env::var_os("SIXPROOF_CHECK") {
        return path.into();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of the target");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--package", "sixproof-check", "--target-dir"])
        .arg(target)
        .current_dir(root)
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(built.success(), "sixproof-check does not build");
    target.join("debug/sixproof-check")
});

/// What a program prints that is made here.
pub(crate) fn stand_in(
    name: &str,
    arguments: &[Vec<u8>],
    stdin: &[u8],
    folder: &Path,
) -> Result<Vec<u8>, String> {
    let text = |i: usize| -> Result<String, String> {
        let word = arguments.get(i).ok_or_else(|| format!("{name}: too few words"))?;
        String::from_utf8(word.clone()).map_err(|e| e.to_string())
    };
    let file = |i: usize| -> Result<Vec<u8>, String> {
        let path = folder.join(text(i)?);
        fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    Ok(match name {
        "cat" => file(0)?,
        // The words as they are, without the end of a line.
        "printf" => arguments.join(&b' '),
        "echo" => [arguments.join(&b' '), b"\n".to_vec()].concat(),
        // A word, repeated.
        "repeat" => arguments
            .get(1)
            .ok_or("repeat COUNT TEXT")?
            .repeat(text(0)?.parse().map_err(|_| "repeat COUNT TEXT")?),
        // All arguments are files, one after the other.
        "concat" => (0..arguments.len()).map(file).collect::<Result<Vec<_>, _>>()?.concat(),
        // The first lines.
        "head" => {
            let count = text(0)?.trim_start_matches('-').parse().map_err(|_| "head -COUNT")?;
            stdin.split_inclusive(|&b| b == b'\n').take(count).flatten().copied().collect()
        }
        // The lines with a text.
        "grep" => {
            let wanted = text(0)?;
            let stdin = String::from_utf8_lossy(stdin);
            let lines = stdin.lines().filter(|line| line.contains(&wanted));
            lines.map(|line| format!("{line}\n")).collect::<String>().into_bytes()
        }
        "zstd" => zstd::encode_all(&file(0)?[..], 3).map_err(|e| e.to_string())?,
        // What kind of picture a file holds.
        "picture" => format!("{}\n", picture(&file(0)?)?).into_bytes(),
        "ls" => {
            let dir = fs::read_dir(folder.join(text(0)?)).map_err(|e| e.to_string())?;
            let name = |entry: std::io::Result<fs::DirEntry>| {
                entry.map(|e| format!("{}\n", e.file_name().to_string_lossy()))
            };
            let names: Result<Vec<String>, _> = dir.map(name).collect();
            let mut names = names.map_err(|e| e.to_string())?;
            names.sort();
            names.concat().into_bytes()
        }
        "ln" => {
            let link = folder.join(text(1)?);
            std::os::unix::fs::symlink(text(0)?, link).map_err(|e| e.to_string())?;
            Vec::new()
        }
        // A reader that has gone away before anything was written; `shell` sees to it.
        "closed" => Vec::new(),
        _ => return Err(format!("no program `{name}` here")),
    })
}

fn picture(bytes: &[u8]) -> Result<String, String> {
    if let Some(header) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") {
        let number = |at: usize| header[at..at + 4].iter().fold(0, |n, &b| n << 8 | u32::from(b));
        return Ok(format!("PNG, {} x {} pixels", number(0), number(4)));
    }
    if bytes.starts_with(b"GIF89a") {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).map_err(|e| e.to_string())?;
        let (width, height) = (decoder.width(), decoder.height());
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().map_err(|e| e.to_string())? {
            delays.push(u32::from(frame.delay) * 10);
        }
        let size = format!("GIF, {width} x {height} pixels");
        return Ok(format!("{size}, {} frames of {delays:?} ms", delays.len()));
    }
    Err("neither a PNG nor a GIF".to_string())
}
