//! The games of a collection, for a list: read from the syntax alone, so that a list of ten
//! thousand games takes no longer than to parse them.

use super::dialect::{Options, game_of};
use super::tree::Collection;
use crate::record::Summary;
use crate::{Color, InputError};

/// A game tree of a file in one line, without its stones: a game that cannot be read is in the
/// list, too.
pub fn summary(collection: &Collection, options: &Options) -> Result<Summary, InputError> {
    let root = collection.root(options.tree)?;
    let node = collection.node(root);
    let fact = |key: &str| {
        let value = node.property(key).and_then(|property| property.values().first());
        value.map_or_else(String::new, |value| collection.charset().decode_line(&value.bytes))
    };
    let mut stones = Vec::new();
    let mut next = Some(&root);
    while let Some(&id) = next {
        for property in collection.node(id).properties() {
            match &*property.name() {
                "B" => stones.push(Color::Black),
                "W" => stones.push(Color::White),
                _ => {}
            }
        }
        next = collection.node(id).children().first();
    }
    Ok(Summary::new(game_of(collection, root, options).ok(), fact, stones.iter()))
}
