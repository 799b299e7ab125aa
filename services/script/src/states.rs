//! Conversions of status, type and access level of executions between the API and the store.

use script_server::types::{ProcessStatus, ProcessType, RuntimeVersion, UserAccessLevel};
use wireform_store::{ExecutionState, ScriptRole};

use crate::host::Severity;

/// Statuses in the order of their stored numbers, which begin with 1. Their positions must never change.
const STATUSES: [ProcessStatus; 9] = [
    ProcessStatus::Running,
    ProcessStatus::Paused,
    ProcessStatus::Completed,
    ProcessStatus::Canceled,
    ProcessStatus::Failed,
    ProcessStatus::TimedOut,
    ProcessStatus::Undetermined,
    ProcessStatus::Delayed,
    ProcessStatus::ExecutionDisabled,
];
/// Types of executions in the order of their stored numbers, likewise.
const KINDS: [ProcessType; 9] = [
    ProcessType::AddOn,
    ProcessType::ExecutionApi,
    ProcessType::TimeDriven,
    ProcessType::Trigger,
    ProcessType::WebApp,
    ProcessType::Editor,
    ProcessType::SimpleTrigger,
    ProcessType::Menu,
    ProcessType::BatchTask,
];
/// Access levels in the order of their stored numbers, likewise.
const LEVELS: [UserAccessLevel; 4] =
    [UserAccessLevel::None, UserAccessLevel::Read, UserAccessLevel::Write, UserAccessLevel::Owner];

/// Returns the stored number of the severity of a log line.
pub(crate) const fn severity_number(severity: Severity) -> i64 {
    match severity {
        Severity::Debug => 0,
        Severity::Info => 1,
        Severity::Warning => 2,
        Severity::Error => 3,
    }
}

/// Returns the name of the severity of a log line.
#[must_use]
pub const fn severity(number: i64) -> &'static str {
    match number {
        0 => "DEBUG",
        2 => "WARNING",
        3 => "ERROR",
        _ => "INFO",
    }
}

/// Returns the stored number of a value, which is its index in a list, from 1 on; `None` if it is not in the list.
fn number<T: PartialEq>(all: &[T], one: &T) -> Option<i64> {
    all.iter().position(|other| other == one).and_then(|at| i64::try_from(at + 1).ok())
}

/// Returns the value with a stored number, the index in a list from 1 on; `None` if there is none.
fn by_number<T: Clone>(all: &[T], number: i64) -> Option<T> {
    all.get(usize::try_from(number - 1).ok()?).cloned()
}

/// Returns the number of a status.
#[must_use]
pub fn status_number(status: &ProcessStatus) -> Option<i64> {
    number(&STATUSES, status)
}

/// Returns the status with a number.
#[must_use]
pub fn status(number: i64) -> ProcessStatus {
    by_number(&STATUSES, number).unwrap_or(ProcessStatus::Undetermined)
}

/// Returns a status for the store: all but running, delayed and paused are final.
#[must_use]
pub fn state(status: &ProcessStatus) -> ExecutionState {
    let over = !matches!(status, ProcessStatus::Running | ProcessStatus::Delayed | ProcessStatus::Paused);
    ExecutionState { status: status_number(status).unwrap_or_default(), is_final: over }
}

/// Returns the numbers of the statuses of executions that have not ended.
pub fn unfinished() -> impl Iterator<Item = i64> {
    STATUSES.iter().filter(|status| !state(status).is_final).filter_map(status_number)
}

/// Returns the statuses with a transition to another, as in the schema.
#[must_use]
pub fn source_statuses(to: &ProcessStatus) -> &'static [ProcessStatus] {
    use ProcessStatus::{Canceled, Completed, Delayed, Failed, Running, TimedOut};
    match to {
        Running => &[Delayed],
        Completed | TimedOut => &[Running],
        Canceled | Failed => &[Delayed, Running],
        _ => &[],
    }
}

/// Returns the number of a type of execution.
#[must_use]
pub fn kind_number(kind: &ProcessType) -> Option<i64> {
    number(&KINDS, kind)
}

/// Returns the type of execution with a number.
#[must_use]
pub fn kind(number: i64) -> ProcessType {
    by_number(&KINDS, number).unwrap_or(ProcessType::Unspecified)
}

/// Returns the number of an access level.
#[must_use]
pub fn level_number(level: &UserAccessLevel) -> Option<i64> {
    number(&LEVELS, level)
}

/// Returns the access level with a number.
#[must_use]
pub fn level(number: i64) -> UserAccessLevel {
    by_number(&LEVELS, number).unwrap_or(UserAccessLevel::Unspecified)
}

/// Returns the access level of a role.
#[must_use]
pub fn level_of(role: Option<ScriptRole>) -> UserAccessLevel {
    match role {
        None => UserAccessLevel::None,
        Some(ScriptRole::Read) => UserAccessLevel::Read,
        Some(ScriptRole::Write) => UserAccessLevel::Write,
        Some(ScriptRole::Owner) => UserAccessLevel::Owner,
    }
}

/// Number of the only runtime.
pub const V8: i64 = 1;

/// Returns the runtime with a number.
#[must_use]
pub fn runtime(number: i64) -> RuntimeVersion {
    if number == V8 { RuntimeVersion::V8 } else { RuntimeVersion::Unspecified }
}
