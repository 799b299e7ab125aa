//! Executions with their numbers and logs, for the pages.

use std::collections::HashMap;

use jiff::Timestamp;
use wireform_page::{ExecutionDetails, ExecutionList, ExecutionSummary, LogLine, ServiceError};
use wireform_script::states;
use wireform_store::{
    Accounts as _, AnyStore, Execution, ExecutionCursor, ExecutionFilter, ExecutionNumber, ExecutionQuery,
    ExecutionScope, LogEntry, LogQuery, LogScope, Mailbox, Maintenance as _, Millis, ProjectNumber, Scripts as _, User,
};

/// Lists executions of a project that a user can read, or of a user, latest first; `None` if the user cannot see the
/// project. `before` is the number of the last execution of the previous page.
pub(super) async fn list(
    store: &AnyStore,
    user: &str,
    project: Option<&str>,
    before: Option<i64>,
    count: u32,
) -> Result<Option<ExecutionList>, ServiceError> {
    let user = store.user(user).await?;
    let scope = match project {
        None => ExecutionScope::User(user.mailbox),
        Some(id) => match store.find_project(id, user.mailbox).await? {
            Some((project, Some(_))) => ExecutionScope::Project(project.number),
            _ => return Ok(None),
        },
    };
    let after = match before {
        None => None,
        Some(number) => match store.execution(ExecutionNumber(number)).await? {
            Some(last) => {
                let epoch = store.epoch().await?;
                Some(ExecutionCursor { epoch, started: last.started, number: last.number })
            }
            None => return Ok(Some(ExecutionList::default())),
        },
    };
    let query = ExecutionQuery { scope, filter: ExecutionFilter::default(), after, limit: count };
    let page = store.executions(query).await?;
    let mut names = Names { store, users: HashMap::new(), projects: HashMap::new() };
    let mut items = Vec::with_capacity(page.executions.len());
    for execution in page.executions {
        items.push(names.summary(&user, execution).await?);
    }
    Ok(Some(ExecutionList { items, next: page.next.map(|next| next.number.0) }))
}

/// Returns an execution with its first `count` log lines, if it is the user's own or of a project that the user can read.
pub(super) async fn find(
    store: &AnyStore,
    user: &str,
    number: i64,
    count: u32,
) -> Result<Option<ExecutionDetails>, ServiceError> {
    let user = store.user(user).await?;
    let Some(execution) = store.execution(ExecutionNumber(number)).await? else { return Ok(None) };
    if super::running::access(store, &user, &execution).await?.is_none() {
        return Ok(None);
    }
    let (project, scope) = (execution.project, LogScope::Execution(execution.number, None));
    let entries = store.log(LogQuery { project, scope, limit: count }).await?;
    let mut names = Names { store, users: HashMap::new(), projects: HashMap::new() };
    let log = entries.into_iter().map(|entry| log_line(entry, &execution.function)).collect();
    Ok(Some(ExecutionDetails { summary: names.summary(&user, execution).await?, log }))
}

/// Returns a log line of a function.
pub(super) fn log_line(entry: LogEntry, function: &str) -> LogLine {
    LogLine {
        at: timestamp(entry.at),
        execution: entry.execution.0,
        function: function.to_owned(),
        severity: states::severity(entry.severity).to_lowercase(),
        text: entry.text,
    }
}

fn timestamp(at: Millis) -> Timestamp {
    Timestamp::from_millisecond(at.0).unwrap_or(Timestamp::MAX)
}

/// Addresses of users and identifiers of projects, each read once.
struct Names<'s> {
    store: &'s AnyStore,
    users: HashMap<Mailbox, String>,
    projects: HashMap<ProjectNumber, String>,
}

impl Names<'_> {
    /// Returns an execution as pages show it to a user. The identifier of a project that the user cannot see is empty.
    async fn summary(&mut self, viewer: &User, execution: Execution) -> Result<ExecutionSummary, ServiceError> {
        if !self.projects.contains_key(&execution.project) {
            let found = self.store.find_project_by_number(execution.project, viewer.mailbox).await?;
            let id = found.filter(|(_, role)| role.is_some()).map(|(project, _)| project.id);
            self.projects.insert(execution.project, id.unwrap_or_default());
        }
        if !self.users.contains_key(&execution.user) {
            let found = self.store.people(vec![execution.user]).await?.into_iter().next();
            self.users.insert(execution.user, found.map(|person| person.user.address).unwrap_or_default());
        }
        Ok(ExecutionSummary {
            number: execution.number.0,
            project: self.projects.get(&execution.project).cloned().unwrap_or_default(),
            title: execution.title,
            user: self.users.get(&execution.user).cloned().unwrap_or_default(),
            function: execution.function,
            kind: states::kind(execution.kind).to_string(),
            status: states::status(execution.status).to_string(),
            started: timestamp(execution.started),
            ended: execution.ended.map(timestamp),
        })
    }
}
