//! Certificates: what finders, keepers, readers and believers of proofs share.
//!
//! A certificate claims that one side of a Connect(m,n,k,p,q) game wins by force, and carries the
//! proof ([the format](https://docs.rs/sixproof-check)). A [`Claim`] is what is claimed; [`Reader`]
//! and [`Writer`] speak in [`Step`]s, the whole language of proofs; a
//! [`Strategy`](strategy::Strategy) is a certificate in memory; a [`Zone`] is what a proof depends
//! on.
//!
//! Nothing that this crate reads is trusted. The one way to a claim that holds is [`certify`]: the
//! independent checker, `sixproof-check`, reads the bytes, and its reading of the claim is compared
//! with the claim in question. The result, [`Certified`], cannot be made otherwise.
//!
//! # Write, read, check
//!
//! ```
//! use sixproof_certificate::{Claim, Reader, Step, Writer, certify};
//! use sixproof_game::{Color, Game, Position};
//!
//! let game: Game = "tic-tac-toe".parse()?;
//! let at = |name: &str| game.parse_square(name).unwrap();
//! let (black, white) = ([at("A1"), at("B1")], [at("A2"), at("B2")]);
//! let position = Position::set_up(game, &black, &white, Color::Black, 1)?;
//!
//! // Writing a certificate,
//! let claim = Claim { position, attacker: Color::Black };
//! let mut writer = Writer::new(Vec::new(), &claim)?;
//! writer.step(&Step::Win { squares: vec![at("C1")] })?;
//! let certificate = writer.finish()?;
//!
//! // reading it,
//! let mut reader = Reader::new(&certificate[..])?;
//! assert_eq!(reader.next_step()?.map(|(depth, _)| depth), Some(0));
//! assert_eq!(reader.next_step()?, None);
//!
//! // and having it checked.
//! let certified = certify(&claim, &certificate)?;
//! assert_eq!(certified.counts().nodes, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a proof depends on
//!
//! ```
//! use sixproof_certificate::{Zone, certify_file};
//!
//! // Black threatens to make three in a row on both ends, and no stone blocks both.
//! let bytes: &[u8] = b"sixproof-certificate 1 game 7 7 3 1 1 attacker black
//!     black C4 D4 white A1 to-move white 1 D 0";
//! let certified = certify_file(|| Ok(bytes), &mut ())?;
//! let game = certified.claim().position.game();
//! let zone = Zone::of(&certified, bytes).unwrap();
//! let matters = |name| !zone.is_clear(&[game.parse_square(name).unwrap()]);
//! // With one more stone White blocks an end, or makes two in a row; elsewhere it does not help.
//! assert!(matters("B4") && matters("A2") && !matters("G7"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Walk through a proof
//!
//! ```
//! use sixproof_certificate::strategy::{Continuation, ROOT, Strategy};
//!
//! let bytes = b"sixproof-certificate 1 game 4 3 3 1 1 attacker black
//!     black A1 A2 C3 white D1 to-move white 1 D! 0 2 R A3 ~1 W B2 R B2 W A3";
//! let strategy = Strategy::read(bytes)?;
//! let b2 = strategy.claim().position.game().parse_square("B2")?;
//! let mut zones = |node| strategy.zone(node).map(Into::into);
//! let answer = strategy.answer(ROOT, &[], &[b2], &mut zones)?;
//! let Continuation::Answered(onward) = answer else { panic!("a reply answers B2") };
//! assert_eq!(onward.reply, Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate has no features, and reads no file, clock or environment.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod certify;
pub mod checked;
mod claim;
mod read;
mod side;
mod step;
pub mod strategy;
mod symmetric;
mod write;
mod zone;

pub use certify::{
    Certified, Proved, Refused, certify, certify_file, certify_pipe, certify_watched,
};
pub use claim::{Claim, NoPosition};
pub use read::{ReadError, Reader};
pub use side::Side;
pub use step::Step;
pub use symmetric::{MoveError, Moved, moved};
pub use write::Writer;
pub use zone::Zone;
