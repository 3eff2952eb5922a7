//! Proofs of Connect(m,n,k,p,q) positions.
//!
//! Everything in this crate is untrusted: a win is claimed only with a certificate, and believed
//! only because the independent crate `sixproof-check` accepts it. So far this crate has the
//! [`certificate`] module, through which every proof leaves: a writer that streams certificates out
//! and a reader for those who want to look at one.

pub mod board;
pub mod candidates;
pub mod certificate;
pub mod cover;
pub mod dependency;
pub mod moves;
pub mod prove;
mod rounds;
pub mod threats;
pub mod tree;
pub mod vcdt;
pub mod zone;
