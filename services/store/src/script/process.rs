//! Executions of scripts.

use std::ops::RangeInclusive;

use crate::{Epoch, Mailbox, Millis, ProjectNumber};

/// Number of an execution; later executions have greater numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionNumber(pub i64);

/// Random number that identifies a script server from start to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerNumber(pub i64);

/// Status of an execution.
///
/// The service defines the meaning of the numbers; the store only needs to know which executions have finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionState {
    /// Status number.
    pub status: i64,
    /// True if the execution has finished.
    pub is_final: bool,
}

/// Execution to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExecution {
    /// The script.
    pub project: ProjectNumber,
    /// User who runs it.
    pub user: Mailbox,
    /// Title of the project at that time.
    pub title: String,
    /// Name of the function.
    pub function: String,
    /// Identifier of the deployment; empty for none.
    pub deployment: String,
    /// Trigger of the execution, as a number defined by the service.
    pub kind: i64,
    /// Access level of the user, as a number defined by the service.
    pub access: i64,
    /// Runtime engine, as a number defined by the service.
    pub runtime: i64,
    /// Status of the execution.
    pub state: ExecutionState,
    /// Server that runs it.
    pub server: ServerNumber,
}

/// Stored execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Its number.
    pub number: ExecutionNumber,
    /// The script.
    pub project: ProjectNumber,
    /// User who runs it.
    pub user: Mailbox,
    /// Title of the project at the start.
    pub title: String,
    /// Name of the function.
    pub function: String,
    /// Identifier of the deployment; empty for none.
    pub deployment: String,
    /// Trigger of the execution.
    pub kind: i64,
    /// Access level of the user.
    pub access: i64,
    /// Runtime engine.
    pub runtime: i64,
    /// Status number.
    pub status: i64,
    /// Start time.
    pub started: Millis,
    /// End time.
    pub ended: Option<Millis>,
}

/// Change of the status of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionChange {
    /// The execution.
    pub number: ExecutionNumber,
    /// Status numbers that the change applies to; an execution with another status is not changed.
    pub from: Vec<i64>,
    /// New status.
    pub to: ExecutionState,
    /// True if it counts as failed.
    pub failed: bool,
}

/// Scope of a list of executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionScope {
    /// Executions of a script.
    Project(ProjectNumber),
    /// Executions of a user.
    User(Mailbox),
}

/// Filter of executions; empty and `None` fields match everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExecutionFilter {
    /// The script.
    pub project: Option<ProjectNumber>,
    /// Substring of the title of the project.
    pub title: Option<String>,
    /// Name of the function.
    pub function: Option<String>,
    /// Any of these statuses.
    pub statuses: Vec<i64>,
    /// Any of these kinds.
    pub kinds: Vec<i64>,
    /// Any of these levels of access.
    pub access: Vec<i64>,
    /// Earliest start time, inclusive.
    pub from: Option<Millis>,
    /// Latest end time, inclusive.
    pub until: Option<Millis>,
}

/// Cursor in a list of executions, after this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutionCursor {
    /// Epoch in which the list began.
    pub epoch: Epoch,
    /// Start time of the execution.
    pub started: Millis,
    /// Number of the execution.
    pub number: ExecutionNumber,
}

/// Query for executions, the latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionQuery {
    /// Scope.
    pub scope: ExecutionScope,
    /// Filter.
    pub filter: ExecutionFilter,
    /// Cursor of the page.
    pub after: Option<ExecutionCursor>,
    /// Maximum number of executions.
    pub limit: u32,
}

/// Page of executions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionPage {
    /// Executions. There may be fewer than requested, or none, although more follow.
    pub executions: Vec<Execution>,
    /// Cursor of the next page; `None` on the last page.
    pub next: Option<ExecutionCursor>,
}

/// Length of the intervals of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricsInterval {
    /// Days.
    Day,
    /// Weeks, starting on Monday.
    Week,
}

/// Metrics of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntervalMetrics {
    /// Start of the interval.
    pub start: Millis,
    /// Number of executions that ended in the interval.
    pub total: u64,
    /// Number of those that failed.
    pub failed: u64,
    /// Number of users who ran them.
    pub users: u64,
}

/// Query for metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsQuery {
    /// The script.
    pub project: ProjectNumber,
    /// Deployment; empty for all executions of the script.
    pub deployment: String,
    /// Length of the intervals.
    pub interval: MetricsInterval,
    /// Starts of the first and last interval.
    pub starts: RangeInclusive<Millis>,
}
