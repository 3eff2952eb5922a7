//! Keeps what searches found: proofs, refutations, and the results of unfinished work, in one file.
//!
//! Everything is found by a *claim*: a position with its side to move, and the side said to win. A
//! claim has one key for all its symmetric positions, so that a proof found in one corner of the
//! board is found again from every other. Certificates are kept in the canonical orientation and
//! mapped to the position that is asked about.
//!
//! Beside these there are buckets for the editor: bytes by owner and key, which mean nothing here.
//!
//! Nothing in the file is trusted. A record that cannot be decoded counts as missing, except in a
//! search for damage; and a certificate from the store is a claim like any other: it is given to
//! the checker before anything is called proved.
//!
//! Start reading at `store` (the writes that wait, the thread that commits), `access` and `file`
//! (the database, which several processes use), then `key` (what is the same),
//! `record` (bytes), `proofs`, `work`, `bucket`, `survey`, `merge` (what can be asked).
//!
//! # Keep a proof, and find it from a symmetric position
//!
//! ```
//! use sixproof_game::{Color, Position};
//! use sixproof_certificate::{Claim, certify};
//! use sixproof_store::{ProofMeta, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(folder.path().join("store.redb"))?;
//! let game: sixproof_game::Game = "tic-tac-toe".parse()?;
//! let claim = |black: [&str; 2], white: [&str; 2]| {
//!     let squares = |names: [&str; 2]| names.map(|name| game.parse_square(name).unwrap());
//!     let (black, white) = (squares(black), squares(white));
//!     let position = Position::set_up(game, &black, &white, Color::Black, 1).unwrap();
//!     Claim { position, attacker: Color::Black }
//! };
//! let certificate = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
//!     black A1 B1 white A2 B2 to-move black 1 W C1";
//! let meta = ProofMeta { order: Some(1), search_nodes: 1, version: "0.1.0".to_string() };
//! store.insert(&claim(["A1", "B1"], ["A2", "B2"]), certificate, meta)?;
//!
//! let asked = claim(["C3", "C2"], ["B3", "B2"]);
//! let turned = store.lookup(&asked)?.unwrap();
//! certify(&asked, &turned.certificate)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Remember what was tried
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("store.redb");
//! use sixproof_certificate::Claim;
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_store::{Refutation, Store};
//!
//! let claim = Claim::new(&Position::new(Game::CONNECT6), Color::Black);
//! let store = Store::open(&path)?;
//! let refutation = Refutation { order: 2, search_nodes: 1_000, version: "0.1.0".to_string() };
//! store.insert_refuted(&claim, &refutation)?;
//! store.flush()?;
//! assert_eq!(store.refuted(&claim)?, Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Go on where a search was stopped
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("store.redb");
//! # use sixproof_certificate::Claim;
//! # use sixproof_game::{Color, Game, Position};
//! # use sixproof_store::Store;
//! # let claim = Claim::new(&Position::new(Game::CONNECT6), Color::Black);
//! let store = Store::open(&path)?;
//! store.work_put(&claim, b"solve 1", b"no win")?;
//! assert_eq!(store.work_get(&claim, b"solve 1")?.as_deref(), Some(&b"no win"[..]));
//! store.work_clear(&claim)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate has no features. Its cost is the database, redb, and zstd, which is C.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod access;
mod bucket;
mod error;
mod file;
mod guard;
mod key;
mod merge;
pub mod packing;
mod place;
mod proofs;
mod read_only;
mod record;
mod store;
mod survey;
mod work;

pub use bucket::{Bucket, BucketHandle, BucketRecord, BucketStats, Change};
pub use error::{Error, Result};
pub use merge::{MergeDecision, MergeOffer, Merged};
pub use proofs::{Inserted, StoredProof};
pub use record::{CERTIFICATE_BYTES_MAX, ProofMeta, Refutation};
pub use store::Store;
pub use survey::{Damage, ProofEntry, RecordKind, Stats, StatsRow};
