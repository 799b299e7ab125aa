//! Logs of executions.

use crate::{ExecutionNumber, Millis, ProjectNumber};

/// Number of a log line, unique among the lines of all executions. Lines of a project that are stored later have
/// greater numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogNumber(pub i64);

/// Line to add to the log of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLogEntry {
    /// Index among the lines of the execution, starting at 0.
    pub index: i64,
    /// Time of writing.
    pub at: Millis,
    /// Severity, as a number defined by the service.
    pub severity: i64,
    /// Text, which may have several lines.
    pub text: String,
}

/// Stored log line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number.
    pub number: LogNumber,
    /// Execution that wrote it.
    pub execution: ExecutionNumber,
    /// Index among the lines of the execution, starting at 0.
    pub index: i64,
    /// Time of writing.
    pub at: Millis,
    /// Severity, as a number defined by the service.
    pub severity: i64,
    /// Text, which may have several lines.
    pub text: String,
}

/// Selection of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogScope {
    /// Lines of an execution, after an index.
    Execution(ExecutionNumber, Option<i64>),
    /// Lines of all executions with a greater number.
    After(LogNumber),
    /// Latest lines of all executions.
    Latest,
}

/// Query for the logs of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogQuery {
    /// The script.
    pub project: ProjectNumber,
    /// Selection of lines.
    pub scope: LogScope,
    /// Maximum number of lines.
    pub limit: u32,
}
