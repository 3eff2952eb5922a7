//! The certificates of `suite/good`: one small example of each feature of a certificate.

use std::fs;
use std::io;
use std::path::Path;

use super::board::{Board, Role};
use super::compositions::{CLOSE_FIVE, FIVE, GO_MOKU, SIX};
use super::quiet::{Style, defence};
use super::stencil::Stencil;

/// Writes all of them into a folder.
pub(super) fn write_all(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let quiet = |name: &str, shows: &str, mut board: Board, style: Style| {
        let proof = defence(&mut board, style).expect("a quiet win");
        let text = format!("# {shows}\n{}{proof}", board.header(Role::Defender));
        fs::write(folder.join(name), text)
    };
    quiet(
        "connect6-quiet.cert",
        "Connect6: no threat on the board, any move loses; null, semi-null, pair, macro replies.",
        FIVE.board(),
        Style::Tree,
    )?;
    quiet(
        "connect6-references.cert",
        "Connect6: marks and references; a pair of stones in either order is the same node.",
        SIX.board(),
        Style::References,
    )?;
    quiet(
        "connect6-unbounded.cert",
        "Connect6 on the unbounded board; squares are pairs of integers.",
        CLOSE_FIVE.unbounded_board(),
        Style::Tree,
    )?;
    quiet(
        "connect6-white.cert",
        "Connect6 with White as the attacker.",
        CLOSE_FIVE.for_white().board(),
        Style::Tree,
    )?;
    quiet(
        "go-moku.cert",
        "Go-Moku, one stone a move: fours only, after a null reply and every stone that matters.",
        GO_MOKU.board(),
        Style::Tree,
    )?;
    let mut text = Vec::from(*b"# Connect6: threat nodes only; one way to win after another.\n");
    let threats = Stencil::of_threats();
    threats.write(&mut text, threats.nodes())?;
    fs::write(folder.join("connect6-threats.cert"), text)
}
