//! Long-running operations.

use super::{OperationId, Type};

/// Field indices of a resource that describes a long-running operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongRunning {
    /// Name with which the operation is polled.
    pub name: usize,
    /// Completion flag.
    pub done: usize,
    /// Wire values of the `done` field that mean done; empty if it is a boolean.
    pub done_values: Vec<String>,
    /// Result; `None` if the resource itself is the result.
    pub response: Option<usize>,
    /// Error, set if the operation failed.
    pub error: Option<usize>,
    /// Progress metadata.
    pub metadata: Option<usize>,
}

/// Long-running operation that an operation starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongRunningStart {
    /// Operation that polls the status.
    pub poll: OperationId,
    /// Arguments of the poll: one for each required parameter, in order.
    pub arguments: Vec<Argument>,
    /// Type of the result, if the resource does not declare it.
    pub response: Option<Type>,
    /// Type of the metadata, if the resource does not declare it.
    pub metadata: Option<Type>,
}

/// Source of the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Field of the response, by index.
    Member(usize),
    /// Parameter of the starting operation, by index.
    Parameter(usize),
}
