//! Script projects and their executions, as the data source returns them.

use jiff::Timestamp;

/// Script project that a user can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleProject {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Role of the user, for people: `owner`.
    pub role: String,
    /// Time of the last change of content, title or sharing.
    pub updated: Timestamp,
}

/// Log line of a script function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Time of writing.
    pub at: Timestamp,
    /// Number of the execution.
    pub execution: i64,
    /// Name of the function; empty if the execution is no longer stored.
    pub function: String,
    /// Severity, for people: `warning`.
    pub severity: String,
    /// Text, which may have several lines.
    pub text: String,
}

/// Execution of a script function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionSummary {
    /// Number.
    pub number: i64,
    /// Identifier of the project; empty if the user cannot see it any more.
    pub project: String,
    /// Title of the project at the start.
    pub title: String,
    /// Address of the user who runs it.
    pub user: String,
    /// Name of the function.
    pub function: String,
    /// Type, as in the API: `EXECUTION_API`.
    pub kind: String,
    /// Status, as in the API: `COMPLETED`.
    pub status: String,
    /// Time of the start.
    pub started: Timestamp,
    /// Time of the end.
    pub ended: Option<Timestamp>,
}

/// Page of executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionList {
    /// Executions, latest first.
    pub items: Vec<ExecutionSummary>,
    /// Number of the execution before which the next page begins.
    pub next: Option<i64>,
}

/// Execution with its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionDetails {
    /// The execution.
    pub summary: ExecutionSummary,
    /// Log lines, earliest first. An uncaught exception is the last one, unless the project does not log exceptions.
    pub log: Vec<LogLine>,
}

/// Execution of a script function that runs or waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningExecution {
    /// Number.
    pub number: i64,
    /// Title of the project.
    pub project: String,
    /// Name of the function.
    pub function: String,
    /// Time of the start.
    pub started: Timestamp,
}

/// Outcome of the cancellation of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancellation {
    /// The execution was cancelled.
    Done,
    /// The execution had ended with this status, such as `TIMED_OUT`.
    Ended(String),
    /// The user can see the execution, but may not cancel it.
    Forbidden,
    /// There is no such execution, or the user cannot see it.
    NotFound,
}
