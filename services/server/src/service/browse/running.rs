//! Executions that run, for the pages.

use jiff::Timestamp;
use wireform_page::{RunningExecution, ServiceError};
use wireform_script::{cancel_execution, states};
use wireform_store::{
    Accounts as _, AnyStore, Clock, Execution, ExecutionFilter, ExecutionNumber, ExecutionQuery, ExecutionScope,
    ScriptRole, Scripts as _, User,
};

/// Maximum number of listed executions.
const MAX_LISTED: u32 = 50;

/// Lists the executions that run or wait and that a user may cancel, of a project or the user's own.
pub(super) async fn list(
    store: &AnyStore,
    user: &str,
    project: Option<&str>,
) -> Result<Vec<RunningExecution>, ServiceError> {
    let user = store.user(user).await?;
    let scope = match project {
        None => ExecutionScope::User(user.mailbox),
        Some(id) => match store.find_project(id, user.mailbox).await? {
            Some((project, _)) => ExecutionScope::Project(project.number),
            None => return Ok(Vec::new()),
        },
    };
    let statuses = states::unfinished().collect();
    let filter = ExecutionFilter { statuses, ..ExecutionFilter::default() };
    let found = store.executions(ExecutionQuery { scope, filter, after: None, limit: MAX_LISTED }).await?;
    let mut running = Vec::new();
    for execution in found.executions {
        if may_cancel(store, &user, &execution).await? {
            running.push(RunningExecution {
                number: execution.number.0,
                project: execution.title,
                function: execution.function,
                started: Timestamp::from_millisecond(execution.started.0).unwrap_or(Timestamp::MAX),
            });
        }
    }
    Ok(running)
}

/// Cancels an execution; returns false if it has ended, or if the user may not cancel it.
pub(super) async fn cancel(
    store: &AnyStore,
    clock: &Clock,
    user: &str,
    number: ExecutionNumber,
) -> Result<bool, ServiceError> {
    let user = store.user(user).await?;
    match store.execution(number).await? {
        Some(execution) if may_cancel(store, &user, &execution).await? => {
            Ok(cancel_execution(store, clock, execution.project, number).await?)
        }
        _ => Ok(false),
    }
}

/// Returns whether a user may cancel an execution: it is the user's own, or the user can change the project.
async fn may_cancel(store: &AnyStore, user: &User, execution: &Execution) -> Result<bool, ServiceError> {
    if execution.user == user.mailbox {
        return Ok(true);
    }
    let found = store.find_project_by_number(execution.project, user.mailbox).await?;
    Ok(found.is_some_and(|(_, role)| matches!(role, Some(ScriptRole::Write | ScriptRole::Owner))))
}
