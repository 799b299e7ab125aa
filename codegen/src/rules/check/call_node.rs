//! Calls in a syntax tree.

use std::ops::Range;

use super::Node;

/// Call in a syntax tree.
pub struct CallNode<'n> {
    /// Range of the call.
    pub range: &'n Range<usize>,
    /// Name of the function.
    pub name: &'n str,
    /// Range of the name.
    pub name_range: &'n Range<usize>,
    /// True if it has a receiver.
    pub receiver: bool,
    /// Arguments; the receiver comes first.
    pub arguments: &'n [Node],
}
