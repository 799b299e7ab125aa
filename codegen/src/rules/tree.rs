//! Untyped syntax trees of conditions.

use std::ops::Range;

use crate::model::condition::{Arithmetic, Comparison, Literal};

/// Node of the syntax tree of a condition.
#[derive(Clone, Debug)]
pub struct Node {
    /// Kind of the node.
    pub kind: NodeKind,
    /// Range in the text.
    pub at: Range<usize>,
}

impl Node {
    /// Returns a dotted name, `this.owner.id`, or `None` for computed values.
    pub fn name(&self) -> Option<String> {
        match &self.kind {
            NodeKind::Name(name) => Some(name.clone()),
            NodeKind::Member(of, name, _) => Some(format!("{}.{name}", of.name()?)),
            _ => None,
        }
    }
}

/// Kind of a node in the syntax tree of a condition, such as an operator or a function call.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Literal.
    Literal(Literal),
    /// Name.
    Name(String),
    /// Field access: the object, the name, and the range of the name.
    Member(Box<Node>, String, Range<usize>),
    /// Operator with its operands.
    Operator(Operator, Vec<Node>),
    /// Function call.
    Call {
        /// Name of the function.
        name: String,
        /// Range of the name.
        name_at: Range<usize>,
        /// True if it has a receiver: `x.size()`.
        receiver: bool,
        /// Arguments; the receiver comes first.
        arguments: Vec<Node>,
    },
    /// List literal.
    List(Vec<Node>),
    /// Map literal.
    Map,
    /// Message literal.
    Message,
}

/// Operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `||` with two or more operands.
    Or,
    /// `&&` with two or more operands.
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
    /// Unary `-`.
    Negate,
    /// `in`.
    In,
    /// `x[i]`.
    Index,
}

impl Node {
    /// Returns the children of a node.
    #[cfg(test)]
    pub fn children(&self) -> Vec<&Node> {
        match &self.kind {
            NodeKind::Member(of, ..) => vec![of],
            NodeKind::Operator(_, parts) | NodeKind::Call { arguments: parts, .. } | NodeKind::List(parts) => {
                parts.iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
