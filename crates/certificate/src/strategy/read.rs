//! From bytes to the graph, in one pass and without recursion. Heights and sizes are known when a
//! node is finished, because all that it leads to was finished before.

use sixproof_game::Square;

use crate::{ReadError, Reader, Step};

use super::{NONE, Node, NodeId, NodeKind, StoredReply, Strategy, StrategyCounts};

/// The most nodes of a strategy: the number that a certificate of some gigabytes has.
pub const NODES_MAX: usize = 100_000_000;

/// The height of a node that is not finished.
const UNFINISHED: u32 = u32::MAX;

/// A node whose children are being read.
enum Frame {
    Attack(NodeId),
    /// A defence, the replies that are still to come, and where those that came begin.
    Defence(NodeId, u64, usize),
}

/// The memory of the pass.
struct Pass {
    strategy: Strategy,
    frames: Vec<Frame>,
    /// Replies of the defences in `frames`.
    pending: Vec<StoredReply>,
    /// The node of each mark.
    marks: Vec<NodeId>,
    /// The number of the last marks that wait for their node.
    waiting: usize,
}

impl Strategy {
    /// Reads a whole certificate, without judging it: the checker decides whether it proves its
    /// claim.
    pub fn read(bytes: &[u8]) -> Result<Strategy, ReadError> {
        let mut reader = Reader::new(bytes)?;
        let strategy = Strategy {
            claim: reader.claim().clone(),
            nodes: Vec::new(),
            replies: Vec::new(),
            squares: Vec::new(),
            threats: Vec::new(),
            counts: StrategyCounts::default(),
        };
        let (frames, pending) = (Vec::new(), Vec::new());
        let mut pass = Pass { strategy, frames, pending, marks: Vec::new(), waiting: 0 };
        while let Some((_, step)) = reader.next_step()? {
            pass.take(step).map_err(|message| reader.error(message))?;
        }
        let Pass { mut strategy, .. } = pass;
        strategy.nodes.shrink_to_fit();
        strategy.replies.shrink_to_fit();
        strategy.squares.shrink_to_fit();
        Ok(strategy)
    }
}

impl Pass {
    fn take(&mut self, step: Step) -> Result<(), &'static str> {
        match step {
            Step::Mark => {
                self.marks.push(NONE);
                self.waiting += 1;
                Ok(())
            }
            Step::Win { squares } => {
                let node = self.new_node(NodeKind::Win, &squares)?;
                self.strategy.counts.wins += 1;
                self.strategy.nodes[node as usize].height = 1;
                self.finish(node);
                Ok(())
            }
            Step::Attack { squares } => {
                let node = self.new_node(NodeKind::Attack, &squares)?;
                self.strategy.counts.attacks += 1;
                self.frames.push(Frame::Attack(node));
                Ok(())
            }
            Step::Defence { relies_on, replies } => {
                let node = self.new_node(NodeKind::Defence, &[])?;
                self.strategy.counts.defences += 1;
                if let Some(threats) = relies_on {
                    let start = number(self.strategy.threats.len())?;
                    let stored = &mut self.strategy.nodes[node as usize];
                    (stored.relies, stored.start) = (true, start);
                    stored.len = number(threats.len())?;
                    self.strategy.threats.extend(threats);
                }
                match replies {
                    0 => {
                        self.close_defence(node, self.pending.len());
                        self.finish(node);
                    }
                    _ => self.frames.push(Frame::Defence(node, replies, self.pending.len())),
                }
                Ok(())
            }
            Step::Reply { squares, slack } => {
                let (start, len) = self.add_squares(&squares)?;
                let missing = self.stones_above().saturating_sub(len);
                let slack = slack.unwrap_or(missing);
                self.strategy.counts.replies += 1;
                if self.strategy.counts.replies > NODES_MAX as u64 {
                    return Err("too many replies to be walked");
                }
                self.pending.push(StoredReply { start, len, slack, child: NONE });
                Ok(())
            }
            Step::Reference { mark } => {
                let node = usize::try_from(mark).ok().and_then(|mark| self.marks.get(mark));
                let node = *node.ok_or("no such mark")?;
                if node == NONE || self.strategy.node(node).height == UNFINISHED {
                    return Err("a node refers to itself");
                }
                self.stands_here(self.strategy.kind(node))?;
                self.strategy.counts.references += 1;
                self.strategy.nodes[node as usize].shared = true;
                self.settle_marks(node);
                self.finish(node);
                Ok(())
            }
        }
    }

    /// The stones of the move at the innermost defence.
    fn stones_above(&self) -> u32 {
        match self.frames.last() {
            Some(&(Frame::Attack(node) | Frame::Defence(node, ..))) => self.strategy.stones(node),
            None => 0,
        }
    }

    /// Whether a node of that kind can stand here: attacks and wins where Attacker is to move.
    fn stands_here(&self, kind: NodeKind) -> Result<(), &'static str> {
        let claim = &self.strategy.claim;
        let attacker_moves = match self.frames.last() {
            Some(Frame::Attack(_)) => false,
            Some(Frame::Defence(..)) => true,
            None => claim.position.to_move() == claim.attacker,
        };
        match attacker_moves == (kind != NodeKind::Defence) {
            true => Ok(()),
            false => Err("the other side is to move"),
        }
    }

    fn new_node(&mut self, kind: NodeKind, squares: &[Square]) -> Result<NodeId, &'static str> {
        self.stands_here(kind)?;
        if self.strategy.nodes.len() >= NODES_MAX {
            return Err("too many nodes to be walked");
        }
        let parent = match self.frames.last() {
            Some(&(Frame::Attack(node) | Frame::Defence(node, ..))) => node,
            None => NONE,
        };
        let (start, len) = self.add_squares(squares)?;
        let node = number(self.strategy.nodes.len())?;
        self.strategy.nodes.push(Node {
            kind,
            shared: false,
            relies: false,
            start,
            len,
            first: 0,
            count: 0,
            parent,
            height: UNFINISHED,
            size: 1,
        });
        self.strategy.counts.nodes += 1;
        self.settle_marks(node);
        Ok(node)
    }

    fn add_squares(&mut self, squares: &[Square]) -> Result<(u32, u32), &'static str> {
        let (start, len) = (number(self.strategy.squares.len())?, number(squares.len())?);
        self.strategy.squares.extend_from_slice(squares);
        Ok((start, len))
    }

    /// The marks in front of a node belong to it.
    fn settle_marks(&mut self, node: NodeId) {
        let from = self.marks.len() - self.waiting;
        self.marks[from..].fill(node);
        self.waiting = 0;
    }

    /// A node is finished, and with it all nodes above it that waited for it only.
    fn finish(&mut self, mut node: NodeId) {
        loop {
            match self.frames.last_mut() {
                None => return,
                Some(&mut Frame::Attack(above)) => {
                    let child = *self.strategy.node(node);
                    let attack = &mut self.strategy.nodes[above as usize];
                    attack.first = node;
                    attack.height = child.height + 1;
                    attack.size = child.size.saturating_add(1);
                    node = above;
                }
                Some(Frame::Defence(above, left, from)) => {
                    *left -= 1;
                    if let Some(reply) = self.pending.last_mut() {
                        reply.child = node;
                    }
                    if *left > 0 {
                        return;
                    }
                    let (above, from) = (*above, *from);
                    self.close_defence(above, from);
                    node = above;
                }
            }
            self.frames.pop();
        }
    }

    /// A defence has all its replies: those that are pending from a place on.
    fn close_defence(&mut self, node: NodeId, from: usize) {
        let strategy = &mut self.strategy;
        let first = strategy.replies.len();
        strategy.replies.extend(self.pending.drain(from..));
        let replies = &strategy.replies[first..];
        let children = replies.iter().map(|reply| &strategy.nodes[reply.child as usize]);
        let height = children.clone().map(|child| child.height + 1).max().unwrap_or(0);
        let size = children.fold(1u32, |size, child| size.saturating_add(child.size));
        let count = replies.len() as u32;
        let defence = &mut strategy.nodes[node as usize];
        (defence.first, defence.count) = (first as u32, count);
        (defence.height, defence.size) = (height, size);
    }
}

fn number(n: usize) -> Result<u32, &'static str> {
    u32::try_from(n).map_err(|_| "too many squares to be walked")
}
