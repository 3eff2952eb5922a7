//! The checker's outcome: verified, rejected (and why), or unreadable (and where).

use std::fmt;

use crate::claim::{Claim, Color, Square};

/// A place in the file, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The line.
    pub line: u64,
    /// The column: the byte within the line.
    pub column: u64,
}

/// The claim is true: every node obeys the rules, and the file was read to its last byte.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What was proved.
    pub claim: Claim,
    /// What the proof consists of.
    pub counts: Counts,
    /// The zone of the root: what the proof depends on.
    pub zone: RootZone,
}

/// The counts of a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes `W`, `A` and `D`; references are not counted.
    pub nodes: u64,
    /// Nodes at which Attacker completes a line.
    pub wins: u64,
    /// Nodes at which Attacker plays on.
    pub attacks: u64,
    /// Nodes with Defender to move.
    pub defences: u64,
    /// Replies without a stone.
    pub null_replies: u64,
    /// Replies with some stones, but fewer than the move has.
    pub semi_null_replies: u64,
    /// Replies with as many stones as the move has.
    pub full_replies: u64,
    /// Replies with more stones than the move has.
    pub macro_replies: u64,
    /// Marked nodes.
    pub marks: u64,
    /// References to them.
    pub references: u64,
    /// The greatest number of moves from the root to a node.
    pub depth: u64,
}

/// The zone of the root in terms of the board: Attacker also wins with extra Defender stones on any
/// set of squares that avoids `squares` and has fewer than `level` stones in each segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootZone {
    /// The set A, row by row from the bottom.
    pub squares: Vec<Square>,
    /// The segments of S1, S2, …, each with its least level, by their end squares.
    pub segments: Vec<ZoneSegment>,
}

/// A segment of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneSegment {
    /// The two end squares.
    pub ends: [Square; 2],
    /// The number of extra Defender stones in it that would matter.
    pub level: u32,
}

impl RootZone {
    /// The squares on which a single extra stone would matter: A and the segments of S1.
    pub fn first_layer(&self) -> Vec<Square> {
        let segments = self.segments.iter().filter(|segment| segment.level == 1);
        segments.flat_map(ZoneSegment::squares).chain(self.squares.iter().copied()).collect()
    }
}

impl ZoneSegment {
    /// The squares from end to end.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let [a, b] = self.ends;
        let steps = (b.x - a.x).abs().max((b.y - a.y).abs());
        let (dx, dy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
        (0..=steps).map(move |i| Square { x: a.x + i * dx, y: a.y + i * dy })
    }
}

/// Why a file was not verified.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// A certificate that does not prove its claim.
    Rejected(Box<Rejection>),
    /// Not a certificate, or one beyond the limits: nothing can be said about its claim.
    Unreadable(Unreadable),
}

impl From<Unreadable> for Refusal {
    fn from(unreadable: Unreadable) -> Refusal {
        Refusal::Unreadable(unreadable)
    }
}

/// A rule is broken at a node.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// What the file claims.
    pub claim: Claim,
    /// The number of the node in the file, from 1.
    pub node: u64,
    /// Where the node, or what is wrong in it, stands in the file.
    pub place: FilePlace,
    /// The moves from the root to the node.
    pub line: Vec<Turn>,
    /// The broken rule.
    pub reason: Reason,
}

/// One step of the line played to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side that moved.
    pub color: Color,
    /// The stones, as the file gives them; empty in a null move.
    pub squares: Vec<Square>,
}

/// The rule that a node breaks (docs/certificate.md, Rules), with what is needed to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game is over at the root: this side has k in a row.
    RootOver(Color),
    /// `W` or `A` where Defender is to move, or `D` where Attacker is.
    WrongSide,
    /// A square that already has a stone.
    Occupied(Square),
    /// The same square twice in one move.
    Repeated(Square),
    /// Attacker's move has another number of stones than it must have.
    MoveSize {
        /// The number that it must have.
        wanted: u32,
        /// The number that it has.
        found: u32,
    },
    /// `W` names squares that are not exactly the empty squares of a segment free of Defender
    /// stones (and, under the exact rule, without an Attacker stone just beyond an end).
    NotAWin,
    /// `W` needs more stones than Attacker has in this move.
    WinTooLong {
        /// The number of stones in the move.
        stones: u32,
        /// The number of squares named.
        found: u32,
    },
    /// Attacker completes a line, but Defender has one already.
    DefenderHasLine,
    /// `D!` relies on a segment that is no threat.
    NotAThreat([Square; 2]),
    /// Defender can complete this segment at once, or could with the stones a zone allows him.
    Dangerous([Square; 2]),
    /// No reply covers this Defender move.
    Uncovered(Vec<Square>),
    /// A reference to a mark that does not exist yet.
    NoSuchMark(u64),
    /// A reference to a node that is not finished: it would prove itself.
    Unfinished(u64),
    /// A reference to a node with other stones, another side to move or other stones to place.
    OtherPosition(u64),
}

impl Reason {
    /// A short name, one for each kind of reason.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::RootOver(_) => "root-over",
            Reason::WrongSide => "wrong-side",
            Reason::Occupied(_) => "occupied",
            Reason::Repeated(_) => "repeated",
            Reason::MoveSize { .. } => "move-size",
            Reason::NotAWin => "not-a-win",
            Reason::WinTooLong { .. } => "win-too-long",
            Reason::DefenderHasLine => "defender-has-line",
            Reason::NotAThreat(_) => "not-a-threat",
            Reason::Dangerous(_) => "dangerous",
            Reason::Uncovered(_) => "uncovered",
            Reason::NoSuchMark(_) => "no-such-mark",
            Reason::Unfinished(_) => "unfinished",
            Reason::OtherPosition(_) => "other-position",
        }
    }
}

impl Rejection {
    /// The reason in one sentence.
    pub fn explain(&self) -> String {
        let name = |s: &Square| self.claim.game.square_name(*s);
        let names = |list: &[Square]| list.iter().map(name).collect::<Vec<_>>().join(" ");
        let (attacker, defender) = (self.claim.attacker.title(), (!self.claim.attacker).title());
        match &self.reason {
            Reason::RootOver(color) => {
                format!("the game is over at the root: {} has k in a row", color.title())
            }
            Reason::WrongSide => "the other side is to move here".to_string(),
            Reason::Occupied(s) => format!("{} has a stone already", name(s)),
            Reason::Repeated(s) => format!("{} stands twice in one move", name(s)),
            Reason::MoveSize { wanted, found } => {
                format!("{attacker} must place {wanted} stones here, not {found}")
            }
            Reason::NotAWin => {
                format!("these squares are not exactly what {attacker} needs to complete a line")
            }
            Reason::WinTooLong { stones, found } => {
                format!("{attacker} has {stones} stones in this move, the line needs {found}")
            }
            Reason::DefenderHasLine => format!("{defender} has a line already"),
            Reason::NotAThreat(ends) => {
                format!("{}-{} is no threat of {attacker}", name(&ends[0]), name(&ends[1]))
            }
            Reason::Dangerous(ends) => format!(
                "{defender} can complete {}-{} instead of answering the threats relied on",
                name(&ends[0]),
                name(&ends[1])
            ),
            Reason::Uncovered(squares) if squares.is_empty() => {
                format!("no reply covers that {defender} cannot move (the board is full)")
            }
            Reason::Uncovered(squares) => {
                format!("no reply covers {defender}'s move {}", names(squares))
            }
            Reason::NoSuchMark(i) => format!("there is no marked node {i} yet"),
            Reason::Unfinished(i) => format!("marked node {i} is not finished here"),
            Reason::OtherPosition(i) => format!(
                "marked node {i} has other stones, another side to move or other stones to place"
            ),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}, line {}: {}", self.node, self.place.line, self.explain())
    }
}

/// Why a file is no certificate, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Where, unless the file could not be read at all.
    pub place: Option<FilePlace>,
    /// Why.
    pub what: Unread,
}

/// Why a file is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The system could not read it.
    Io(String),
    /// It does not start with `sixproof-certificate`.
    NotACertificate,
    /// A version that this checker does not know.
    Version(String),
    /// The file ends too soon.
    Truncated,
    /// Something follows the last node.
    Trailing(String),
    /// Another token than the only one that is possible here.
    Expected {
        /// The possible one.
        wanted: &'static str,
        /// The one in the file.
        found: String,
    },
    /// No token of the format.
    UnknownToken(String),
    /// A token longer than any token of the format.
    TokenTooLong,
    /// Not a number, or one beyond its limit.
    BadNumber {
        /// The text.
        found: String,
        /// The largest number possible here.
        max: u64,
    },
    /// Not a square of this board.
    BadSquare(String),
    /// Not a segment of this board, named by its two ends.
    BadSegment(String),
    /// Parameters that make no game.
    BadGame(String),
    /// A stone given twice in the header.
    StoneTwice(String),
    /// A limit of the checker, by what it limits.
    Limit(&'static str),
    /// The file was not the same when it was read a second time.
    Changed,
    /// The caller asked to stop.
    Stopped,
}

impl Unread {
    /// A short name, one for each kind of reason.
    pub fn name(&self) -> &'static str {
        match self {
            Unread::Io(_) => "io",
            Unread::NotACertificate => "not-a-certificate",
            Unread::Version(_) => "version",
            Unread::Truncated => "truncated",
            Unread::Trailing(_) => "trailing",
            Unread::Expected { .. } => "expected",
            Unread::UnknownToken(_) => "unknown-token",
            Unread::TokenTooLong => "token-too-long",
            Unread::BadNumber { .. } => "bad-number",
            Unread::BadSquare(_) => "bad-square",
            Unread::BadSegment(_) => "bad-segment",
            Unread::BadGame(_) => "bad-game",
            Unread::StoneTwice(_) => "stone-twice",
            Unread::Limit(_) => "limit",
            Unread::Changed => "changed",
            Unread::Stopped => "stopped",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Io(error) => write!(f, "cannot be read: {error}"),
            Unread::NotACertificate => {
                f.write_str("not a certificate: it must start with `sixproof-certificate 1`")
            }
            Unread::Version(found) => {
                write!(f, "version `{found}` is not known; this checker reads version 1")
            }
            Unread::Truncated => f.write_str("the file ends too soon"),
            Unread::Trailing(found) => write!(f, "`{found}` follows the last node"),
            Unread::Expected { wanted, found } => write!(f, "expected `{wanted}`, not `{found}`"),
            Unread::UnknownToken(found) => {
                write!(f, "`{found}` is no node; expected W, A, D, D!, @ or =")
            }
            Unread::TokenTooLong => f.write_str("a word too long to be of this format"),
            Unread::BadNumber { found, max } => {
                write!(f, "`{found}` is not a number from 0 to {max}")
            }
            Unread::BadSquare(found) => write!(f, "`{found}` is not a square of this board"),
            Unread::BadSegment(found) => {
                write!(f, "`{found}` is not a segment of this game (two end squares, k squares)")
            }
            Unread::BadGame(why) => f.write_str(why),
            Unread::StoneTwice(found) => write!(f, "`{found}` has a stone already"),
            Unread::Limit(what) => write!(f, "beyond the limits of this checker: {what}"),
            Unread::Changed => f.write_str("the file changed while it was read"),
            Unread::Stopped => f.write_str("stopped"),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(FilePlace { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        self.what.fmt(f)
    }
}

/// A number with its word, in the plural where that is due: `1 win`, `2 wins`.
fn count(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let replies = [
            (self.null_replies, "null"),
            (self.semi_null_replies, "semi-null"),
            (self.full_replies, "full"),
            (self.macro_replies, "macro"),
        ];
        let nodes = [(self.wins, "win"), (self.attacks, "attack"), (self.defences, "defence")];
        let nodes = nodes.map(|(number, word)| count(number, word)).join(", ");
        writeln!(f, "nodes       {} ({nodes})", self.nodes)?;
        let total: u64 = replies.iter().map(|(number, _)| number).sum();
        let replies = replies.map(|(number, kind)| format!("{number} {kind}")).join(", ");
        writeln!(f, "replies     {total} ({replies})")?;
        let marks = count(self.marks, "marked node");
        writeln!(f, "references  {} to {marks}", self.references)?;
        write!(f, "depth       {}", count(self.depth, "move"))
    }
}

impl fmt::Display for RootZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let highest = self.segments.iter().map(|s| s.level).max().unwrap_or(0);
        write!(f, "root zone   {}", count(self.squares.len() as u64, "square"))?;
        for level in 1..=highest {
            let segments = self.segments.iter().filter(|s| s.level == level).count() as u64;
            if segments > 0 {
                write!(f, ", {} of level {level}", count(segments, "segment"))?;
            }
        }
        Ok(())
    }
}

impl Rejection {
    /// The line played to the node, as text: `black K11 L10 / white null / …`, or `(the root)`.
    pub fn line_text(&self) -> String {
        if self.line.is_empty() {
            return "(the root)".to_string();
        }
        let turns = self.line.iter().map(|turn| {
            let squares: Vec<_> =
                turn.squares.iter().map(|&s| self.claim.game.square_name(s)).collect();
            let stones = if squares.is_empty() { "null".to_string() } else { squares.join(" ") };
            format!("{} {stones}", turn.color.title().to_lowercase())
        });
        turns.collect::<Vec<_>>().join(" / ")
    }
}
