//! Start, change and end of executions.

use super::facets::{DeleteUnusedFacets, Facet};
use super::{metrics, project, sql};
use crate::domain::{epoch, user};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    Epoch, Error, Execution, ExecutionChange, ExecutionNumber, ExecutionScope, ExecutionState, Mailbox, Millis,
    NewExecution, ProjectNumber, Result, ServerNumber,
};

/// Maximum number of executions removed or repaired per step.
pub(in crate::domain) const MAX_REMOVED: i64 = 500;

/// Reads the execution in a row of `sql::EXECUTIONS`.
pub(super) fn execution_from_row(row: &mut Row) -> Result<Execution> {
    let facet = Facet::from_row(row, 5)?;
    execution_with_facet(row, facet)
}

/// Reads the execution in a row of `sql::EXECUTIONS` or `sql::EXECUTION`, whose facet is known.
fn execution_with_facet(row: &Row, facet: Facet) -> Result<Execution> {
    Ok(Execution {
        number: ExecutionNumber(row.int(0)?),
        project: ProjectNumber(row.int(1)?),
        user: Mailbox(row.int(2)?),
        started: Millis(row.int(3)?),
        ended: row.optional_int(4)?.map(Millis),
        title: facet.title,
        function: facet.function,
        deployment: facet.deployment,
        status: facet.status,
        kind: facet.kind,
        access: facet.access,
        runtime: facet.runtime,
    })
}

/// Reads an execution by `sql::EXECUTION`, with the given suffix; `None` if it does not exist.
async fn load<S: Session>(session: &mut S, suffix: &str, number: i64) -> Result<Option<Execution>> {
    let rows = session.rows(&format!("{}{suffix}", sql::EXECUTION), &[number.into()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let facet = Facet::load(session, row.int(5)?).await?;
    execution_with_facet(row, facet).map(Some)
}

/// Returns the side and the number of a scope.
pub(super) fn scope_key(scope: ExecutionScope) -> (i64, i64) {
    match scope {
        ExecutionScope::Project(project) => (0, project.0),
        ExecutionScope::User(user) => (1, user.0),
    }
}

async fn count_change<S: Session>(session: &mut S, project: ProjectNumber, user: Mailbox) -> Result<()> {
    for (side, owner) in [scope_key(ExecutionScope::Project(project)), scope_key(ExecutionScope::User(user))] {
        session.run(sql::CHANGES_ADD, &[side.into(), owner.into()]).await?;
    }
    Ok(())
}

/// Stores an execution that starts now, and returns its number.
pub(super) struct StartExecution(pub(super) NewExecution, pub(super) Millis);

impl Operation for StartExecution {
    type Output = ExecutionNumber;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<ExecutionNumber> {
        let Self(new, now) = self;
        let NewExecution { project, user, title, function, deployment, kind, access, runtime, state, server } = new;
        project::load(session, project).await?;
        user::require(session, user).await?;
        let facet = Facet { title, function, deployment, status: state.status, kind, access, runtime };
        let (of_project, of_user) = facet.clone().store(session, project, user).await?;
        let ended = state.is_final.then_some(now.0);
        let values = [
            project.0.into(),
            user.0.into(),
            of_project.into(),
            of_user.into(),
            now.0.into(),
            ended.into(),
            server.0.into(),
        ];
        let rows = session.rows(sql::EXECUTION_ADD, &values).await?;
        count_change(session, project, user).await?;
        if state.is_final {
            metrics::count_execution(session, (project, user), &facet.deployment, now, false).await?;
        }
        let none = || Error::Internal("the database returned no number for a new execution".to_owned());
        rows.first().ok_or_else(none)?.int(0).map(ExecutionNumber)
    }
}

/// Changes the state of an execution, unless it has ended or is in another state than expected.
pub(super) struct ChangeExecution(pub(super) ExecutionChange, pub(super) Millis);

impl Operation for ChangeExecution {
    type Output = Option<Execution>;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Execution>> {
        change(session, &self.0, self.1).await
    }
}

/// Changes and returns an execution; `None` if it was removed, has ended, or is in no state of `finish.from`.
async fn change<S: Session>(session: &mut S, finish: &ExecutionChange, now: Millis) -> Result<Option<Execution>> {
    // The execution may have been removed, with its project or user.
    let Some(mut execution) = load(session, S::DIALECT.for_update, finish.number.0).await? else { return Ok(None) };
    if execution.ended.is_some() || !finish.from.contains(&execution.status) {
        return Ok(None);
    }
    execution.status = finish.to.status;
    // A clock that was moved back makes no execution end before it began.
    execution.ended = finish.to.is_final.then_some(now.max(execution.started));
    let Execution { project, user, ended, .. } = execution;
    let (of_project, of_user) = Facet::of(&execution).store(session, project, user).await?;
    let values = [finish.number.0.into(), of_project.into(), of_user.into(), ended.map(|at| at.0).into()];
    session.run(sql::EXECUTION_SET, &values).await?;
    count_change(session, project, user).await?;
    if let Some(ended) = ended {
        metrics::count_execution(session, (project, user), &execution.deployment, ended, finish.failed).await?;
    }
    Ok(Some(execution))
}

/// Reads an execution; `None` if it does not exist.
pub(super) struct ReadExecution(pub(super) ExecutionNumber);

impl Operation for ReadExecution {
    type Output = Option<Execution>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Execution>> {
        load(session, "", self.0.0).await
    }
}

/// Reads the epoch, and the number of changes of executions in a scope so far.
pub(super) struct ReadChanges(pub(super) ExecutionScope);

impl Operation for ReadChanges {
    type Output = (Epoch, u64);
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<(Epoch, u64)> {
        let (side, owner) = scope_key(self.0);
        let rows = session.rows(sql::CHANGES, &[side.into(), owner.into()]).await?;
        let changes = rows.first().map_or(Ok(0), |row| row.int(0))?;
        Ok((epoch::current(session).await?, changes.cast_unsigned()))
    }
}

/// Lists the executions of a server that have not ended. A server limits their number.
pub(super) struct ListUnfinishedExecutions(pub(super) ServerNumber);

impl Operation for ListUnfinishedExecutions {
    type Output = Vec<ExecutionNumber>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<ExecutionNumber>> {
        let rows = session.rows(sql::EXECUTIONS_OF_SERVER, &[self.0.0.into()]).await?;
        rows.iter().map(|row| row.int(0).map(ExecutionNumber)).collect()
    }
}

/// Sets the time until which the executions of a server are not orphaned.
pub(super) struct RenewServerLease(pub(super) ServerNumber, pub(super) Millis);

impl Operation for RenewServerLease {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        session.run(sql::SERVER_SET, &[self.0.0.into(), self.1.0.into()]).await?;
        Ok(())
    }
}

/// Ends executions of servers that are gone; returns their number.
pub(super) struct EndOrphanedExecutions {
    pub(super) system_time: Millis,
    pub(super) now: Millis,
    pub(super) to: ExecutionState,
}

impl Operation for EndOrphanedExecutions {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        session.run(sql::SERVERS_DROP, &[self.system_time.0.into()]).await?;
        let (mut after, mut repaired) = (0, 0);
        loop {
            let rows = session.rows(sql::EXECUTIONS_RUNNING, &[after.into(), MAX_REMOVED.into()]).await?;
            for row in &rows {
                after = row.int(0)?;
                if session.rows(sql::SERVER, &[row.int(1)?.into()]).await?.is_empty() {
                    repaired += self.end(session, after).await?;
                }
            }
            if rows.len() < usize::try_from(MAX_REMOVED).unwrap_or(usize::MAX) {
                return Ok(repaired);
            }
        }
    }
}

impl EndOrphanedExecutions {
    /// Ends an execution as failed; returns 1, or 0 if it has ended or was removed.
    async fn end<S: Session>(&self, session: &mut S, number: i64) -> Result<u64> {
        let Some(execution) = load(session, "", number).await? else { return Ok(0) };
        let (number, from) = (execution.number, vec![execution.status]);
        let finish = ExecutionChange { number, from, to: self.to, failed: true };
        Ok(u64::from(change(session, &finish, self.now).await?.is_some()))
    }
}

/// Removes some executions that began before a time; returns their number.
pub(in crate::domain) struct DeleteOldExecutions(pub(in crate::domain) Millis);

impl Operation for DeleteOldExecutions {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let old = session.rows(sql::EXECUTIONS_OLD, &[self.0.0.into(), MAX_REMOVED.into()]).await?;
        if old.is_empty() {
            return Ok(0);
        }
        let keys: Vec<Vec<Value>> = old.into_iter().map(|row| row.0).collect();
        let removed = session.run_each(sql::EXECUTION_DROP, &keys).await?;
        session.run_each(sql::LOG_OF_DROP, &keys).await?;
        DeleteUnusedFacets.run(session).await?;
        Ok(removed)
    }
}
