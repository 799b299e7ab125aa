//! Executions that run, for the pages.

use jiff::Timestamp;
use wireform_page::{Cancellation, RunningExecution, ServiceError};
use wireform_script::{cancel_execution, states};
use wireform_store::{
    Accounts as _, AnyStore, Clock, Error, Execution, ExecutionFilter, ExecutionNumber, ExecutionQuery, ExecutionScope,
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
        if access(store, &user, &execution).await? == Some(true) {
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

/// Cancels an execution as a user.
pub(super) async fn cancel(
    store: &AnyStore,
    clock: &Clock,
    user: &str,
    number: ExecutionNumber,
) -> Result<Cancellation, ServiceError> {
    let user = store.user(user).await?;
    let Some(execution) = store.execution(number).await? else { return Ok(Cancellation::NotFound) };
    match access(store, &user, &execution).await? {
        None => return Ok(Cancellation::NotFound),
        Some(false) => return Ok(Cancellation::Forbidden),
        Some(true) => {}
    }
    match cancel_execution(store, clock, execution.project, number).await {
        Ok(None) => Ok(Cancellation::Done),
        Ok(Some(status)) => Ok(Cancellation::Ended(status.to_string())),
        Err(Error::NotFound { .. }) => Ok(Cancellation::NotFound),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether a user may cancel an execution, which is the user's own or of a project that the user can change;
/// `None` if the user cannot see it.
async fn access(store: &AnyStore, user: &User, execution: &Execution) -> Result<Option<bool>, ServiceError> {
    if execution.user == user.mailbox {
        return Ok(Some(true));
    }
    let found = store.find_project_by_number(execution.project, user.mailbox).await?;
    let role = found.and_then(|(_, role)| role);
    Ok(role.map(|role| matches!(role, ScriptRole::Write | ScriptRole::Owner)))
}
