//! What an edit did, as data: the page shows it in the language of its reader, and other programs
//! its English form.

use std::fmt;

/// What an edit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The kind of edit.
    pub kind: DeedKind,
    /// The names of the squares that it is about.
    pub squares: Vec<String>,
    /// The number of the move at which something was written or drawn; 0 at the start.
    pub turn: Option<u32>,
    /// The number of nodes that were added or removed.
    pub nodes: Option<usize>,
    /// SGF's key of the fact that was changed.
    pub key: Option<String>,
}

/// The kinds of [`Deed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeedKind {
    /// A move was played.
    Move,
    /// A side passed.
    Pass,
    /// A node and all below it were deleted.
    Delete,
    /// Siblings changed places.
    Order,
    /// A line became the main line.
    MainLine,
    /// A node got another name.
    Name,
    /// A node got another comment.
    Comment,
    /// A square was labelled.
    Label,
    /// A square was marked.
    Mark,
    /// An arrow was drawn.
    Arrow,
    /// Squares became pale.
    Dim,
    /// A position was set up.
    Setup,
    /// The document got another title.
    Title,
    /// A fact about the game was changed.
    Fact,
    /// A tree was pasted.
    Paste,
    /// An edit that could not be made again ([`Document::leave_out`](crate::Document)).
    LeftOut,
}

impl Deed {
    pub(crate) fn new(kind: DeedKind) -> Deed {
        Deed { kind, squares: Vec::new(), turn: None, nodes: None, key: None }
    }

    #[must_use]
    pub(crate) fn on(mut self, squares: impl IntoIterator<Item = String>) -> Deed {
        self.squares.extend(squares);
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, turn: u32) -> Deed {
        self.turn = Some(turn);
        self
    }

    #[must_use]
    pub(crate) fn of_nodes(mut self, count: usize) -> Deed {
        self.nodes = Some(count);
        self
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            DeedKind::Move => "move",
            DeedKind::Pass => "pass",
            DeedKind::Delete => "delete",
            DeedKind::Order => "order of the variations",
            DeedKind::MainLine => "new main line",
            DeedKind::Name => "name",
            DeedKind::Comment => "comment",
            DeedKind::Label => "label",
            DeedKind::Mark => "mark",
            DeedKind::Arrow => "arrow",
            DeedKind::Dim => "pale squares",
            DeedKind::Setup => "set-up",
            DeedKind::Title => "title",
            DeedKind::Fact => "fact",
            DeedKind::Paste => "paste",
            DeedKind::LeftOut => "an edit that was left out",
        })?;
        for square in &self.squares {
            write!(f, " {square}")?;
        }
        match self.nodes {
            Some(1) => f.write_str(" 1 node")?,
            Some(count) => write!(f, " {count} nodes")?,
            None => {}
        }
        if let Some(key) = &self.key {
            write!(f, " {key}")?;
        }
        match self.turn {
            Some(0) => f.write_str(" at the start"),
            Some(turn) => write!(f, " at move {turn}"),
            None => Ok(()),
        }
    }
}
