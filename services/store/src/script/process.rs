//! Executions of scripts.

use std::ops::RangeInclusive;

use crate::{Epoch, Mailbox, Millis, ProjectNumber};

/// Number of an execution; later ones have greater numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionNumber(pub i64);

/// A server that runs scripts: a random number that it chooses when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerNumber(pub i64);

/// Status of an execution.
///
/// What the numbers mean is for the service to say; the store has to know which ones are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionState {
    /// Its number.
    pub status: i64,
    /// Whether the execution is over.
    pub over: bool,
}

/// An execution that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExecution {
    /// The script.
    pub project: ProjectNumber,
    /// Who runs it.
    pub user: Mailbox,
    /// Title of the project at that time.
    pub title: String,
    /// The function.
    pub function: String,
    /// Identifier of the deployment; empty: none.
    pub deployment: String,
    /// What started it, as a number of the service.
    pub kind: i64,
    /// What the user may do with the script, as a number of the service.
    pub access: i64,
    /// The engine, as a number of the service.
    pub runtime: i64,
    /// How far it is.
    pub state: ExecutionState,
    /// Where it runs.
    pub server: ServerNumber,
}

/// An execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Its number.
    pub number: ExecutionNumber,
    /// The script.
    pub project: ProjectNumber,
    /// Who runs it.
    pub user: Mailbox,
    /// Title of the project when it began.
    pub title: String,
    /// The function.
    pub function: String,
    /// Identifier of the deployment; empty: none.
    pub deployment: String,
    /// What started it.
    pub kind: i64,
    /// What the user may do with the script.
    pub access: i64,
    /// The engine.
    pub runtime: i64,
    /// Its status.
    pub status: i64,
    /// When it began.
    pub started: Millis,
    /// When it ended.
    pub ended: Option<Millis>,
}

/// What becomes of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionFinish {
    /// The execution.
    pub number: ExecutionNumber,
    /// What it must be, as numbers; another status stays.
    pub from: Vec<i64>,
    /// What it becomes.
    pub to: ExecutionState,
    /// Whether it counts as failed.
    pub failed: bool,
}

/// Whose executions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionScope {
    /// Those of a script.
    Project(ProjectNumber),
    /// Those of a user.
    User(Mailbox),
}

/// Which executions are listed; what is empty or `None` says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExecutionFilter {
    /// The script.
    pub project: Option<ProjectNumber>,
    /// The deployment.
    pub deployment: Option<String>,
    /// A text in the title of the project.
    pub title: Option<String>,
    /// A text in the name of the function.
    pub function: Option<String>,
    /// Any of these statuses.
    pub statuses: Vec<i64>,
    /// Any of these kinds.
    pub kinds: Vec<i64>,
    /// Any of these levels of access.
    pub access: Vec<i64>,
    /// Began at or after.
    pub from: Option<Millis>,
    /// Ended at or before.
    pub until: Option<Millis>,
}

/// Place in a list of executions: after this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutionPlace {
    /// The epoch in which the list was begun.
    pub epoch: Epoch,
    /// When the execution began.
    pub started: Millis,
    /// The execution.
    pub number: ExecutionNumber,
}

/// What of a list of executions is read, the latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionQuery {
    /// Whose.
    pub scope: ExecutionScope,
    /// Which.
    pub filter: ExecutionFilter,
    /// Where the page begins.
    pub after: Option<ExecutionPlace>,
    /// How many.
    pub limit: u32,
}

/// A page of executions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionPage {
    /// The executions. There can be fewer than asked for, and none, although there are more.
    pub executions: Vec<Execution>,
    /// Where the next page begins; `None`: there is none.
    pub next: Option<ExecutionPlace>,
}

/// How long the intervals of metrics are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// Days.
    Day,
    /// Weeks, from Monday on.
    Week,
}

/// What was counted in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measure {
    /// Where the interval begins.
    pub start: Millis,
    /// Executions that ended in it.
    pub total: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Users who ran them.
    pub users: u64,
}

/// Which metrics are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsQuery {
    /// The script.
    pub project: ProjectNumber,
    /// The deployment; empty: all executions of the script.
    pub deployment: String,
    /// How long the intervals are.
    pub grain: Grain,
    /// Starts of the first and of the last interval.
    pub between: RangeInclusive<Millis>,
}
