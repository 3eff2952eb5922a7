//! SGF, the Smart Game Format, in all the dialects that k-in-a-row games are found in.
//!
//! There are two layers, and each can be used alone:
//!
//! - *Syntax*: [`parse`] turns bytes into a [`Collection`], an arena of nodes that keeps every
//!   property, known or not, in its order and byte for byte; [`Collection::write`] gives them back.
//! - *Meaning*: [`read`] (or [`interpret`]) turns a collection into a [`Record`](crate::Record);
//!   [`from_record`] makes the collection of our own canonical form.
//!
//! ```
//! use sixproof_game::sgf;
//!
//! let record = sgf::read(b"(;GM[511]SZ[19];B[jj];W[jhmk])", &sgf::Options::default())?;
//! assert_eq!(record.game.square_names(&[record.nodes()[2].stones[0].1]), "J12");
//! let text = String::from_utf8(sgf::from_record(&record).write())?;
//! assert!(text.contains("RU[connect(19,19,6,2,1)]\n;B[jj];W[jh];W[mk])"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The canonical form
//!
//! `FF[4]GM[511]CA[UTF-8]AP[sixproof:VERSION]SZ[19]RU[connect(19,19,6,2,1)]`, then the facts about
//! the game (`PB`, `PW`, …). `GM` is 4 when k = 5 and p = q = 1, a board that is not square has
//! `SZ[columns:rows]`, the exact rule is `RU[connect(15,15,5,1,1,exact)]`, and an unbounded board
//! has `RU[connect(inf,inf,6,2,1)]` and no `SZ`. There is one stone per node, and variations branch
//! where a move starts ([`normal_form`]).
//!
//! Squares are pairs of a column letter and a row letter from the upper left, `a`-`z` and then
//! `A`-`Z`. Pairs cannot name the squares of an unbounded board, nor of one with more than
//! [`PAIR_MAX`] columns or rows. There a square is written `x,y` as elsewhere in this crate: column
//! from the left and row *from the bottom*, both from 0 (and of any sign when unbounded).
//!
//! Private properties, ours alone, begin with `SX`:
//!
//! | property | meaning |
//! | --- | --- |
//! | `SXG[connect(9,9,5,1,1)]` | the game, where `RU` has rules that are not its own: `RU[renju]` |
//! | `SXL[1]` | stones left in the move after the set-up, where the stone counts do not say so |
//! | `SXR[text]` | what a program found out about the position, in words of its own; one for each |
//!
//! Nothing here is recursive: real files have chains of 200,000 nodes.

mod canonical;
mod dialect;
mod normal;
mod parse;
mod point;
mod summary;
mod text;
mod tree;
mod write;

#[cfg(test)]
mod tests;

pub use canonical::from_record;
pub use dialect::{INFO_KEYS, Options, POINTS_MAX, interpret, read};
pub use normal::normal_form;
pub use parse::{BYTES_MAX, NODES_MAX, VALUES_MAX, parse};
pub use point::PAIR_MAX;
pub use summary::summary;
pub use text::{Charset, Unmappable, line_feeds, one_line};
pub use tree::{Collection, Offset, Property, SgfNode, Value};
