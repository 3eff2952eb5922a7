//! RenLib's `.lib` libraries of Go-Moku and Renju openings: import only, 15 x 15, one stone a move.
//!
//! A file is a header of 20 bytes (`FF`, `RenLib`, `FF`, the version in two bytes, ten `FF`) and
//! the nodes of a tree in preorder. A node is two bytes, position and flags, and what the flags
//! announce, in this order:
//!
//! | part | bytes |
//! | --- | --- |
//! | position | `16 * (y - 1) + x`, both from 1, y from the top; 0 is the root or a pass |
//! | flags | see below |
//! | more flags | two bytes, the high one first; lowest bit: board text |
//! | comment | up to a NUL, padded to an even length |
//! | old comment | up to a byte with its high bit set, in seven-bit Swedish, padded |
//! | board text | up to a NUL, padded |
//!
//! | flag | meaning |
//! | --- | --- |
//! | `80`, `40` | has a right sibling; end of a branch |
//! | `20`, `08` | old comment; comment |
//! | `10` | mark |
//! | `04`, `02` | start position; no move: not kept |
//! | `01` | more flags |
//!
//! In a comment the byte 08 separates the first line from the rest. A board text is what the board
//! shows on the square of a move *before* it is made: it becomes a label of the parent. A pass is a
//! node without a stone. The reader checks nothing against the rules: libraries hold all that their
//! authors tried, and a visit to a node shows whether it can be played.

use encoding_rs::{Encoding, UTF_8};

use crate::moves::input::guess_encoding;
use crate::record::Mark;
use crate::{Color, Game, InputError, Node, NodeId, Record, Square, rules};

/// The most nodes of a library.
pub const NODES_MAX: usize = 4_000_000;

const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER_LEN: usize = 20;
/// The latest version of the format, major and minor.
const VERSION: [u8; 2] = [3, 4];
/// The side of the board.
const SIZE: u8 = 15;

const HAS_SIBLING: u32 = 0x80;
const END_OF_BRANCH: u32 = 0x40;
const OLD_COMMENT: u32 = 0x20;
const MARK: u32 = 0x10;
const COMMENT: u32 = 0x08;
const EXTENSION: u32 = 0x01;
const BOARD_TEXT: u32 = 0x000100;

/// Whether bytes start like a library.
pub fn looks_like_renlib(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a library as a record of free-style Go-Moku, or of the rules of the game given, with the
/// remark that its own rules are those of Renju ([`Record::other_rules`]): the program is one for
/// Renju, and its files do not say which rules were meant.
pub fn read(bytes: &[u8], game: Option<Game>) -> Result<Record, InputError> {
    read_header(bytes)?;
    let side = u32::from(SIZE);
    let exact = game.is_some_and(Game::exact);
    let game = Game::new(side, side, 5, 1, 1, exact).expect("Go-Moku");
    let mut record = Record::new(game);
    record.info.push((rules::RULES.to_string(), rules::RENJU.to_string()));
    let mut tree = Tree {
        record,
        to_move: vec![Color::Black],
        parent: 0,
        waiting: Vec::new(),
        complete: true,
    };
    let mut texts = Vec::new();
    let mut input = Input { bytes, at: HEADER_LEN };
    while input.at < bytes.len() {
        let start = input.at;
        if tree.complete && start > HEADER_LEN {
            let message = "there is more after the end of the tree";
            return Err(InputError::new(start, bytes.len() - start, message));
        }
        let (square, flags) = input.node()?;
        let is_root = square.is_none() && start == HEADER_LEN;
        let id = tree.add(is_root, square, flags, start)?;
        if flags & OLD_COMMENT != 0 {
            texts.push((Text::OldComment(id), input.old_string()?));
        } else if flags & COMMENT != 0 {
            texts.push((Text::Comment(id), input.string()?));
        }
        if flags & BOARD_TEXT != 0 {
            texts.push((Text::Label(id), input.string()?));
        }
    }
    if !tree.complete {
        return Err(InputError::new(bytes.len(), 1, "the file ends before its tree does"));
    }
    add_texts(&mut tree.record, &texts);
    Ok(tree.record)
}

fn read_header(bytes: &[u8]) -> Result<(), InputError> {
    if !bytes.starts_with(MAGIC) {
        let same = bytes.iter().zip(MAGIC).take_while(|(a, b)| a == b).count();
        let help = "a library starts with the bytes FF `RenLib` FF";
        return Err(InputError::new(same, 1, "this is not a RenLib library").help(help));
    }
    let Some(header) = bytes.get(..HEADER_LEN) else {
        return Err(InputError::new(bytes.len(), 1, "the file ends inside its header"));
    };
    let version = [header[8], header[9]];
    if version > VERSION {
        let [major, minor] = version;
        let message = format!("the version {major}.{minor} of the file is not known");
        return Err(InputError::new(8, 2, message).help("save it as version 3.4 or older"));
    }
    Ok(())
}

/// The owner of a string of the file.
enum Text {
    Comment(NodeId),
    OldComment(NodeId),
    Label(NodeId),
}

/// The bytes and how far they are read; always an even number of bytes from the header.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn pair(&mut self) -> Result<[u8; 2], InputError> {
        match self.bytes[self.at..] {
            [first, second, ..] => {
                self.at += 2;
                Ok([first, second])
            }
            _ => Err(InputError::new(self.bytes.len(), 1, "the file ends inside a node")),
        }
    }

    /// The square of a node, if it has one, and all its flags.
    fn node(&mut self) -> Result<(Option<Square>, u32), InputError> {
        let start = self.at;
        let [position, low] = self.pair()?;
        let mut flags = u32::from(low);
        if flags & EXTENSION != 0 {
            flags |= u32::from(u16::from_be_bytes(self.pair()?)) << 8;
        }
        let (x, y) = (position % 16, position / 16 + 1);
        match position {
            0 => Ok((None, flags)),
            _ if (1..=SIZE).contains(&x) && y <= SIZE => {
                Ok((Some(Square::new(i32::from(x) - 1, i32::from(SIZE - y))), flags))
            }
            _ => {
                let message = format!("the byte {position:02X} is no square of 15 x 15");
                Err(InputError::new(start, 1, message))
            }
        }
    }

    /// A string that ends before a NUL.
    fn string(&mut self) -> Result<&'a [u8], InputError> {
        let text = self.until(|b| b == 0)?;
        Ok(&text[..text.len() - 1])
    }

    /// A string that ends with a byte that has its high bit set.
    fn old_string(&mut self) -> Result<&'a [u8], InputError> {
        self.until(|b| b >= 0x80)
    }

    /// The bytes up to the last one; steps over the padding, too.
    fn until(&mut self, is_last: impl Fn(u8) -> bool) -> Result<&'a [u8], InputError> {
        let rest = &self.bytes[self.at..];
        let last = rest.iter().position(|&b| is_last(b));
        let padded = last.map(|last| (last, (last + 1).next_multiple_of(2)));
        let Some((last, len)) = padded.filter(|&(_, len)| len <= rest.len()) else {
            return Err(InputError::new(self.bytes.len(), 1, "the file ends inside a text"));
        };
        self.at += len;
        Ok(&rest[..=last])
    }
}

/// The tree as far as it is read.
struct Tree {
    record: Record,
    /// The side that moves after each node.
    to_move: Vec<Color>,
    /// The parent of the next node.
    parent: NodeId,
    /// The parents of nodes whose right sibling is still to come.
    waiting: Vec<NodeId>,
    /// Whether no more nodes are due.
    complete: bool,
}

impl Tree {
    fn add(
        &mut self,
        is_root: bool,
        square: Option<Square>,
        flags: u32,
        offset: usize,
    ) -> Result<NodeId, InputError> {
        if self.record.nodes().len() > NODES_MAX {
            let message = format!("there are more than {NODES_MAX} nodes");
            return Err(InputError::new(offset, 2, message));
        }
        let parent = self.parent;
        let id = if is_root { 0 } else { self.add_move(parent, square, flags) };
        if flags & HAS_SIBLING != 0 {
            if is_root {
                return Err(InputError::new(offset + 1, 1, "the root has no sibling"));
            }
            self.waiting.push(parent);
        }
        self.complete = false;
        self.parent = id;
        if flags & END_OF_BRANCH != 0 {
            match self.waiting.pop() {
                Some(parent) => self.parent = parent,
                None => self.complete = true,
            }
        }
        Ok(id)
    }

    fn add_move(&mut self, parent: NodeId, square: Option<Square>, flags: u32) -> NodeId {
        let mover = self.to_move[parent];
        self.to_move.push(!mover);
        let mut node = Node::default();
        match square {
            Some(square) => {
                node.stones.push((mover, square));
                if flags & MARK != 0 {
                    node.marks.push((square, Mark::Cross));
                }
            }
            None => node.player = Some(!mover),
        }
        self.record.add(parent, node)
    }
}

/// Decodes the strings and puts them where they belong.
fn add_texts(record: &mut Record, texts: &[(Text, &[u8])]) {
    let modern = texts.iter().filter(|(text, _)| !matches!(text, Text::OldComment(_)));
    let encoding: &Encoding = guess_encoding(modern.map(|&(_, bytes)| bytes));
    for (text, bytes) in texts {
        let decoded = match text {
            Text::OldComment(_) => UTF_8.decode(&swedish(bytes)).0.into_owned(),
            _ => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        };
        match *text {
            Text::Comment(id) | Text::OldComment(id) => {
                let lines = decoded.replace("\r\n", "\n").replace(['\u{8}', '\r'], "\n");
                record.node_mut(id).comment = lines.trim().to_string();
            }
            Text::Label(id) => {
                let (node, label) = (record.node(id), decoded.trim().to_string());
                let square = node.stones.first().map(|&(_, square)| square);
                if let (Some(parent), Some(square)) = (node.parent(), square) {
                    record.node_mut(parent).labels.push((square, label));
                }
            }
        }
    }
}

/// UTF-8 of the seven-bit text of old comments, which had Swedish letters in place of brackets.
fn swedish(bytes: &[u8]) -> Vec<u8> {
    let letters = bytes.iter().map(|b| match b & 0x7f {
        b'}' => 'å',
        b'{' => 'ä',
        b'|' => 'ö',
        b']' => 'Å',
        b'[' => 'Ä',
        b'\\' => 'Ö',
        other => char::from(other),
    });
    letters.collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::{self, sample};

    const SAMPLE: &[u8] = include_bytes!("../../../suite/formats/renlib.lib");

    fn read(bytes: &[u8]) -> Result<Record, InputError> {
        super::read(bytes, None)
    }

    fn header() -> Vec<u8> {
        let mut bytes = b"\xffRenLib\xff\x03\x04".to_vec();
        bytes.resize(20, 0xff);
        bytes
    }

    fn file(nodes: &[u8]) -> Vec<u8> {
        [&header(), nodes].concat()
    }

    /// Writes a record as a library, without looking at how the reader works.
    fn encode(record: &Record) -> Vec<u8> {
        let mut bytes = header();
        let string = |text: &str| {
            let mut bytes = text.replacen('\n', "\u{8}", 1).into_bytes();
            bytes.push(0);
            if bytes.len() % 2 == 1 {
                bytes.push(0);
            }
            bytes
        };
        for (id, node) in record.nodes().iter().enumerate() {
            let mut flags = 0;
            let last = node.parent().is_none_or(|p| record.node(p).children().last() == Some(&id));
            let square = node.stones.first().map(|&(_, s)| s);
            let label = node.parent().zip(square).and_then(|(parent, square)| {
                record.node(parent).labels.iter().find(|(s, _)| *s == square)
            });
            for (wanted, flag) in [
                (!last, 0x80),
                (node.children().is_empty(), 0x40),
                (!node.marks.is_empty(), 0x10),
                (!node.comment.is_empty(), 0x08),
                (label.is_some(), 0x01),
            ] {
                flags |= if wanted { flag } else { 0 };
            }
            bytes.push(square.map_or(0, |s| (16 * (14 - s.y) + s.x + 1) as u8));
            bytes.push(flags);
            if label.is_some() {
                bytes.extend([0, 1]);
            }
            if !node.comment.is_empty() {
                bytes.extend(string(&node.comment));
            }
            if let Some((_, text)) = label {
                bytes.extend(string(text));
            }
        }
        bytes
    }

    #[test]
    fn the_sample_file_is_read() {
        let record = read(SAMPLE).unwrap();
        assert_eq!(
            (record.game.to_string().as_str(), record.other_rules()),
            ("gomoku", Some("renju"))
        );
        let lines: Vec<_> = (1..6).map(|id| moves::write(&record, id).unwrap()).collect();
        let expected = ["H8", "H8 / H9", "H8 / H9 / G7", "H8 / I9", "H8 / I9 / J9"];
        assert_eq!(lines, expected);
        let comments: Vec<_> = record.nodes().iter().map(|node| node.comment.as_str()).collect();
        assert_eq!(comments, ["A library", "", "direct\nSecond line", "", "indirect été", ""]);
        assert_eq!(record.node(2).labels, [(Square::new(6, 6), "A".to_string())]);
        assert_eq!(record.node(4).marks, [(Square::new(8, 8), Mark::Cross)]);
        assert!(looks_like_renlib(SAMPLE));
    }

    #[test]
    fn old_comments_are_seven_bit_swedish() {
        let record = read(&file(&[0x78, 0x60, b'b', b'}', b'd' | 0x80, 0])).unwrap();
        assert_eq!(record.node(1).comment, "båd");
    }

    #[test]
    fn a_pass_is_a_node_without_a_stone() {
        let record = read(&file(&[0, 0, 0x78, 0, 0, 0, 0x79, 0x40])).unwrap();
        let stones: Vec<_> = record.nodes().iter().map(|node| node.stones.first()).collect();
        let (h8, i8) = (Square::new(7, 7), Square::new(8, 7));
        assert_eq!(stones, [None, Some(&(Color::Black, h8)), None, Some(&(Color::Black, i8))]);
        assert_eq!(record.node(2).player, Some(Color::Black));
    }

    #[test]
    fn a_header_alone_is_an_empty_library() {
        assert_eq!(read(&header()).unwrap().nodes().len(), 1);
        assert_eq!(read(&file(&[0, 0x40])).unwrap().nodes().len(), 1);
    }

    #[test]
    fn errors_have_the_offset_of_the_byte() {
        for (bytes, offset, message) in [
            (vec![], 0, "this is not a RenLib library"),
            (b"\xffRenLab\xff".to_vec(), 5, "this is not a RenLib library"),
            (header()[..12].to_vec(), 12, "the file ends inside its header"),
            (
                b"\xffRenLib\xff\x03\x05\0\0\0\0\0\0\0\0\0\0".to_vec(),
                8,
                "the version 3.5 of the file is not known",
            ),
            (file(&[0x78]), 21, "the file ends inside a node"),
            (file(&[0x78, 0]), 22, "the file ends before its tree does"),
            (file(&[0x78, 0xc0]), 22, "the file ends before its tree does"),
            (file(&[0x78, 0x40, 0x79, 0x40]), 22, "there is more after the end of the tree"),
            (file(&[0x78, 0, 0x10, 0x40]), 22, "the byte 10 is no square of 15 x 15"),
            (file(&[0xf1, 0x40]), 20, "the byte F1 is no square of 15 x 15"),
            (file(&[0, 0x80]), 21, "the root has no sibling"),
            (file(&[0x78, 0x48, b'a', b'b']), 24, "the file ends inside a text"),
            (file(&[0x78, 0x49, 0, 1, 0]), 25, "the file ends inside a text"),
            (file(&[0x78, 0x41, 0]), 23, "the file ends inside a node"),
        ] {
            let error = read(&bytes).unwrap_err();
            assert_eq!((error.offset, &*error.message), (offset, message));
        }
    }

    #[test]
    fn trees_of_any_shape_are_read_as_they_were_written() {
        arbtest::arbtest(|u| {
            let mut record = Record::new("gomoku".parse().unwrap());
            record.info.push(("RU".to_string(), "renju".to_string()));
            record.node_mut(0).comment = "root".to_string();
            let mut last = 0;
            for _ in 0..u.int_in_range(1..=60)? {
                // Preorder: the parent of a new node is on the path to the last one.
                let path = record.path_to(last);
                let depth = u.int_in_range(0..=path.len() - 1)?;
                let (parent, square) = (path[depth], sample::square(u, record.game)?);
                let siblings = record.node(parent).children();
                if siblings.iter().any(|&id| record.node(id).stones[0].1 == square) {
                    continue;
                }
                let color = if depth % 2 == 0 { Color::Black } else { Color::White };
                last = record.add_stone(parent, color, square);
                if u.arbitrary()? {
                    record.node_mut(last).marks.push((square, Mark::Cross));
                }
                if u.arbitrary()? {
                    record.node_mut(last).comment = "première\nand more".to_string();
                }
                if u.arbitrary()? {
                    record.node_mut(parent).labels.push((square, "é1".to_string()));
                }
            }
            if record.nodes().len() > 1 {
                assert_eq!(read(&encode(&record)), Ok(record));
            }
            Ok(())
        });
    }

    #[test]
    fn long_chains_and_wide_trees_need_no_stack() {
        let count = 200_000;
        let mut chain = [0x78, 0].repeat(count);
        chain[2 * count - 1] = 0x40;
        assert_eq!(read(&file(&chain)).unwrap().nodes().len(), count + 1);
        let mut comb = [0x78, 0x80].repeat(count);
        comb.extend([0x79, 0x40].repeat(count + 1));
        let record = read(&file(&comb)).unwrap();
        assert_eq!(record.nodes().len(), 2 * count + 2);
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic() {
        sample::check_reader(SAMPLE, read);
        // Past the header, where the random bytes above seldom get.
        sample::check_reader(&SAMPLE[20..], |bytes| {
            read(&file(bytes)).map_err(|mut error| {
                error.offset = error.offset.saturating_sub(20);
                error
            })
        });
    }
}
