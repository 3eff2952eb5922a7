//! The files of a game: SGF, and the certificates of wins. No file that was there
//! before is replaced, unless the game goes on from it and keeps all that it had.

use std::path::{Path, PathBuf};

use sixproof_certificate::{Certified, Claim};
use sixproof_game::{Record, moves, sgf};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use crate::drawing;
use crate::input;
use crate::refused;

/// The first part of file names that the user did not choose.
const STEM: &str = "sixproof-game";

/// Where the game is kept.
#[derive(Debug, Default)]
pub(super) struct GameFile {
    /// The file that is written after each move.
    path: Option<PathBuf>,
    state: SaveState,
}

/// Whether the game is in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SaveState {
    /// There is nothing to keep yet.
    #[default]
    Untouched,
    Unsaved,
    Saved,
}

impl GameFile {
    /// Keeps the game in `path`, if there is one; reports at once what could go wrong later.
    /// `given` is how the position was given, and `keeps_all` whether nothing of its file would be
    /// lost.
    pub(super) fn new(path: Option<&Path>, given: &str, keeps_all: bool) -> Result<GameFile> {
        if let Some(path) = path {
            let input = input::file_of(given).filter(|input| files::is_same(input, path));
            let goes_on = input.is_some() && drawing::extension(path) == "sgf";
            let name = path.display();
            if goes_on && !keeps_all {
                return Err(Failure::new(format!("{name}: has more than the line you go on from"))
                    .help("save the new game under another name"));
            }
            if !goes_on {
                refuse_existing(path)?;
            }
            files::ensure_writable(path)?;
        }
        Ok(GameFile { path: path.map(Path::to_path_buf), state: SaveState::Untouched })
    }

    /// Writes a changed game, if it has a file. A game without moves need not be saved.
    pub(super) fn changed(&mut self, record: &Record, has_moves: bool) -> Result<()> {
        self.state = if has_moves { SaveState::Unsaved } else { SaveState::Untouched };
        if let Some(path) = &self.path {
            write(path, record)?;
            self.state = SaveState::Saved;
        }
        Ok(())
    }

    /// Saves the game in a file that does not exist yet, or in the one that it is kept in. From
    /// then on it is kept there.
    pub(super) fn save(&mut self, path: Option<PathBuf>, record: &Record) -> Result<&Path> {
        let path = match (path, &self.path) {
            (None, None) => files::free(STEM, "sgf"),
            (None, Some(kept)) => kept.clone(),
            (Some(path), kept) => {
                if kept.as_ref() != Some(&path) {
                    refuse_existing(&path)?;
                }
                path
            }
        };
        write(&path, record)?;
        self.state = SaveState::Saved;
        Ok(self.path.insert(path))
    }

    /// Another game begins: it gets a file of its own.
    pub(super) fn renew(&mut self) {
        self.state = SaveState::Untouched;
        if let Some(path) = &self.path {
            let stem = path.with_extension("").display().to_string();
            self.path = Some(files::free(&stem, "sgf"));
        }
    }

    /// How to continue the game: its file, or a command with its moves. A game without a file is
    /// saved now if the user does not read the command, or moves alone do not describe the game.
    pub(super) fn closing_text(&mut self, record: &Record, is_read: bool) -> Option<String> {
        match (self.state, &self.path) {
            (SaveState::Untouched, _) => return None,
            (SaveState::Saved, Some(path)) => {
                return Some(format!("The game is in {}.", path.display()));
            }
            _ => {}
        }
        let node = record.main_line_end(0);
        let is_plain = record.nodes().iter().all(|node| node.setup.is_empty());
        if let Some(line) = moves::write(record, node).ok().filter(|_| is_plain && is_read) {
            return Some(format!(
                "The game was not saved. To go on with it:\n  sixproof play \"{line}\" --game {}",
                record.game
            ));
        }
        Some(match self.save(None, record) {
            Ok(path) => format!("The game was saved in {}.", path.display()),
            Err(failure) => failure.to_string(),
        })
    }

    /// Has a certificate checked, and writes it to a new file beside the game.
    pub(super) fn certificate(
        &self,
        claim: &Claim,
        certificate: &[u8],
        number: usize,
    ) -> Result<(Certified, Result<PathBuf>)> {
        let stem = match &self.path {
            Some(path) => path.with_extension("").display().to_string(),
            None => STEM.to_string(),
        };
        let path = files::free(&format!("{stem}-{number}"), "cert");
        let certified = refused::certified(claim, certificate, &path)?;
        let written = files::write_certificate(&path, certificate).map(|_| path);
        Ok((certified, written))
    }
}

fn write(path: &Path, record: &Record) -> Result<()> {
    files::write(path, &sgf::from_record(record).write())
}

fn refuse_existing(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() || path == Path::new("-") {
        return Err(Failure::new("a game is saved in a file").help("name one, such as game.sgf"));
    }
    // A device holds no game.
    if path.is_file() || path.is_dir() {
        return Err(Failure::new(format!("{}: exists already", path.display()))
            .help("choose a name that is not taken"));
    }
    Ok(())
}
