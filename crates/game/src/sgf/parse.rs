//! From bytes to the syntax tree.
//!
//! ```text
//! file     = text { tree text }            tree = "(" node { node } { tree } ")"
//! node     = ";" { property }              property = identifier value { value }
//! ```
//!
//! White space may stand between any two of these. A tree starts at `(` followed by `;`: all else
//! outside of trees is text, so that remarks in parentheses do no harm.

use super::text::Charset;
use super::tree::{Collection, Offset, Property, Value};
use crate::{InputError, NodeId};

/// The longest file that is read, in bytes.
pub const BYTES_MAX: usize = 64 << 20;
/// The most nodes of a file.
pub const NODES_MAX: usize = 2_000_000;
/// The most property values of a file.
pub const VALUES_MAX: usize = 4_000_000;

/// Reads the syntax of a file. The meaning of the properties does not matter, except for `CA`.
///
/// Law: `parse(&c.write()) == Ok(c)` for every `c` that was parsed.
pub fn parse(bytes: &[u8]) -> Result<Collection, InputError> {
    if bytes.len() > BYTES_MAX {
        let message = format!("the file is too long; the limit is {BYTES_MAX} bytes");
        return Err(InputError::new(BYTES_MAX, 1, message));
    }
    let charset = Charset::detect(bytes);
    let parsed = Parser::new(bytes, charset, charset).run();
    // In some charsets the second byte of a character may be that of `]` or `\`. Most writers put
    // characters, so we read characters; where that makes no sense, the writer put bytes.
    match parsed {
        Err(error) if charset.has_ascii_trails() => {
            Parser::new(bytes, charset, Charset::UTF_8).run().map_err(|_| error)
        }
        parsed => parsed,
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Which pairs of bytes are one character within a value.
    pairs: Charset,
    collection: Collection,
    values_count: usize,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8], charset: Charset, pairs: Charset) -> Parser<'a> {
        let collection = Collection { charset, texts: Vec::new(), ..Collection::new() };
        Parser { bytes, at: 0, pairs, collection, values_count: 0 }
    }

    fn run(mut self) -> Result<Collection, InputError> {
        while let Some(start) = self.tree_start() {
            self.collection.texts.push(self.bytes[self.at..start].to_vec());
            self.at = start + 1;
            self.tree()?;
        }
        if self.collection.roots.is_empty() {
            let utf16 = self.bytes.starts_with(b"\xff\xfe") || self.bytes.starts_with(b"\xfe\xff");
            return Err(InputError::new(0, 1, "there is no game tree").help(match utf16 {
                true => "the file is in UTF-16: save it as UTF-8",
                false => "a game tree starts with `(;`",
            }));
        }
        self.collection.texts.push(self.bytes[self.at..].to_vec());
        Ok(self.collection)
    }

    /// The next `(` that is followed by `;`.
    fn tree_start(&self) -> Option<usize> {
        let mut start = self.at;
        loop {
            start += self.bytes[start..].iter().position(|&b| b == b'(')?;
            let next = self.bytes[start + 1..].iter().find(|b| !is_space(**b))?;
            if *next == b';' {
                return Some(start);
            }
            start += 1;
        }
    }

    /// One game tree, from behind its `(` to behind its `)`.
    fn tree(&mut self) -> Result<(), InputError> {
        // The node that the next node follows, and for each open `(` the node before it.
        let mut current: Option<NodeId> = None;
        let mut open: Vec<Option<NodeId>> = vec![None];
        let mut closed_at: Option<usize> = None;
        loop {
            self.skip_space();
            let Some(&byte) = self.bytes.get(self.at) else { return Err(self.unclosed(&open)) };
            match (byte, closed_at) {
                (b';', None) => current = Some(self.node(current)?),
                (b'(', _) => {
                    open.push(current);
                    closed_at = None;
                    self.at += 1;
                    self.skip_space();
                    if self.bytes.get(self.at).is_some_and(|&b| b != b';') {
                        let error = self.error(1, "a variation starts with `(;`");
                        return Err(error.help("write `;` before the first property"));
                    }
                }
                (b')', _) => {
                    current = open.pop().flatten();
                    closed_at = Some(self.at);
                    self.at += 1;
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                (_, Some(_)) => {
                    let error = self.error(1, "only `(` or `)` can follow the end of a variation");
                    return Err(error.help("put what follows into a variation of its own: `(;…)`"));
                }
                (_, None) => self.property(current)?,
            }
        }
    }

    fn unclosed(&self, open: &[Option<NodeId>]) -> InputError {
        let count = open.len();
        let message = match count {
            1 => "the file ends within a game tree: one parenthesis is open".to_string(),
            _ => format!("the file ends within a game tree: {count} parentheses are open"),
        };
        let help = match count {
            1..=8 => format!("write `{}` at the end, if nothing is missing", ")".repeat(count)),
            _ => format!("write {count} times `)` at the end, if nothing is missing"),
        };
        InputError::new(self.bytes.len(), 1, message).help(help)
    }

    /// A `;`, which makes a node.
    fn node(&mut self, parent: Option<NodeId>) -> Result<NodeId, InputError> {
        if self.collection.nodes.len() == NODES_MAX {
            return Err(self.error(1, format!("too many nodes; the limit is {NODES_MAX}")));
        }
        let id = self.collection.push_node(parent, self.at);
        if parent.is_none() {
            self.collection.roots.push(id);
        }
        self.at += 1;
        Ok(id)
    }

    /// An identifier and its values.
    fn property(&mut self, node: Option<NodeId>) -> Result<(), InputError> {
        let start = self.at;
        let rest = &self.bytes[start..];
        let len = rest.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if len == 0 || !rest[0].is_ascii_alphabetic() {
            if rest[0] == b'[' {
                let error = self.error(1, "a value without an identifier before it");
                return Err(error.help("within a value, `]` is written `\\]`"));
            }
            let error = self.error(1, format!("unexpected `{}` in a node", rest[0].escape_ascii()));
            return Err(error.help("a property is written like `B[jj]`"));
        }
        // The bytes are letters and digits of ASCII, so nothing is lost.
        let ident = String::from_utf8_lossy(&rest[..len]).into_owned();
        self.at += len;
        let mut values = Vec::with_capacity(1);
        loop {
            self.skip_space();
            if self.bytes.get(self.at) != Some(&b'[') {
                break;
            }
            values.push(self.value(&ident)?);
        }
        if values.is_empty() {
            let shown: String = ident.chars().take(20).collect();
            let error = InputError::new(start, len, format!("the property `{shown}` has no value"));
            return Err(error.help(format!("an empty value is written `{shown}[]`")));
        }
        let node = node.expect("a tree starts with a node, so a property has one");
        self.collection.nodes[node].properties.push(Property {
            ident,
            values,
            offset: Offset(start),
        });
        Ok(())
    }

    /// One value, from its `[` to behind its `]`.
    fn value(&mut self, ident: &str) -> Result<Value, InputError> {
        if self.values_count == VALUES_MAX {
            return Err(self.error(1, format!("too many values; the limit is {VALUES_MAX}")));
        }
        self.values_count += 1;
        let start = self.at + 1;
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                None => {
                    let shown: String = ident.chars().take(20).collect();
                    let error = self.error(1, format!("a value of `{shown}` is not closed"));
                    return Err(error.help("write `]` at its end; within it, `]` is written `\\]`"));
                }
                Some(b']') => break,
                Some(b'\\') => {
                    // What is escaped may be a character of two bytes.
                    end += 1;
                    end += self.pairs.character_len(&self.bytes[end.min(self.bytes.len())..]);
                }
                Some(_) => end += self.pairs.character_len(&self.bytes[end..]),
            }
        }
        self.at = end + 1;
        Ok(Value { bytes: self.bytes[start..end].to_vec(), offset: Offset(start) })
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&b| is_space(b)) {
            self.at += 1;
        }
    }

    fn error(&self, len: usize, message: impl Into<String>) -> InputError {
        InputError::new(self.at, len, message)
    }
}

/// White space between tokens; the format counts vertical tabs and form feeds.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
