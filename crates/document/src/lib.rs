//! Documents: game trees that are edited.
//!
//! A [`Document`] is made from a [`Record`](sixproof_game::Record) and gives one back. In between
//! it is changed by [`Edit`]s, each of which can be undone; its nodes have numbers that never
//! change; positions that are the same, or symmetric, are linked; and the tree can be seen as
//! [`Rows`], a part at a time.
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
//! Start reading at `document`, then `edit`, `apply` and `history` (what changes it), `import`
//! (from records), `deed` and `note` (what is told of both), `walk` (the rules, step by step),
//! `survey` and `key` (what is derived), `links`, `rows`, `find` (what can be asked).
//!
//! This crate is pure: it reads no file, clock or environment, and nothing in it is recursive.

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
