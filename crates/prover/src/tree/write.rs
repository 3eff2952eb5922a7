//! A proved tree as a proof.

use crate::board::Rules;
use crate::proof::{Part, Proof};

use super::{Tree, Win};

impl<R: Rules> Tree<R> {
    /// The proof of the root.
    pub fn proof(&self) -> Proof {
        let mut proof = Proof::default();
        if self.attacker_moves {
            self.write_or(0, &mut proof);
        } else {
            self.write_and(0, &mut proof);
        }
        proof
    }

    fn write_or(&self, or: u32, proof: &mut Proof) {
        match self.ors[or as usize].win.as_ref().expect("only proofs are written") {
            Win::Now(squares) => proof.push(Part::Win(squares)),
            Win::Path(path) => proof.push_path(path),
            Win::Move(and) => {
                proof.push(Part::Attack(&self.ands[*and as usize].attack));
                self.write_and(*and, proof);
            }
            Win::Given(given) => proof.append(given),
        }
    }

    fn write_and(&self, and: u32, proof: &mut Proof) {
        let node = &self.ands[and as usize];
        proof.push(Part::Defence(node.replies.len()));
        for reply in &node.replies {
            let usual = usize::from(node.stones).saturating_sub(reply.squares.len());
            let slack = Some(u32::from(reply.slack)).filter(|&slack| slack as usize != usual);
            proof.push(Part::Reply(&reply.squares, slack));
            self.write_or(reply.child, proof);
        }
    }
}
