//! Syntax trees of conditions, without types.

use std::ops::Range;

use crate::model::condition::{Arithmetic, Comparison, Literal};

/// A part of a condition.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub shape: Shape,
    /// Where it stands in the text.
    pub at: Range<usize>,
}

impl Node {
    /// Returns a member with the names that lead to it, `this.owner.id`; nothing for what is computed.
    pub fn name(&self) -> Option<String> {
        match &self.shape {
            Shape::Name(name) => Some(name.clone()),
            Shape::Member(of, name, _) => Some(format!("{}.{name}", of.name()?)),
            _ => None,
        }
    }
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
    /// An operator and its operands.
    Operator(Operator, Vec<Node>),
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

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `||` between two operands or more.
    Or,
    /// `&&` between two operands or more.
    And,
    /// `!`.
    Not,
    /// `?:`.
    Conditional,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`, `<=`, `>` or `>=`.
    Compare(Comparison),
    /// `+`, `-`, `*`, `/` or `%`.
    Arithmetic(Arithmetic),
    /// `-` before one operand.
    Negate,
    /// `in`.
    In,
    /// `x[i]`.
    Index,
}

impl Node {
    /// The parts of a part.
    #[cfg(test)]
    pub fn parts(&self) -> Vec<&Node> {
        match &self.shape {
            Shape::Member(of, ..) => vec![of],
            Shape::Operator(_, parts) | Shape::Call { arguments: parts, .. } | Shape::List(parts) => {
                parts.iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
