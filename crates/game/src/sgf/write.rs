//! From the syntax tree back to bytes.

use super::tree::{Collection, SgfNode};
use crate::NodeId;

/// A line of nodes is broken behind the node that reaches this many bytes.
const LINE_BYTES: usize = 76;

/// A part that is still to be written.
enum Step {
    /// The node and all that follows it.
    Node(NodeId),
    /// The same in parentheses.
    Variation(NodeId),
    /// The closing parenthesis.
    Close,
}

impl Collection {
    /// The bytes of the file. Properties, values and the text around the trees are as they were;
    /// white space between the tokens of a tree is our own: lines break between nodes.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer { out: Vec::new(), line_start: 0 };
        for (&root, text) in self.roots.iter().zip(&self.texts) {
            writer.out.extend(text);
            writer.line_start = writer.out.len();
            writer.tree(self, root);
        }
        if let Some(text) = self.texts.last() {
            writer.out.extend(text);
        }
        writer.out
    }
}

struct Writer {
    out: Vec<u8>,
    line_start: usize,
}

impl Writer {
    fn tree(&mut self, collection: &Collection, root: NodeId) {
        self.out.push(b'(');
        let mut todo = vec![Step::Close, Step::Node(root)];
        while let Some(step) = todo.pop() {
            let id = match step {
                Step::Close => {
                    self.out.push(b')');
                    continue;
                }
                Step::Node(id) => id,
                Step::Variation(id) => {
                    self.new_line();
                    self.out.push(b'(');
                    todo.push(Step::Close);
                    id
                }
            };
            let node = collection.node(id);
            self.node(node);
            match node.children() {
                [child] => {
                    // The facts about the game are a line of their own.
                    if id == root || self.out.len() - self.line_start >= LINE_BYTES {
                        self.new_line();
                    }
                    todo.push(Step::Node(*child));
                }
                children => todo.extend(children.iter().rev().map(|&id| Step::Variation(id))),
            }
        }
    }

    fn node(&mut self, node: &SgfNode) {
        self.out.push(b';');
        for property in node.properties() {
            self.out.extend(property.ident().as_bytes());
            for value in property.values() {
                self.out.push(b'[');
                self.out.extend(&value.bytes);
                self.out.push(b']');
            }
        }
    }

    fn new_line(&mut self) {
        self.out.push(b'\n');
        self.line_start = self.out.len();
    }
}
