//! The proof: nodes in prefix order, read once, with an explicit stack. Every rule of
//! docs/certificate.md is applied here, and here only.

use std::io::BufRead;
use std::ops::ControlFlow;

use crate::board::{Board, Role, Seg, insert, members};
use crate::claim::{Claim, Square};
use crate::cover::{self, Replies};
use crate::grid::{Grid, Sq};
use crate::limits::{DEPTH_MAX, HELD_BYTES_MAX, SLACK_MAX, THREATS_MAX};
use crate::report::{
    Counts, FilePlace, Reason, Refusal, Rejection, RootZone, Turn, Unread, Unreadable, Verified,
    ZoneSegment,
};
use crate::token::{Tokens, number};
use crate::zone::{Meets, PackedZone, Threats, Zone};

/// A node on the stack that waits for the zone of its child.
enum Frame {
    /// A mark: the node below it is kept under this number.
    Mark(usize),
    /// An Attacker move of this number of stones.
    Attack(usize),
    /// A Defender node, with the reply that is being read.
    Defence(Box<Defence>),
}

/// A Defender node.
struct Defence {
    node: u64,
    place: FilePlace,
    /// The number of stones to place.
    t: usize,
    threats: Threats,
    replies: Replies,
    /// The number of replies still to come after the current one.
    replies_left: u64,
    /// The number of stones of the reply that is on the board, and its slack.
    current: Option<usize>,
    slack: usize,
    /// The union so far.
    zone: Zone,
    bytes: usize,
}

/// A finished marked node.
struct Kept {
    side: Role,
    t: usize,
    attackers: Box<[Sq]>,
    defenders: Box<[Sq]>,
    zone: PackedZone,
}

/// The caller's way to watch, and to stop, a long check.
pub trait CheckWatch {
    /// The header was read. Nothing is proved yet.
    fn claim(&mut self, _claim: &Claim) {}

    /// Called at intervals with the number of nodes read; a break stops the check.
    fn progress(&mut self, _nodes: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Watches nothing.
impl CheckWatch for () {}

/// The number of nodes between two calls of [`CheckWatch::progress`].
const PROGRESS_NODES: u64 = 1 << 14;

pub(crate) struct ProofChecker<'a, R> {
    tokens: Tokens<R>,
    claim: &'a Claim,
    grid: &'a Grid,
    board: Board,
    /// The stones placed since the root, in order.
    path: Vec<Sq>,
    frames: Vec<Frame>,
    kept: Vec<Option<Kept>>,
    counts: Counts,
    /// Moves from the root to the current node.
    depth: u64,
    side: Role,
    /// The number of stones to place at the current node.
    t: usize,
    /// The number of the node that is being read, and where it starts in the file.
    node: u64,
    place: FilePlace,
    /// The zone of the node that was finished last.
    result: Zone,
    held_bytes: u64,
    /// Finished Defender nodes, to be used again.
    #[expect(clippy::vec_box, reason = "they move between the stack and here")]
    spare: Vec<Box<Defence>>,
    meets: Meets,
    segments: Vec<Seg>,
    completed: Threats,
    squares: Vec<Sq>,
    scratch: cover::Scratch,
}

impl<'a, R: BufRead> ProofChecker<'a, R> {
    /// Starts at the root; `tokens` stands at the first node.
    pub(crate) fn new(tokens: Tokens<R>, claim: &'a Claim, grid: &'a Grid) -> ProofChecker<'a, R> {
        let mut board = Board::new(claim.game, grid);
        let sides = [(claim.attacker, Role::Attacker), (!claim.attacker, Role::Defender)];
        for (color, role) in sides {
            for &square in claim.stones_of(color) {
                board.place(grid.number(square).expect("a square of the header is named"), role);
            }
        }
        let result = Zone::new(&board);
        let place = tokens.place();
        let meets = Meets::new(&board);
        let attacking = claim.to_move == claim.attacker;
        ProofChecker {
            tokens,
            claim,
            grid,
            board,
            path: Vec::new(),
            frames: Vec::new(),
            kept: Vec::new(),
            counts: Counts::default(),
            depth: 0,
            side: if attacking { Role::Attacker } else { Role::Defender },
            t: claim.stones as usize,
            node: 1,
            place,
            result,
            held_bytes: 0,
            spare: Vec::new(),
            meets,
            segments: Vec::new(),
            completed: Threats::default(),
            squares: Vec::new(),
            scratch: cover::Scratch::default(),
        }
    }

    /// Reads and checks the whole proof, to the last byte of the file.
    pub(crate) fn check(mut self, watch: &mut dyn CheckWatch) -> Result<Verified, Refusal> {
        for (role, color) in
            [(Role::Attacker, self.claim.attacker), (Role::Defender, !self.claim.attacker)]
        {
            if self.board.has_line(role) {
                return Err(self.rejected(Reason::RootOver(color)));
            }
        }
        let mut reported = 0;
        loop {
            // Downwards: the checker reads a node, and its children wait for their turn on the
            // stack.
            let finished = self.read_node()?;
            if self.counts.nodes >= reported + PROGRESS_NODES {
                reported = self.counts.nodes;
                if watch.progress(reported).is_break() {
                    return Err(Unreadable { place: None, what: Unread::Stopped }.into());
                }
            }
            // Upwards: a finished node hands its zone to its parent.
            if finished && self.finish_parents()? {
                break;
            }
        }
        if !self.tokens.at_end() {
            let found = self.tokens.text();
            return Err(self.tokens.error(Unread::Trailing(found)).into());
        }
        Ok(Verified { claim: self.claim.clone(), counts: self.counts, zone: self.root_zone() })
    }

    /// Reads one node; true when it is finished, that is, has no child.
    fn read_node(&mut self) -> Result<bool, Refusal> {
        if self.frames.len() as u64 >= DEPTH_MAX {
            return Err(self.limit("depth"));
        }
        match self.tokens.peek() {
            b"W" => self.read_win().map(|()| true),
            b"A" => self.read_attack().map(|()| false),
            b"D" | b"D!" => self.read_defence(),
            b"@" => {
                self.tokens.advance()?;
                self.counts.marks += 1;
                self.frames.push(Frame::Mark(self.kept.len()));
                self.kept.push(None);
                Ok(false)
            }
            b"=" => self.read_reference().map(|()| true),
            _ => {
                let found = self.tokens.text();
                Err(self.tokens.error(Unread::UnknownToken(found)).into())
            }
        }
    }

    /// Counts a node of the given side and goes to its second token.
    fn begin(&mut self, side: Role) -> Result<(), Refusal> {
        self.counts.nodes += 1;
        (self.node, self.place) = (self.counts.nodes, self.tokens.place());
        self.counts.depth = self.counts.depth.max(self.depth);
        if self.side != side {
            return Err(self.rejected(Reason::WrongSide));
        }
        Ok(self.tokens.advance()?)
    }

    /// Attacker to move, winning now: exactly the empty squares of an Attacker-active segment.
    fn read_win(&mut self) -> Result<(), Refusal> {
        self.begin(Role::Attacker)?;
        self.counts.wins += 1;
        self.read_squares()?;
        if self.board.defender_lines > 0 {
            return Err(self.rejected(Reason::DefenderHasLine));
        }
        if self.squares.len() > self.t {
            let (stones, found) = (self.t as u32, self.squares.len() as u32);
            return Err(self.rejected(Reason::WinTooLong { stones, found }));
        }
        let Some(seg) = self.board.completed_by(&self.squares) else {
            return Err(self.rejected(Reason::NotAWin));
        };
        self.completed.clear();
        self.completed.add(&self.board, seg);
        self.result
            .set_to_threats(&self.board, &self.completed, 0, &mut self.meets)
            .map_err(|_| self.rejected(Reason::DefenderHasLine))
    }

    /// Attacker to move: t distinct empty squares, or all that are left, and one child.
    fn read_attack(&mut self) -> Result<(), Refusal> {
        self.begin(Role::Attacker)?;
        self.counts.attacks += 1;
        self.read_squares()?;
        let wanted = self.t.min(self.board.empty_count);
        if self.squares.len() != wanted {
            let (wanted, found) = (wanted as u32, self.squares.len() as u32);
            return Err(self.rejected(Reason::MoveSize { wanted, found }));
        }
        let count = self.play(Role::Attacker);
        self.frames.push(Frame::Attack(count));
        Ok(())
    }

    /// Defender to move: the threats relied on, and the replies.
    fn read_defence(&mut self) -> Result<bool, Refusal> {
        let relies_on_named = self.tokens.peek() == b"D!";
        self.begin(Role::Defender)?;
        self.counts.defences += 1;
        self.segments.clear();
        if relies_on_named {
            self.read_threats()?;
        } else {
            self.board.threats(&mut self.segments);
            if self.segments.len() as u64 > THREATS_MAX {
                return Err(self.limit("threats at one node"));
            }
        }
        let mut defence = self.new_defence()?;
        for &seg in &self.segments {
            defence.threats.add(&self.board, seg);
        }
        defence
            .zone
            .set_to_threats(&self.board, &defence.threats, self.t, &mut self.meets)
            .map_err(|seg| {
                let ends = self.board.ends(seg).map(|s| self.grid.square(s));
                self.rejected(Reason::Dangerous(ends))
            })?;
        defence.replies_left = self.tokens.number(u64::MAX)?;
        if defence.replies_left == 0 {
            self.finish_defence(defence)?;
            return Ok(true);
        }
        self.frames.push(Frame::Defence(defence));
        self.read_reply()?;
        Ok(false)
    }

    /// `D!`: the threats by their end squares.
    fn read_threats(&mut self) -> Result<(), Refusal> {
        let count = self.tokens.number(THREATS_MAX)?;
        for _ in 0..count {
            let ends = self
                .claim
                .game
                .parse_ends(self.tokens.peek())
                .ok_or_else(|| self.tokens.error(Unread::BadSegment(self.tokens.text())))?;
            let [a, b] = ends.map(|s| self.grid.number(s));
            let (Some(a), Some(b)) = (a, b) else { return Err(self.changed()) };
            if self.board.between([a, b]).next().is_none() {
                return Err(self.tokens.error(Unread::BadSegment(self.tokens.text())).into());
            }
            let threat =
                self.board.between([a, b]).find(|&g| self.board.is_threat(g, self.board.p));
            let Some(seg) = threat else {
                return Err(self.rejected_here(Reason::NotAThreat(ends)));
            };
            self.segments.push(seg);
            self.tokens.advance()?;
        }
        Ok(())
    }

    fn new_defence(&mut self) -> Result<Box<Defence>, Refusal> {
        let mut defence = match self.spare.pop() {
            Some(used) => used,
            None => {
                let zone = Zone::new(&self.board);
                self.hold(zone.bytes())?;
                Box::new(Defence {
                    node: 0,
                    place: self.place,
                    t: 0,
                    threats: Threats::default(),
                    replies: Replies::default(),
                    replies_left: 0,
                    current: None,
                    slack: 0,
                    zone,
                    bytes: 0,
                })
            }
        };
        defence.threats.clear();
        defence.replies.clear();
        (defence.node, defence.place, defence.t) = (self.node, self.place, self.t);
        Ok(defence)
    }

    /// `R sq… [~u]` of the Defender node on top of the stack.
    fn read_reply(&mut self) -> Result<(), Refusal> {
        if let Some(Frame::Defence(defence)) = self.frames.last() {
            (self.node, self.place) = (defence.node, defence.place);
        }
        self.tokens.keyword("R")?;
        self.read_squares()?;
        let stated = match self.tokens.peek() {
            [b'~', digits @ ..] => {
                let slack = number(digits).filter(|&u| u <= SLACK_MAX).ok_or_else(|| {
                    let found = self.tokens.text();
                    self.tokens.error(Unread::BadNumber { found, max: SLACK_MAX })
                })?;
                self.tokens.advance()?;
                // A level is at most k: more slack makes no difference.
                Some(slack.min(u64::from(u8::MAX)) as usize)
            }
            _ => None,
        };
        let Some(Frame::Defence(defence)) = self.frames.last_mut() else {
            unreachable!("replies are read below their Defender node only");
        };
        defence.replies_left -= 1;
        defence.current = Some(self.squares.len());
        defence.slack = stated.unwrap_or(defence.t.saturating_sub(self.squares.len()));
        let kind = match self.squares.len() {
            0 => &mut self.counts.null_replies,
            n if n < defence.t => &mut self.counts.semi_null_replies,
            n if n == defence.t => &mut self.counts.full_replies,
            _ => &mut self.counts.macro_replies,
        };
        *kind += 1;
        self.play(Role::Defender);
        Ok(())
    }

    /// `= i`: a finished marked node with the same position.
    fn read_reference(&mut self) -> Result<(), Refusal> {
        self.counts.references += 1;
        self.place = self.tokens.place();
        self.tokens.advance()?;
        let index = number(self.tokens.peek()).ok_or_else(|| {
            let found = self.tokens.text();
            self.tokens.error(Unread::BadNumber { found, max: u64::MAX })
        })?;
        let Some(kept) = self.kept.get(index as usize).filter(|_| index < u64::from(u32::MAX))
        else {
            return Err(self.rejected_here(Reason::NoSuchMark(index)));
        };
        let Some(kept) = kept else { return Err(self.rejected_here(Reason::Unfinished(index))) };
        let same = (kept.side, kept.t) == (self.side, self.t)
            && kept.attackers == self.placed(Role::Attacker)
            && kept.defenders == self.placed(Role::Defender);
        if !same {
            return Err(self.rejected_here(Reason::OtherPosition(index)));
        }
        self.result.set_to_packed(&kept.zone);
        Ok(self.tokens.advance()?)
    }

    /// The stones of a side placed since the root, in ascending order.
    fn placed(&self, role: Role) -> Box<[Sq]> {
        let own = |s: &Sq| self.board.at(*s) == Some(role);
        let mut squares: Vec<Sq> = self.path.iter().copied().filter(own).collect();
        squares.sort_unstable();
        squares.into()
    }

    /// Reads a list of distinct empty squares.
    fn read_squares(&mut self) -> Result<(), Refusal> {
        self.squares.clear();
        while self.claim.game.looks_like_square(self.tokens.peek()) {
            let Some(square) = self.claim.game.parse_square(self.tokens.peek()) else {
                let found = self.tokens.text();
                return Err(self.tokens.error(Unread::BadSquare(found)).into());
            };
            let Some(number) = self.grid.number(square) else { return Err(self.changed()) };
            if self.board.at(number).is_some() {
                return Err(self.rejected_here(Reason::Occupied(square)));
            }
            if self.squares.contains(&number) {
                return Err(self.rejected_here(Reason::Repeated(square)));
            }
            self.squares.push(number);
            self.tokens.advance()?;
        }
        Ok(())
    }

    /// Places the squares that were just read and gives the move to the other side.
    fn play(&mut self, role: Role) -> usize {
        for &square in &self.squares {
            self.board.place(square, role);
        }
        self.path.extend_from_slice(&self.squares);
        self.depth += 1;
        self.side = if role == Role::Attacker { Role::Defender } else { Role::Attacker };
        self.t = self.board.p;
        self.squares.len()
    }

    /// Takes back the last move, of `count` stones, of the given side.
    fn take_back(&mut self, count: usize, role: Role, t: usize) {
        for square in self.path.drain(self.path.len() - count..).rev() {
            self.board.take_back(square);
        }
        self.depth -= 1;
        self.side = role;
        self.t = t;
    }

    /// Hands the zone of a finished node to its parents, as long as these are finished, too. True
    /// when the root is finished; else the next reply was begun.
    fn finish_parents(&mut self) -> Result<bool, Refusal> {
        while let Some(frame) = self.frames.pop() {
            match frame {
                Frame::Mark(index) => self.keep(index)?,
                Frame::Attack(count) => {
                    for &square in &self.path[self.path.len() - count..] {
                        insert(&mut self.result.squares, square);
                    }
                    let at_root = self.depth == 1;
                    let t = if at_root { self.claim.stones as usize } else { self.board.p };
                    self.take_back(count, Role::Attacker, t);
                }
                Frame::Defence(mut defence) => {
                    self.finish_reply(&mut defence)?;
                    if defence.replies_left > 0 {
                        self.frames.push(Frame::Defence(defence));
                        self.read_reply()?;
                        return Ok(false);
                    }
                    self.finish_defence(defence)?;
                }
            }
        }
        Ok(true)
    }

    /// Takes the zone of a reply's child into the Defender node.
    fn finish_reply(&mut self, defence: &mut Defence) -> Result<(), Refusal> {
        let count = defence.current.take().expect("a reply is on the board");
        let squares = &self.path[self.path.len() - count..];
        self.squares.clear();
        self.squares.extend_from_slice(squares);
        self.take_back(count, Role::Defender, defence.t);
        defence.zone.add_shifted(&self.result, defence.slack as u8);
        let slack = defence.slack.min(defence.t);
        let bytes = defence.replies.add(&self.board, &self.squares, slack, &self.result);
        defence.bytes += bytes;
        self.hold(bytes)
    }

    /// All replies were read: every Defender move must be covered.
    fn finish_defence(&mut self, mut defence: Box<Defence>) -> Result<(), Refusal> {
        let Defence { t, threats, replies, .. } = &*defence;
        match cover::uncovered(&self.board, *t, threats, replies, &mut self.scratch) {
            Err(cover::TooComplex) => return Err(self.limit("steps to find an uncovered move")),
            Ok(Some(squares)) => {
                let squares = squares.into_iter().map(|s| self.grid.square(s)).collect();
                let reason = Reason::Uncovered(squares);
                return Err(self.rejected_at(defence.place, defence.node, reason));
            }
            Ok(None) => {}
        }
        std::mem::swap(&mut self.result, &mut defence.zone);
        self.held_bytes -= std::mem::take(&mut defence.bytes) as u64;
        self.spare.push(defence);
        Ok(())
    }

    /// Keeps the node that was just finished, under its mark.
    fn keep(&mut self, index: usize) -> Result<(), Refusal> {
        let kept = Kept {
            side: self.side,
            t: self.t,
            attackers: self.placed(Role::Attacker),
            defenders: self.placed(Role::Defender),
            zone: self.result.pack(),
        };
        let stones = kept.attackers.len() + kept.defenders.len();
        let bytes = size_of::<Kept>() + stones * size_of::<Sq>() + kept.zone.bytes();
        self.kept[index] = Some(kept);
        self.hold(bytes)
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.held_bytes += bytes as u64;
        if self.held_bytes > HELD_BYTES_MAX { Err(self.limit("memory")) } else { Ok(()) }
    }

    fn limit(&self, what: &'static str) -> Refusal {
        Unreadable { place: Some(self.tokens.place()), what: Unread::Limit(what) }.into()
    }

    fn changed(&self) -> Refusal {
        Unreadable { place: Some(self.tokens.place()), what: Unread::Changed }.into()
    }

    /// A rejection of the current node, at its own place in the file.
    fn rejected(&self, reason: Reason) -> Refusal {
        self.rejected_at(self.place, self.node, reason)
    }

    /// A rejection for the token that is being read.
    fn rejected_here(&self, reason: Reason) -> Refusal {
        self.rejected_at(self.tokens.place(), self.node, reason)
    }

    fn rejected_at(&self, place: FilePlace, node: u64, reason: Reason) -> Refusal {
        Refusal::Rejected(Box::new(Rejection {
            claim: self.claim.clone(),
            node,
            place,
            line: self.line(),
            reason,
        }))
    }

    /// The moves from the root to the current node.
    fn line(&self) -> Vec<Turn> {
        let mut from = 0;
        let mut turn = |color, count| {
            let stones = &self.path[from..from + count];
            from += count;
            Turn { color, squares: stones.iter().map(|&s| self.grid.square(s)).collect() }
        };
        self.frames
            .iter()
            .filter_map(|frame| match frame {
                Frame::Mark(_) => None,
                Frame::Attack(count) => Some(turn(self.claim.attacker, *count)),
                Frame::Defence(defence) => {
                    defence.current.map(|count| turn(!self.claim.attacker, count))
                }
            })
            .collect()
    }

    fn root_zone(&self) -> RootZone {
        let square = |s: Sq| -> Square { self.grid.square(s) };
        let segments = self.result.segments().map(|(seg, level)| ZoneSegment {
            ends: self.board.ends(seg).map(square),
            level: u32::from(level),
        });
        RootZone {
            squares: members(&self.result.squares).map(square).collect(),
            segments: segments.collect(),
        }
    }
}
