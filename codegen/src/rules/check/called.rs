//! A call as it is written.

use std::ops::Range;

use super::Node;

/// A call.
pub struct Called<'n> {
    /// Where it stands.
    pub whole: &'n Range<usize>,
    /// What is called.
    pub name: &'n str,
    /// Where that name stands.
    pub at: &'n Range<usize>,
    /// Whether it is called on its first argument.
    pub receiver: bool,
    /// The arguments, the receiver first.
    pub arguments: &'n [Node],
}
