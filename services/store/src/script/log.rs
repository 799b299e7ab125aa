//! Logs of executions.

use crate::{ExecutionNumber, Millis, ProjectNumber};

/// Number of a line of a log, among those of all executions. A line of a project that is stored later has a greater number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogNumber(pub i64);

/// A line that is added to the log of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLogEntry {
    /// Its place among the lines of the execution, from 0 on.
    pub place: i64,
    /// When it was written.
    pub at: Millis,
    /// The severity, as a number of the service.
    pub severity: i64,
    /// The text, which may have several lines.
    pub text: String,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number.
    pub number: LogNumber,
    /// The execution that wrote it.
    pub execution: ExecutionNumber,
    /// Its place among the lines of the execution, from 0 on.
    pub place: i64,
    /// When it was written.
    pub at: Millis,
    /// The severity, as a number of the service.
    pub severity: i64,
    /// The text, which may have several lines.
    pub text: String,
}

/// Which lines are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogScope {
    /// Those of an execution, after a place.
    Execution(ExecutionNumber, Option<i64>),
    /// Those of all executions with a greater number.
    After(LogNumber),
    /// The latest ones of all executions.
    Latest,
}

/// Query of the logs of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogQuery {
    /// The script.
    pub project: ProjectNumber,
    /// Which lines.
    pub scope: LogScope,
    /// How many at most.
    pub limit: u32,
}
