//! Certificates: what everyone shares who finds, keeps, walks or believes a proof.
//!
//! A certificate claims that one side of a Connect(m,n,k,p,q) game wins by force, and carries the
//! proof ([the format](https://docs.rs/sixproof-check)). Reader and writer speak in [`Step`]s, the
//! whole language of proofs; a [`Strategy`](strategy::Strategy) is a certificate in memory that can
//! be walked; a [`Zone`] is what a proof depends on.
//!
//! Nothing that this crate reads is trusted. The one way to a claim that holds is [`certify`]: the
//! independent checker, `sixproof-check`, reads the bytes, and its reading of the claim is compared
//! with the claim in question. What comes of it, [`Certified`], cannot be made otherwise.
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
