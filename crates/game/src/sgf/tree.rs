//! The syntax tree of a file: nodes in one list, so that neither dropping, cloning, comparing nor
//! walking it needs the stack.

use std::borrow::Cow;

use super::text::{Charset, Unmappable};
use crate::{InputError, NodeId};

/// A byte offset in the file. All offsets are equal: the place of a thing is not part of it, and
/// trees with the same contents are to compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offset(pub usize);

impl PartialEq for Offset {
    fn eq(&self, _: &Offset) -> bool {
        true
    }
}

impl Eq for Offset {}

/// One value of a property: the bytes between `[` and `]`, escapes and all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The bytes as they stand in the file.
    pub bytes: Vec<u8>,
    /// Where the bytes start.
    pub offset: Offset,
}

/// A property: an identifier and at least one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub(super) ident: String,
    pub(super) values: Vec<Value>,
    pub(super) offset: Offset,
}

impl Property {
    /// The identifier as it stands in the file.
    pub fn ident(&self) -> &str {
        &self.ident
    }

    /// The identifier without the small letters that old files (before `FF[4]`) may put into it:
    /// `B` for `Black`, `SZ` for `SiZe`.
    pub fn name(&self) -> Cow<'_, str> {
        if self.ident.bytes().any(|b| b.is_ascii_lowercase()) {
            self.ident.chars().filter(|c| !c.is_ascii_lowercase()).collect()
        } else {
            Cow::Borrowed(&self.ident)
        }
    }

    /// The values in their order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Where the identifier starts.
    pub fn offset(&self) -> usize {
        self.offset.0
    }
}

/// A node: properties in their order. One identifier may come twice, as real files have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfNode {
    pub(super) properties: Vec<Property>,
    pub(super) parent: Option<NodeId>,
    pub(super) children: Vec<NodeId>,
    pub(super) offset: Offset,
}

impl SgfNode {
    /// The properties in their order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The first property of that name ([`Property::name`]).
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name() == name)
    }

    /// The parent, `None` for the root of a game tree.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The children, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// Where the `;` of the node stands.
    pub fn offset(&self) -> usize {
        self.offset.0
    }
}

/// A file: game trees, and the text around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    pub(super) nodes: Vec<SgfNode>,
    pub(super) roots: Vec<NodeId>,
    /// The text before each game tree, and after the last: one more than there are trees.
    pub(super) texts: Vec<Vec<u8>>,
    pub(super) charset: Charset,
}

impl Collection {
    /// A collection without game trees, in UTF-8.
    pub fn new() -> Collection {
        Collection {
            nodes: Vec::new(),
            roots: Vec::new(),
            texts: vec![Vec::new()],
            charset: Charset::UTF_8,
        }
    }

    /// All nodes; parents come before their children.
    pub fn nodes(&self) -> &[SgfNode] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &SgfNode {
        &self.nodes[id]
    }

    /// The roots of the game trees.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The root of one game tree, from 0.
    pub(super) fn root(&self, tree: usize) -> Result<NodeId, InputError> {
        self.roots.get(tree).copied().ok_or_else(|| {
            let (count, wanted) = (self.roots.len(), tree.saturating_add(1));
            let message = format!("there is no game tree number {wanted}: the file has {count}");
            InputError::new(0, 1, message)
        })
    }

    /// Adds the game trees of another collection behind those that are there.
    ///
    /// # Panics
    ///
    /// When the charsets differ: values are bytes, which mean something in their charset only.
    pub fn append(&mut self, other: Collection) {
        assert_eq!(self.charset, other.charset, "collections of one charset");
        let shift = self.nodes.len();
        let moved = |mut node: SgfNode| {
            node.parent = node.parent.map(|id| id + shift);
            node.children.iter_mut().for_each(|id| *id += shift);
            node
        };
        self.nodes.extend(other.nodes.into_iter().map(moved));
        self.roots.extend(other.roots.iter().map(|id| id + shift));
        // The text before the first of them follows the last of ours.
        let mut texts = other.texts.into_iter();
        if let (Some(last), Some(first)) = (self.texts.last_mut(), texts.next()) {
            last.extend(first);
        }
        self.texts.extend(texts);
    }

    /// The text before each game tree and, last, the text after them: byte order marks, mail
    /// headers, remarks. There is one more than there are trees.
    pub fn texts(&self) -> &[Vec<u8>] {
        &self.texts
    }

    /// The charset of the values ([`Charset::detect`]).
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Adds a game tree with an empty root, on a line of its own.
    pub fn add_tree(&mut self) -> NodeId {
        let id = self.push_node(None, 0);
        self.roots.push(id);
        self.texts.push(b"\n".to_vec());
        id
    }

    /// Adds an empty node as the last child of `parent`.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        self.push_node(Some(parent), 0)
    }

    /// Adds a property with one value for each text, encoded for the charset of the file.
    ///
    /// # Panics
    ///
    /// When `ident` is not made of capital letters and digits, with a letter first, or when there
    /// is no text: both are mistakes of the caller.
    pub fn push(&mut self, id: NodeId, ident: &str, texts: &[&str]) -> Result<(), Unmappable> {
        let values = texts.iter().map(|t| self.charset.encode(t)).collect::<Result<_, _>>()?;
        self.push_raw(id, ident, values);
        Ok(())
    }

    /// Adds a property whose values are encoded already.
    pub(super) fn push_raw(&mut self, id: NodeId, ident: &str, values: Vec<Vec<u8>>) {
        assert!(is_identifier(ident), "`{ident}` is an SGF identifier");
        assert!(!values.is_empty(), "a property has a value");
        let value = |bytes| Value { bytes, offset: Offset::default() };
        self.nodes[id].properties.push(Property {
            ident: ident.to_string(),
            values: values.into_iter().map(value).collect(),
            offset: Offset::default(),
        });
    }

    /// Adds a node; the roots and the texts are left to the caller.
    pub(super) fn push_node(&mut self, parent: Option<NodeId>, offset: usize) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(SgfNode { parent, offset: Offset(offset), ..SgfNode::default() });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
        id
    }
}

impl Default for Collection {
    fn default() -> Collection {
        Collection::new()
    }
}

/// Capital letters and digits, a letter first.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_uppercase())
        && bytes.all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}
