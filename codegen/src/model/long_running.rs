//! Work that goes on after the answer.

use super::{OperationId, Type};

/// The members, by index, by which a resource tells of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongRunning {
    /// What the work is asked for by.
    pub name: usize,
    /// Whether it has ended.
    pub done: usize,
    /// The values of that member, on the wire, which say so; none where it is a boolean.
    pub done_values: Vec<String>,
    /// What came of it; the resource itself without.
    pub response: Option<usize>,
    /// There when it has failed.
    pub error: Option<usize>,
    /// How far it is.
    pub metadata: Option<usize>,
}

/// What comes of the work that an operation starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The operation that is asked how it goes.
    pub poll: OperationId,
    /// What that is asked with: one for each parameter that it requires, in their order.
    pub with: Vec<Argument>,
    /// What the response becomes, where the resource does not say it.
    pub response: Option<Type>,
    /// What the metadata are, where the resource does not say it.
    pub metadata: Option<Type>,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The member of the answer of that index.
    Member(usize),
    /// The parameter of that index, of the operation that starts the work.
    Parameter(usize),
}
