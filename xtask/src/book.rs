//! `cargo xtask book`: makes the opening book of the player anew, from the committed proofs and
//! from long searches.
//!
//! A proof gives the position that it claims and the first move of its certificate, after the
//! checker has accepted all of it. For other positions the engine searches: White's answer to J10,
//! and Black's to White's second moves near it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sixproof_certificate::{Claim, Reader, Step, certify_pipe};
use sixproof_game::{Color, Move, Position, Square, Symmetry};
use sixproof_player::book::{Book, Entry, GAME, Source};
use sixproof_player::{Engine, Limits, Score, Settings, Unwatched};
use sixproof_store::CERTIFICATE_BYTES_MAX;
use sixproof_store::packing::Unpacked;

use crate::options;

const HELP: &str = "\
Makes the opening book of the player anew: crates/player/data/book.txt.

Usage: cargo xtask book [OPTIONS]

Proofs are the certificates of Connect6 in docs/openings and docs/atlas; the checker reads each. For
the rest the engine searches: White's answer to J10, and Black's to White's second moves that are
not proved.

Options:
  --nodes N    nodes of the engine for each position [default: 200000]
  --box N      second moves with both stones in the box of N x N around J10 [default: 5]
  -h, --help   this text
";

/// The folder of the certificates.
const PROOFS: [&str; 2] = ["docs/openings", "docs/atlas"];
/// The file of the book.
const BOOK: &str = "crates/player/data/book.txt";
/// Black's first stone: the middle of the board.
const CENTRE: Square = Square::new(9, 9);

const HEAD: &str = "\
# The opening book of Connect6, made by `cargo xtask book`: a position, up to symmetry; the answer;
# and where it comes from. `proof` is the first move of a certificate, `play` is what the engine
# plays after long thinking, with the value of the position in hundredths of the logarithm of the
# odds of winning.
";

/// The options.
struct Options {
    nodes: u64,
    radius: i32,
}

/// Runs `cargo xtask book …`, with the words after it.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    options::run("book", HELP, arguments, parse, |options| make(options).map(|()| true))
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { nodes: 200_000, radius: 2 };
    for setting in options::settings(arguments) {
        let setting = setting?;
        match setting.name {
            "--nodes" => options.nodes = setting.parse()?,
            "--box" => {
                let size: i32 = setting.parse()?;
                let fits = (3..=19).contains(&size) && size % 2 == 1;
                options.radius = if fits { size / 2 } else { return Err(setting.wrong()) };
            }
            _ => return Err(setting.unknown()),
        }
    }
    Ok(options)
}

fn make(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let proofs = proofs(&root)?;
    println!("{} proofs", proofs.len());
    let mut book = Book::default();
    for entry in &proofs {
        book.add(entry.clone());
    }
    let first =
        Entry { position: Position::new(GAME), answer: [CENTRE].into(), source: Source::Play(0) };
    let mut played = vec![first];
    let mut wanted = second_moves(options.radius);
    wanted.insert(0, after(&Position::new(GAME), &[CENTRE]));
    for position in wanted {
        if book.find(&position).is_some() {
            continue;
        }
        let entry = thought_about(&position, options.nodes);
        println!("{entry}");
        let reply = book.find(&after(&position, &entry.answer));
        if reply.is_some_and(|reply| matches!(reply.source, Source::Proof(_))) {
            println!("left out: it is proved to lose");
            continue;
        }
        book.add(entry.clone());
        played.push(entry);
    }
    let mut text = String::from(HEAD);
    for entry in played.iter().chain(&proofs) {
        text.push_str(&format!("{entry}\n"));
    }
    let path = root.join(BOOK);
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The engine's move, without the book that is there.
fn thought_about(position: &Position, nodes: u64) -> Entry {
    let mut engine = Engine::new(Settings { book: false, ..Settings::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let thought = engine.think(position, &limits, &Unwatched);
    let value = match thought.score {
        Score::Value(value) => value,
        // The engine finds a win again without the book; a book does not claim it.
        Score::Win => 1_000,
        Score::Loss => -1_000,
    };
    let source = Source::Play(value);
    Entry { position: position.clone(), answer: thought.squares.into(), source }
}

fn after(position: &Position, squares: &[Square]) -> Position {
    let mut position = position.clone();
    position.play(squares).expect("an engine plays legal moves");
    position
}

/// The positions after Black's J10 and two white stones in a box around it, one of each set of
/// images.
fn second_moves(radius: i32) -> Vec<Position> {
    let near = |&s: &Square| (s.x - CENTRE.x).abs().max((s.y - CENTRE.y).abs()) <= radius;
    let squares: Vec<Square> = GAME.squares().filter(|s| near(s) && *s != CENTRE).collect();
    let first = after(&Position::new(GAME), &[CENTRE]);
    let mut seen = BTreeSet::new();
    let mut positions = Vec::new();
    for (index, &one) in squares.iter().enumerate() {
        for &two in &squares[index + 1..] {
            if seen.contains(&Move::from([one, two])) {
                continue;
            }
            // All of them keep J10, the middle of the board.
            for symmetry in Symmetry::all(GAME) {
                seen.insert(Move::from([one, two].map(|square| symmetry.apply(square))));
            }
            positions.push(after(&first, &[one, two]));
        }
    }
    positions
}

/// The entries of the committed proofs, each of which the checker accepts; none is an image of
/// another.
fn proofs(root: &Path) -> Result<Vec<Entry>, String> {
    let mut book = Book::default();
    let mut entries = Vec::new();
    for folder in PROOFS {
        for name in certificates(&root.join(folder))? {
            let file = format!("{folder}/{name}");
            let bytes = fs::read(root.join(&file)).map_err(|e| format!("{file}: {e}"))?;
            let bytes = Unpacked::whole(&bytes[..], CERTIFICATE_BYTES_MAX)
                .map_err(|e| format!("{file} cannot be unpacked: {e}"))?;
            let certified = certify_pipe(&bytes[..], &mut ())
                .map_err(|why| format!("{file} is refused: {why}"))?;
            if let Some(entry) = first_move(certified.claim(), &bytes, &file)?
                && book.find(&entry.position).is_none()
            {
                book.add(entry.clone());
                entries.push(entry);
            }
        }
    }
    Ok(entries)
}

/// The names of the certificates in a folder, in order.
fn certificates(folder: &Path) -> Result<Vec<String>, String> {
    let trouble = |error| format!("cannot read {}: {error}", folder.display());
    let mut names = Vec::new();
    for file in fs::read_dir(folder).map_err(trouble)? {
        let path: PathBuf = file.map_err(trouble)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        names.extend(name.filter(|name| name.ends_with(".cert.zst")));
    }
    names.sort_unstable();
    Ok(names)
}

/// The position that a certificate proves to be won, and its first move; `None` if it is of another
/// game, or if the other side is to move.
fn first_move(claim: &Claim, bytes: &[u8], file: &str) -> Result<Option<Entry>, String> {
    let unread = |error| format!("{file}: {error}");
    let mut reader = Reader::new(bytes).map_err(unread)?;
    let position = claim.position.clone();
    let is_ours = position.game() == GAME && claim.attacker_moves();
    let begins = position.irregularity().is_none() && position.left() == GAME.p();
    if !is_ours || !begins || position.count(Color::Black) == 0 {
        return Ok(None);
    }
    while let Some((_, step)) = reader.next_step().map_err(unread)? {
        match step {
            Step::Attack { squares } => {
                let source = Source::Proof(file.to_owned());
                return Ok(Some(Entry { position, answer: squares.into(), source }));
            }
            Step::Mark => {}
            _ => break,
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_moves_are_counted_up_to_symmetry() {
        // The number that `sixproof atlas` counts.
        assert_eq!(second_moves(3).len(), 162);
        assert_eq!(second_moves(2).len(), 44);
    }

    /// The committed proofs are true, and the book claims no other move to be proved.
    #[test]
    fn the_book_has_the_first_moves_of_the_committed_proofs() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let proofs = proofs(&root).unwrap();
        let is_proof = |entry: &&Entry| matches!(entry.source, Source::Proof(_));
        let mut known: Vec<Entry> = Book::embedded().entries().filter(is_proof).cloned().collect();
        known.sort_by_key(|entry| proofs.iter().position(|proof| proof == entry));
        assert_eq!(known, proofs, "make it anew: cargo xtask book");
    }
}
