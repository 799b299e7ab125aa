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
    let mut filter = ExecutionFilter { statuses: states::unfinished().collect(), ..ExecutionFilter::default() };
    let scope = match project {
        None => ExecutionScope::User(user.mailbox),
        Some(id) => match store.find_project(id, user.mailbox).await? {
            Some((project, Some(ScriptRole::Write | ScriptRole::Owner))) => ExecutionScope::Project(project.number),
            // Others may cancel their own executions.
            Some((project, _)) => {
                filter.project = Some(project.number);
                ExecutionScope::User(user.mailbox)
            }
            None => return Ok(Vec::new()),
        },
    };
    let found = store.executions(ExecutionQuery { scope, filter, after: None, limit: MAX_LISTED }).await?;
    let running = |execution: Execution| RunningExecution {
        number: execution.number.0,
        project: execution.title,
        function: execution.function,
        started: Timestamp::from_millisecond(execution.started.0).unwrap_or(Timestamp::MAX),
    };
    Ok(found.executions.into_iter().map(running).collect())
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
pub(super) async fn access(store: &AnyStore, user: &User, execution: &Execution) -> Result<Option<bool>, ServiceError> {
    if execution.user == user.mailbox {
        return Ok(Some(true));
    }
    let found = store.find_project_by_number(execution.project, user.mailbox).await?;
    let role = found.and_then(|(_, role)| role);
    Ok(role.map(|role| matches!(role, ScriptRole::Write | ScriptRole::Owner)))
}

#[cfg(test)]
mod tests {
    use wireform_store::{
        ExecutionState, Mailbox, NewExecution, NewProject, Project, ServerNumber, Sqlite, SqliteOptions,
    };

    use super::*;

    async fn start(store: &AnyStore, project: &Project, user: Mailbox, function: &str) {
        let execution = NewExecution {
            project: project.number,
            user,
            title: project.title.clone(),
            function: function.to_owned(),
            deployment: String::new(),
            kind: 1,
            access: 1,
            runtime: states::V8,
            state: ExecutionState { status: 1, is_final: false },
            server: ServerNumber(1),
        };
        store.start_execution(execution, Clock::system().now()).await.unwrap();
    }

    #[tokio::test]
    async fn users_see_their_own_executions_and_those_of_projects_that_they_can_change() {
        let folder = tempfile::tempdir().unwrap();
        let store = AnyStore::Sqlite(Sqlite::open(folder.path(), SqliteOptions::default()).unwrap());
        let now = Clock::system().now();
        let mut mailboxes = Vec::new();
        for address in ["ada@example.org", "ben@example.org", "cy@example.org"] {
            mailboxes.push(store.add_user(address, "", now).await.unwrap().mailbox);
        }
        let (ada, ben, cy) = (mailboxes[0], mailboxes[1], mailboxes[2]);
        let new = || NewProject { title: "One".to_owned(), parent: None, owner: ada, files: Vec::new() };
        let (one, other) = (store.add_project(new(), now).await.unwrap(), store.add_project(new(), now).await.unwrap());
        store.share_project(one.number, ben, Some(ScriptRole::Read), now).await.unwrap();
        store.share_project(one.number, cy, Some(ScriptRole::Write), now).await.unwrap();
        start(&store, &one, ben, "own").await;
        start(&store, &other, ben, "elsewhere").await;
        for _ in 0..MAX_LISTED {
            start(&store, &one, ada, "later").await;
        }
        let listed = async |user: &str, project: Option<&str>| {
            let listed = list(&store, user, project).await.unwrap();
            let functions = listed.into_iter().map(|execution| execution.function);
            functions.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(listed("ada@example.org", Some(&one.id)).await, "later");
        assert_eq!(listed("cy@example.org", Some(&one.id)).await, "later");
        assert_eq!(listed("ben@example.org", Some(&one.id)).await, "own", "those of others are not counted");
        assert_eq!(listed("ben@example.org", None).await, "elsewhere own");
        assert_eq!(listed("cy@example.org", None).await, "");
    }
}
