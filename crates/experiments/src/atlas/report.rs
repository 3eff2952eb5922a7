//! The page on an atlas: what is proved, by distance and one by one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::grouped;
use sixproof_solve::quantity::bytes_text;

use super::results::limits_text;
use super::{Atlas, OpeningStatus, Selection};

/// The page and the picture beside it.
pub fn pages(page: &Path) -> Result<[PathBuf; 2]> {
    if page.extension().is_none_or(|extension| extension != "md") {
        return Err(Failure::new(format!("{}: the report is a page", page.display()))
            .help("name the file .md"));
    }
    Ok([page.to_path_buf(), page.with_extension("svg")])
}

/// The page, in Markdown.
pub fn markdown(atlas: &Atlas, picture: &Path) -> String {
    let mut out = String::new();
    let picture = picture.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let [proved, open, untried] = atlas.counts(|_| true);
    let of = atlas.openings.len();
    let Selection { side, .. } = atlas.selection;
    let mut put = |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("memory takes all");
    put(format_args!(
        "# Which second moves of White lose?\n\n\
         Connect6 on the board of 19 x 19. Black has played J10, and White answers with two stones,\n\
         both within the box of {side} x {side} around J10{}.\n\
         Moves that are images of each other are counted once. The distance of a second move is the\n\
         distance of White's nearer stone from J10, in steps of a king.\n\n",
        choice(&atlas.selection),
    ));
    put(format_args!(
        "**{proved} of {of} second moves are proved to lose**: Black wins by force, and the checker\n\
         has verified a certificate of it. Open: {open}; the search found nothing within its limits,\n\
         which says nothing about who wins. Not tried: {untried}.\n\n\
         Made by `{}`.\n\n![A map of the second moves]({picture})\n\n",
        command(&atlas.selection),
    ));
    put(format_args!(
        "## By distance\n\n| distance | proved | open | not tried | all |\n| --- | --- | --- | --- | --- |\n"
    ));
    for distance in atlas.distances() {
        let [proved, open, untried] = atlas.counts(|opening| opening.distance() == distance);
        let all = proved + open + untried;
        put(format_args!("| {distance} | {proved} | {open} | {untried} | {all} |\n"));
    }
    put(format_args!(
        "\n## One by one\n\nNodes are those of the search that found the proof, or of the last search without a proof.\n\
         The certificate of F10 N10 is `F10-N10.cert.zst`.\n\n\
         | opening | distance | verdict | Black wins with | order | nodes | certificate nodes | \
         certificate size |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    ));
    for &opening in &atlas.openings {
        let (name, distance) = (opening.name(), opening.distance());
        match atlas.status(opening) {
            OpeningStatus::Proved { entry, squares, nodes, bytes } => {
                let ([order, searched], nodes) = (entry.effort(), grouped(*nodes));
                let size = bytes_text(*bytes);
                put(format_args!(
                    "| {name} | {distance} | proved | {squares} | {order} | {searched} | {nodes} \
                     | {size} |\n"
                ));
            }
            OpeningStatus::Open(entry) => put(format_args!(
                "| {name} | {distance} | open ({}) | | | {} | | |\n",
                limits_text(entry.limits),
                grouped(entry.nodes),
            )),
            OpeningStatus::Untried => {
                put(format_args!("| {name} | {distance} | not tried | | | | | |\n"));
            }
        }
    }
    out
}

/// What was asked for besides the box.
fn choice(selection: &Selection) -> String {
    let mut text = String::new();
    if let Some(only) = &selection.only {
        text += &match (only.start(), only.end()) {
            (low, high) if low == high => format!(", the nearer one at distance {low}"),
            (low, high) => format!(", the nearer one at distance {low} to {high}"),
        };
    }
    if let Some(count) = selection.sample {
        text += &format!("; {count} of them at random (seed {})", selection.seed);
    }
    text
}

/// The command that makes the page from the folder.
fn command(selection: &Selection) -> String {
    let mut text = "sixproof atlas".to_string();
    if let Some(count) = selection.sample {
        text += &format!(" --sample {count} --seed {}", selection.seed);
    }
    text += &format!(" --box {}", selection.side);
    if let Some(only) = &selection.only {
        text += &match (only.start(), only.end()) {
            (low, high) if low == high => format!(" --only {low}"),
            (low, high) => format!(" --only {low}-{high}"),
        };
    }
    text + " --report FILE"
}
