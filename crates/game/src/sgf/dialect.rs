//! The meaning of a file: from the syntax tree to a [`Record`].
//!
//! The dialects differ in two things, which the reader distinguishes here and in `point.rs`: the
//! game ([`game_of`]) and the names of squares. Whether moves have one stone per node, two in one
//! value (`W[jhmk]`), or two properties in one node (`W[ih]W[hi]`) makes no difference: stones
//! count in the order in which they stand.

use std::collections::BTreeMap;

use super::point::Points;
use super::tree::{Collection, Property, SgfNode, Value, is_identifier};
use crate::record::Mark;
use crate::{BOARD_MAX, Color, Game, InputError, NodeId, Record, Square, record, rules};

/// The most squares that the lists of a file may name together (`AB[aa:ss]` names 361).
pub const POINTS_MAX: usize = 4_000_000;

/// The facts about a game that are read into [`Record::info`] and written from it, in the format's
/// words: players, ranks, teams, event, round, date, place, result, source, and so on.
pub const INFO_KEYS: [&str; 20] = [
    "PB", "PW", "BR", "WR", "BT", "WT", "EV", "RO", "DT", "PC", "RE", "GN", "SO", "US", "AN", "CP",
    "ON", "TM", "OT", "GC",
];

/// The key whose text may have more than one line.
pub(super) const GAME_COMMENT: &str = "GC";

/// Our own property for [`record::Node::left`].
pub(super) const STONES_LEFT: &str = "SXL";

/// Our own property for one of [`record::Node::results`].
pub(super) const RESULT: &str = "SXR";

/// Our own property for the game, where `RU` has the rules of another.
pub(super) const GAME: &str = "SXG";

/// The properties of marks, in the order in which they are written.
pub(super) const MARKS: [(&str, Mark); 4] =
    [("TR", Mark::Triangle), ("SQ", Mark::Square), ("CR", Mark::Circle), ("MA", Mark::Cross)];

/// Words that stand where a stone would: the game ended without one. (Read as pairs, `resign` would
/// be three stones.)
const WORDS: [&str; 2] = ["resign", "timeout"];

/// Whether a property of the root belongs to the head that [`from_record`](super::from_record)
/// writes.
fn says_what_file_it_is(name: &str) -> bool {
    ["FF", "GM", "CA", "AP", "SZ", "RU", GAME].contains(&name) || INFO_KEYS.contains(&name)
}

/// How to read a file that leaves something open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The game, for files that do not name it (`RU[connect(…)]`). If the file has a size (`SZ`),
    /// that is the size.
    pub game: Option<Game>,
    /// Whether rows run from the other side than usual.
    pub flip: bool,
    /// Which game tree of the file, from 0.
    pub tree: usize,
}

/// Reads a file: [`parse`](super::parse()) and [`interpret`].
pub fn read(bytes: &[u8], options: &Options) -> Result<Record, InputError> {
    interpret(&super::parse(bytes)?, options)
}

/// The record of one game tree. Its nodes are those of the tree, in the order of the file.
///
/// Stones off the board or on another stone are errors. Whether the right side moves, and whether
/// the game is over, is not judged here ([`Record::reach`] does).
pub fn interpret(collection: &Collection, options: &Options) -> Result<Record, InputError> {
    let root = collection.root(options.tree)?;
    let game = game_of(collection, root, options)?;
    let mut reader = Reader {
        collection,
        points: Points { game, flip: options.flip },
        points_left: POINTS_MAX,
        board: BTreeMap::new(),
    };
    let mut record = Record::new(game);
    record.info = reader.info(root, game);
    // The nodes from the root to the last one read, each with what it changed on the board.
    let mut path: Vec<(NodeId, Undo)> = Vec::new();
    let mut todo: Vec<(NodeId, Option<NodeId>)> = vec![(root, None)];
    while let Some((id, parent)) = todo.pop() {
        while path.last().map(|(id, _)| *id) != parent
            && let Some((_, undo)) = path.pop()
        {
            reader.undo(undo);
        }
        let (node, undo) = reader.node(collection.node(id))?;
        let new = match parent {
            None => {
                record.set(0, node);
                0
            }
            Some(parent) => record.add(parent, node),
        };
        path.push((new, undo));
        todo.extend(collection.node(id).children().iter().rev().map(|&child| (child, Some(new))));
    }
    Ok(record)
}

/// The game of a tree. In this order:
///
/// 1. `RU[connect(m,n,k,p,q)]`, our own form, says it all, as does `SXG` beside other rules; so
///    does a name that we know.
/// 2. The game that the caller names, on a board of the size that the file gives.
/// 3. `GM[4]` is Go-Moku or Renju: five in a row, one stone a move, 15 x 15 without `SZ`; so are
///    files with words such as `RU[Renju]`. Exactly five win where the rules say so
///    (`RU[Standard]`). Rules that are not those of the game are kept ([`Record::other_rules`]).
/// 4. All else is taken for Connect6, 19 x 19 without `SZ`: Connect6 has no number of its own, and
///    its files have `GM[511]`, no `GM` (Little Golem), or even Go's `GM[1]`. Two stones in a move
///    would lead here as well, so there is no need to look for them.
pub(super) fn game_of(
    collection: &Collection,
    root: NodeId,
    options: &Options,
) -> Result<Game, InputError> {
    let node = collection.node(root);
    let first = |name: &str| {
        let value = node.property(name)?.values().first()?;
        Some((collection.charset().decode_line(&value.bytes), value))
    };
    let size = match first("SZ") {
        Some((text, value)) => Some((
            size_of(&text).ok_or_else(|| {
                error(value, format!("`{}` is not a size", text.trim()))
                    .help(format!("write `SZ[19]` or `SZ[19:15]`, up to {BOARD_MAX}"))
            })?,
            value,
        )),
        None => None,
    };
    if let Some((text, value)) = first(GAME).or_else(|| first("RU")) {
        let named = text.parse::<Game>();
        let ours = text.trim().to_ascii_lowercase().starts_with("connect(");
        match (named, size) {
            (Ok(game), Some((size, _))) if ours && size != (game.cols(), game.rows()) => {
                let message = format!("`SZ` and `RU[{}]` disagree on the board", text.trim());
                return Err(error(value, message));
            }
            (Ok(game), None) => return Ok(game),
            (Ok(game), Some((size, sized))) => return resized(game, size, sized),
            (Err(reason), _) if ours => return Err(error(value, reason.to_string())),
            // The rules of other programs: `RU[Japanese]`.
            (Err(_), _) => {}
        }
    }
    let words = first("RU").map(|(text, _)| text).unwrap_or_default();
    let is_five =
        first("GM").is_some_and(|(number, _)| number.trim() == "4") || rules::are_of_five(&words);
    let game = match options.game {
        Some(game) => game,
        None if is_five => {
            Game::new(15, 15, 5, 1, 1, rules::are_exact(&words)).expect("Go-Moku is a game")
        }
        None => Game::CONNECT6,
    };
    size.map_or(Ok(game), |(size, value)| resized(game, size, value))
}

/// Whether some move of the game can have this number of stones left.
pub(super) fn can_be_left(game: Game, left: u32) -> bool {
    (1..=game.p().max(game.q())).contains(&left)
}

fn size_of(text: &str) -> Option<(u32, u32)> {
    let (cols, rows) = text.split_once(':').unwrap_or((text, text));
    let size = (cols.trim().parse().ok()?, rows.trim().parse().ok()?);
    (1..=BOARD_MAX).contains(&size.0).then_some(())?;
    (1..=BOARD_MAX).contains(&size.1).then_some(size)
}

fn resized(game: Game, (cols, rows): (u32, u32), value: &Value) -> Result<Game, InputError> {
    game.resized(cols, rows).map_err(|reason| error(value, reason.to_string()))
}

fn error(value: &Value, message: impl Into<String>) -> InputError {
    InputError::new(value.offset.0, value.bytes.len(), message)
}

/// Reads texts. There should be one, but where a node has several, none is lost.
fn append(text: &mut String, between: &str, property: &Property, decode: impl Fn(&[u8]) -> String) {
    for value in property.values() {
        if !text.is_empty() {
            text.push_str(between);
        }
        text.push_str(&decode(&value.bytes));
    }
}

/// The stones on the squares that a node changed, before it, the last change last.
type Undo = Vec<(Square, Option<Color>)>;

struct Reader<'a> {
    collection: &'a Collection,
    points: Points,
    points_left: usize,
    board: BTreeMap<Square, Color>,
}

impl Reader<'_> {
    fn info(&self, root: NodeId, game: Game) -> Vec<(String, String)> {
        let (charset, root) = (self.collection.charset(), self.collection.node(root));
        let mut info = Vec::new();
        let words = root.property(rules::RULES).and_then(|property| property.values().first());
        let words = words.map(|value| charset.decode_line(&value.bytes));
        if let Some(words) = words.filter(|words| rules::are_kept(game, words)) {
            info.push((rules::RULES.to_string(), words));
        }
        for property in root.properties() {
            let name = property.name();
            for value in property.values().iter().filter(|_| INFO_KEYS.contains(&&*name)) {
                let text = match &*name {
                    GAME_COMMENT => charset.decode(&value.bytes),
                    _ => charset.decode_line(&value.bytes),
                };
                if !text.is_empty() {
                    info.push((name.to_string(), text));
                }
            }
        }
        info
    }

    /// One node, played on the board.
    fn node(&mut self, node: &SgfNode) -> Result<(record::Node, Undo), InputError> {
        let mut new = record::Node::default();
        let mut undo = Undo::new();
        // The format has set-up and moves in separate nodes. Where they stand together, the set-up
        // comes first.
        self.set_up(node, &mut new, &mut undo)?;
        let charset = self.collection.charset();
        for property in node.properties() {
            match &*property.name() {
                "B" => self.stones(Color::Black, property, &mut new, &mut undo)?,
                "W" => self.stones(Color::White, property, &mut new, &mut undo)?,
                "C" => append(&mut new.comment, "\n", property, |v| charset.decode(v)),
                "N" => append(&mut new.name, " ", property, |v| charset.decode_line(v)),
                "LB" => {
                    for value in property.values() {
                        new.labels.push(self.label(value)?);
                    }
                }
                RESULT => {
                    let texts = property.values().iter().map(|v| charset.decode(&v.bytes));
                    new.results.extend(texts.filter(|text| !text.is_empty()));
                }
                name if self.drawn(name, property, &mut new)? => {}
                "AB" | "AW" | "AE" | "PL" | STONES_LEFT => {}
                // The head of a file is written anew.
                name if node.parent().is_none() && says_what_file_it_is(name) => {}
                name if is_identifier(name) => {
                    let values = property.values().iter().map(|v| charset.to_utf8(&v.bytes));
                    new.other.push((name.to_string(), values.collect()));
                }
                _ => {}
            }
        }
        Ok((new, undo))
    }

    /// Reads marks, arrows and dimmed squares; whether it was such a property. Arrows and dimmed
    /// squares that make no sense (and `DD[]`, which ends what an earlier node has begun) are left
    /// to be kept as they are.
    fn drawn(
        &mut self,
        name: &str,
        property: &Property,
        new: &mut record::Node,
    ) -> Result<bool, InputError> {
        if let Some(&(_, kind)) = MARKS.iter().find(|(ident, _)| *ident == name) {
            for value in property.values() {
                new.marks.extend(self.list(value)?.into_iter().map(|square| (square, kind)));
            }
            return Ok(true);
        }
        let arrow = |value: &Value| {
            let text = self.ascii(value);
            let (from, to) = text.split_once(':')?;
            match (&self.points.squares(from).ok()?[..], &self.points.squares(to).ok()?[..]) {
                (&[from], &[to]) => Some((from, to)),
                _ => None,
            }
        };
        if name == "AR"
            && let Some(arrows) = property.values().iter().map(arrow).collect::<Option<Vec<_>>>()
        {
            new.arrows.extend(arrows);
            return Ok(true);
        }
        let sound = |value: &Value| {
            self.points.list(&self.ascii(value), 1).is_ok_and(|squares| !squares.is_empty())
        };
        if name == "DD" && property.values().iter().all(sound) {
            for value in property.values() {
                new.dimmed.extend(self.list(value)?);
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn set_up(
        &mut self,
        node: &SgfNode,
        new: &mut record::Node,
        undo: &mut Undo,
    ) -> Result<(), InputError> {
        let mut squares: BTreeMap<Square, Option<Color>> = BTreeMap::new();
        for property in node.properties() {
            let content = match &*property.name() {
                "AB" => Some(Color::Black),
                "AW" => Some(Color::White),
                "AE" => None,
                "PL" => {
                    new.player = self.player(property)?;
                    continue;
                }
                STONES_LEFT => {
                    new.left = self.left(property)?;
                    continue;
                }
                _ => continue,
            };
            for value in property.values() {
                for square in self.list(value)? {
                    match squares.insert(square, content) {
                        None => new.setup.push((square, content)),
                        Some(before) if before == content => {}
                        Some(_) => {
                            let name = self.points.game.square_name(square);
                            let message = format!("{name} is set up twice in one node");
                            return Err(error(value, message));
                        }
                    }
                }
            }
        }
        for &(square, content) in &new.setup {
            undo.push((square, self.put(square, content)));
        }
        Ok(())
    }

    fn stones(
        &mut self,
        color: Color,
        property: &Property,
        new: &mut record::Node,
        undo: &mut Undo,
    ) -> Result<(), InputError> {
        for value in property.values() {
            for square in self.squares(value)? {
                if let Some(taken) = self.board.get(&square) {
                    let name = self.points.game.square_name(square);
                    let message = format!("{name} is taken by a {taken} stone already");
                    return Err(error(value, message));
                }
                undo.push((square, self.put(square, Some(color))));
                new.stones.push((color, square));
            }
        }
        Ok(())
    }

    fn put(&mut self, square: Square, content: Option<Color>) -> Option<Color> {
        match content {
            Some(color) => self.board.insert(square, color),
            None => self.board.remove(&square),
        }
    }

    fn undo(&mut self, undo: Undo) {
        for (square, content) in undo.into_iter().rev() {
            self.put(square, content);
        }
    }

    fn player(&self, property: &Property) -> Result<Option<Color>, InputError> {
        let Some(value) = property.values().first() else { return Ok(None) };
        let text = self.collection.charset().decode_line(&value.bytes);
        match text.trim().to_ascii_lowercase().as_str() {
            "" => Ok(None),
            // Some programs count the sides.
            "b" | "black" | "1" => Ok(Some(Color::Black)),
            "w" | "white" | "2" => Ok(Some(Color::White)),
            _ => Err(error(value, format!("`{}` is not a side", text.trim()))
                .help("write `PL[B]` or `PL[W]`")),
        }
    }

    fn left(&self, property: &Property) -> Result<Option<u32>, InputError> {
        let Some(value) = property.values().first() else { return Ok(None) };
        let (text, game) = (self.ascii(value), self.points.game);
        match text.trim().parse().ok().filter(|&left| can_be_left(game, left)) {
            Some(left) => Ok(Some(left)),
            None => {
                let message = format!("`{}` is not a number of stones of a move", text.trim());
                Err(self.off(value, message))
            }
        }
    }

    fn label(&self, value: &Value) -> Result<(Square, String), InputError> {
        let Some((point, text)) = self.collection.charset().decode_pair(&value.bytes) else {
            return Err(error(value, "a label without a colon").help("write `LB[jj:A]`"));
        };
        match self.points.squares(&point).map_err(|message| self.off(value, message))?[..] {
            [square] => Ok((square, text)),
            _ => Err(error(value, format!("`{point}` is not one square"))),
        }
    }

    /// The stones of a move.
    fn squares(&self, value: &Value) -> Result<Vec<Square>, InputError> {
        let text = self.ascii(value);
        if WORDS.contains(&&*text) {
            return Ok(Vec::new());
        }
        self.points.squares(&text).map_err(|message| self.off(value, message))
    }

    /// The squares of a list, which may have rectangles.
    fn list(&mut self, value: &Value) -> Result<Vec<Square>, InputError> {
        let text = self.ascii(value);
        let squares = self
            .points
            .list(&text, self.points_left + 1)
            .map_err(|message| self.off(value, message))?;
        match self.points_left.checked_sub(squares.len()) {
            Some(left) => self.points_left = left,
            None => {
                let message = format!("too many squares in lists; the limit is {POINTS_MAX}");
                return Err(error(value, message));
            }
        }
        Ok(squares)
    }

    /// A value that names squares: only ASCII makes sense.
    fn ascii<'v>(&self, value: &'v Value) -> std::borrow::Cow<'v, str> {
        String::from_utf8_lossy(&value.bytes)
    }

    fn off(&self, value: &Value, message: String) -> InputError {
        let game = self.points.game;
        let error = error(value, message);
        match game.is_unbounded() {
            true => error,
            false => error.help(format!("the file is read as {}", game.title())),
        }
    }
}
