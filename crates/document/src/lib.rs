//! Documents: game trees that are edited.
//!
//! A [`Document`] is made from a [`Record`](sixproof_game::Record) and gives one back. In between
//! [`Edit`]s change it, each of which can be undone. Its nodes have numbers that never change.
//! Nodes with the same position, or with symmetric ones, are linked. [`Rows`] show the tree, a part
//! at a time.
//!
//! # Edit and undo
//!
//! ```
//! use sixproof_document::{Document, Edit, NodeId};
//! use sixproof_game::Game;
//!
//! let game = Game::CONNECT6;
//! let mut document = Document::new(game);
//! let squares = vec![game.parse_square("J10")?];
//! let first = document.apply(Edit::Move { node: NodeId::ROOT, squares })?.node;
//! let squares = vec![game.parse_square("I8")?, game.parse_square("H9")?];
//! document.apply(Edit::Move { node: first, squares })?;
//! assert_eq!(document.undoes().unwrap().to_string(), "move I8 H9");
//! document.undo();
//! assert_eq!(document.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a file, and back
//!
//! ```
//! use sixproof_document::Document;
//! use sixproof_game::sgf;
//!
//! let file = b"(;GM[511]SZ[19];B[jj](;W[il];W[hk])(;W[jl];W[kl]))";
//! let record = sgf::read(file, &sgf::Options::default())?;
//! let document = Document::from_record(&record).document;
//! // One node for a move, however the file has its stones.
//! assert_eq!(document.len(), 4);
//! let file = sgf::from_record(&document.to_record()).write();
//! assert!(file.starts_with(b"(;FF[4]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Positions that come up twice
//!
//! ```
//! use sixproof_document::{Document, LinkKind, NodeId};
//! use sixproof_game::sgf;
//!
//! let file = b"(;GM[4]SZ[15](;B[hh];W[hi])(;B[hh];W[ih]))";
//! let record = sgf::read(file, &sgf::Options::default())?;
//! let mut document = Document::from_record(&record).document;
//! let leaf = document.main_line_end(NodeId::ROOT);
//! let (links, _) = document.links(leaf, 10);
//! assert_eq!(links[0].kind, LinkKind::Symmetric);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Start reading at `document`, then `edit`, `apply` and `history` (what changes it), `import`
//! (from records), `deed` and `note` (their reports), `walk` (the rules, step by step), `survey`
//! (what is derived of all nodes), and the queries `links`, `rows` and `find`.
//!
//! The crate has no features. It is pure: it reads no file, clock or environment, and nothing in it
//! is recursive.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod apply;
mod deed;
mod document;
mod edit;
mod find;
mod history;
mod import;
mod links;
mod note;
mod rows;
mod survey;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use deed::{Deed, DeedKind};
pub use document::{Child, Document, Imported, NODES_MAX, Sibling};
pub use edit::{Applied, Edit, EditError, Promotion};
pub use find::FindQuery;
pub use links::{Link, LinkKind};
pub use note::Note;
pub use rows::{Row, Rows, RowsQuery};
pub use tree::NodeId;
