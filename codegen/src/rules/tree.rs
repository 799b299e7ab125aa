//! What a condition says, without types: the tree of the parser, in a form that later steps like to read.

use std::ops::Range;

use crate::model::condition::Literal;

/// A part of a condition.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub shape: Shape,
    /// Where it stands in the text.
    pub at: Range<usize>,
}

/// What a part of a condition is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A value.
    Literal(Literal),
    /// A name.
    Name(String),
    /// A member of something: its name, and where that stands.
    Member(Box<Node>, String, Range<usize>),
    /// An operator by the name that CEL gives it, the place of its sign, and what it works on.
    Operator(String, Range<usize>, Vec<Node>),
    /// A call of a function.
    Call {
        /// The function.
        name: String,
        /// Where its name stands.
        name_at: Range<usize>,
        /// Whether it is called on its first argument: `x.size()`.
        receiver: bool,
        /// The arguments, the receiver first.
        arguments: Vec<Node>,
    },
    /// A list.
    List(Vec<Node>),
    /// A map.
    Map,
    /// A message.
    Message,
}

impl Node {
    /// The parts of a part.
    #[cfg(test)]
    pub fn parts(&self) -> Vec<&Node> {
        match &self.shape {
            Shape::Member(of, ..) => vec![of],
            Shape::Operator(_, _, parts) | Shape::Call { arguments: parts, .. } | Shape::List(parts) => {
                parts.iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
