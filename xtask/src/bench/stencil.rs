//! Certificates of any size, cheap to write: a root at which Defender must answer two fours, and a
//! list of replies to it, each proved in its own way, which is repeated until there are nodes
//! enough. Repeating a reply is legal, and the checker checks it anew each time.

use std::io::{self, Write};

use sixproof_check::check_bytes;

use super::board::{Board, Role};
use super::compositions::{CORNER_BLOCKS, EXCHANGE, EXCHANGE_FOUR, QUIET_MOVES};
use super::quiet::{self, Style};
use super::threats::{Effort, Ending, win};

/// A root and the replies to it.
pub(super) struct Stencil {
    header: String,
    replies: Vec<Reply>,
}

/// A reply with all the nodes below it.
struct Reply {
    text: String,
    nodes: u64,
}

/// The most positions that the search for one way to win may expand.
const WIN_NODES_MAX: usize = 2_000;
/// The number of ways to win that the certificate of threats has.
const THREAT_REPLIES: u64 = 32;

impl Stencil {
    /// Threat nodes only: after the exchange, different wins by continuous threats.
    pub(super) fn of_threats() -> Stencil {
        let root = EXCHANGE_FOUR.board();
        let mut blocked = after_the_blocks(&root);
        let texts = (0..THREAT_REPLIES).map(|salt| {
            let ending = if salt % 2 == 0 { Ending::Unblocked } else { Ending::Named };
            win(&mut blocked, Effort { nodes_max: WIN_NODES_MAX, salt, ending })
                .expect("a win by threats")
        });
        Stencil::new(&root, texts.collect())
    }

    /// Everything: after the exchange, different quiet moves, each followed by null, semi-null and
    /// pair replies. A proof of at least 100,000 nodes without any repetition.
    pub(super) fn of_quiet_moves() -> Stencil {
        let root = EXCHANGE.board();
        let blocked = after_the_blocks(&root);
        let write = |names: &str| quiet_move(&blocked, names, Style::Tree);
        // Two threads, each with half of the moves; the order of the replies stays the same.
        let (first, second) = QUIET_MOVES.split_at(QUIET_MOVES.len() / 2);
        let write_all = |names: &[&str]| names.iter().map(|n| write(n)).collect::<Vec<_>>();
        let texts = std::thread::scope(|scope| {
            let half = scope.spawn(|| write_all(second));
            let mut texts = write_all(first);
            texts.extend(half.join().expect("the other half"));
            texts
        });
        Stencil::new(&root, texts)
    }

    /// One quiet move, written with marks and references. They stay right in a repetition: they
    /// name nodes of the first time, which have the same positions.
    pub(super) fn of_references() -> Stencil {
        let root = EXCHANGE.board();
        let text = quiet_move(&after_the_blocks(&root), QUIET_MOVES[0], Style::References);
        Stencil::new(&root, vec![text])
    }

    fn new(root: &Board, texts: Vec<String>) -> Stencil {
        let header = root.header(Role::Defender);
        let replies = texts.into_iter().map(|text| {
            let text = format!("R {CORNER_BLOCKS} {text}\n");
            let verified = check_bytes(format!("{header}D 1\n{text}").as_bytes());
            let verified = verified.unwrap_or_else(|refusal| {
                panic!("the generator wrote a wrong certificate: {refusal:?}\n{header}D 1\n{text}")
            });
            Reply { text, nodes: verified.counts.nodes - 1 }
        });
        let replies = replies.collect();
        Stencil { header, replies }
    }

    /// The nodes of the certificate without repetition.
    pub(super) fn nodes(&self) -> u64 {
        1 + self.replies.iter().map(|reply| reply.nodes).sum::<u64>()
    }

    /// Writes a certificate of at least this number of nodes; returns its numbers of bytes and
    /// nodes.
    pub(super) fn write(&self, out: &mut dyn Write, nodes_min: u64) -> io::Result<(u64, u64)> {
        let mut nodes = 1;
        let until = |reply: &&Reply| {
            let more = nodes < nodes_min;
            nodes += if more { reply.nodes } else { 0 };
            more
        };
        let replies: Vec<&Reply> = self.replies.iter().cycle().take_while(until).collect();
        let head = format!("{}D {}\n", self.header, replies.len());
        out.write_all(head.as_bytes())?;
        let mut bytes = head.len() as u64;
        for reply in replies {
            out.write_all(reply.text.as_bytes())?;
            bytes += reply.text.len() as u64;
        }
        out.flush()?;
        Ok((bytes, nodes))
    }
}

/// Attacker's move, and the proof that every answer to it loses.
fn quiet_move(before: &Board, names: &str, style: Style) -> String {
    let mut board = before.clone();
    for s in board.all_named(names) {
        board.place(s, Role::Attacker);
    }
    let defence = quiet::defence(&mut board, style).expect("a quiet win");
    format!("A {names} {defence}")
}

/// The position with all the blocks in the corners.
fn after_the_blocks(root: &Board) -> Board {
    let mut board = root.clone();
    for s in board.all_named(CORNER_BLOCKS) {
        board.place(s, Role::Defender);
    }
    board
}
