//! Games in the file formats of other programs.

use sixproof_game::load::Loaded;
use sixproof_game::moves::Unwritable;
use sixproof_game::{ccgc, connectk, diagram, moves, psq, sgf};

use crate::failure::{Failure, Result};

/// The formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SGF with the whole tree.
    Sgf,
    /// The line to the node, as in `J10 / I8 H9`.
    Inline,
    /// The line to the node, as in `1.j10 2.i9h9`.
    LittleGolem,
    /// The line to the node, as a CCGC record.
    Ccgc,
    /// The line to the node, as a Gomocup .psq file.
    Psq,
    /// The line to the node, as a connectk move list.
    Connectk,
    /// The position as a board diagram.
    Diagram,
}

/// A game in a format.
pub fn written(loaded: &Loaded, format: Format) -> Result<Vec<u8>> {
    let Loaded { position, record, node, .. } = loaded;
    let text: std::result::Result<String, Unwritable> = match format {
        Format::Sgf => return Ok(sgf::from_record(record).write()),
        Format::Diagram => Ok(diagram::write(position)),
        Format::Inline => moves::write(record, *node),
        Format::LittleGolem => moves::write_little_golem(record, *node),
        Format::Ccgc => ccgc::write(record, *node),
        Format::Psq => psq::write(record, *node),
        Format::Connectk => connectk::write(record, *node),
    };
    text.map(String::into_bytes).map_err(|unwritable| {
        Failure::new(format!("cannot be written in this format: {unwritable}"))
            .help("SGF (--to sgf) and diagrams (--to diagram) hold every position")
    })
}
