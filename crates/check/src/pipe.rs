//! Certificates that come through a pipe and can be read only once. A bounded board needs no more;
//! the checker keeps a copy of an unbounded one while it reads it for the first time.

use std::cell::RefCell;
use std::io::{self, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::claim::Claim;
use crate::limits::PIPE_BYTES_MAX;
use crate::proof::CheckWatch;
use crate::report::{Refusal, Verified};

/// Checks a certificate from a pipe.
pub fn check_pipe<R: Read>(input: R, watch: &mut dyn CheckWatch) -> Result<Verified, Refusal> {
    let copy = Rc::new(RefCell::new(Some(Vec::new())));
    let mut watch = StopCopy { copy: copy.clone(), watch };
    let mut input = Some(Copying { input, copy: copy.clone() });
    let open = || match input.take() {
        Some(first) => Ok(Source::First(BufReader::new(first))),
        None => Ok(Source::Again(Cursor::new(copy.take().unwrap_or_default()))),
    };
    crate::check(open, &mut watch)
}

/// Copies what it reads until the copy is given up.
struct Copying<R> {
    input: R,
    copy: Rc<RefCell<Option<Vec<u8>>>>,
}

impl<R: Read> Read for Copying<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(out)?;
        if let Some(copy) = self.copy.borrow_mut().as_mut() {
            if copy.len() as u64 + count as u64 > PIPE_BYTES_MAX {
                let message = "too long for a pipe (unbounded boards are read twice): use a file";
                return Err(io::Error::other(message));
            }
            copy.extend_from_slice(&out[..count]);
        }
        Ok(count)
    }
}

enum Source<R> {
    First(BufReader<Copying<R>>),
    Again(Cursor<Vec<u8>>),
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::First(input) => input.read(out),
            Source::Again(input) => input.read(out),
        }
    }
}

impl<R: Read> io::BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Source::First(input) => input.fill_buf(),
            Source::Again(input) => input.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match self {
            Source::First(input) => input.consume(count),
            Source::Again(input) => input.consume(count),
        }
    }
}

/// Gives the copy up as soon as the header says that the board is bounded.
struct StopCopy<'a> {
    copy: Rc<RefCell<Option<Vec<u8>>>>,
    watch: &'a mut dyn CheckWatch,
}

impl CheckWatch for StopCopy<'_> {
    fn claim(&mut self, claim: &Claim) {
        if !claim.game.is_unbounded() {
            self.copy.take();
        }
        self.watch.claim(claim);
    }

    fn progress(&mut self, nodes: u64) -> ControlFlow<()> {
        self.watch.progress(nodes)
    }
}
