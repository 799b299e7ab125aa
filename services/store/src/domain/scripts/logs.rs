//! Logs of executions.

use super::{project, sql};
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    Error, ExecutionNumber, LogEntry, LogNumber, LogQuery, LogScope, Millis, NewLogEntry, ProjectNumber, Result,
};

/// Adds lines to the log of an execution; does nothing if it was removed.
pub(super) struct AddLog(pub(super) ExecutionNumber, pub(super) Vec<NewLogEntry>);

impl Operation for AddLog {
    type Output = ();
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        self.1.iter().map(|entry| entry.text.len() + 100).sum()
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self(execution, entries) = self;
        let Some(project) = project_of(session, execution, "").await? else { return Ok(()) };
        // One execution of a project after the other: the lines that readers see have smaller numbers than later ones.
        match project::lock(session, project).await {
            Ok(_) => {}
            Err(Error::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(error),
        }
        // An operation that removes the execution waits for the lock, and then finds the lines.
        if project_of(session, execution, S::DIALECT.for_update).await?.is_none() {
            return Ok(());
        }
        let values = |entry: NewLogEntry| {
            vec![
                execution.0.into(),
                project.0.into(),
                entry.index.into(),
                entry.at.0.into(),
                entry.severity.into(),
                texts::replace_nul(entry.text).into(),
            ]
        };
        let values: Vec<Vec<Value>> = entries.into_iter().map(values).collect();
        session.run_each(sql::LOG_ADD, &values).await?;
        Ok(())
    }
}

/// Returns the project of an execution, with the locking clause `lock`; `None` if the execution was removed.
async fn project_of<S: Session>(
    session: &mut S,
    execution: ExecutionNumber,
    lock: &str,
) -> Result<Option<ProjectNumber>> {
    let rows = session.rows(&format!("{}{lock}", sql::EXECUTION), &[execution.0.into()]).await?;
    rows.first().map(|row| row.int(1).map(ProjectNumber)).transpose()
}

/// Reads lines, in order, of the log of an execution or of all logs of a project.
pub(super) struct ReadLog(pub(super) LogQuery);

impl Operation for ReadLog {
    type Output = Vec<LogEntry>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<LogEntry>> {
        let LogQuery { project, scope, limit } = self.0;
        let limit = i64::from(limit).into();
        let mut rows = match scope {
            LogScope::Execution(number, after) => {
                let after = after.unwrap_or(-1);
                session.rows(sql::LOG, &[number.0.into(), after.into(), limit]).await?
            }
            LogScope::After(number) => session.rows(sql::LOGS, &[project.0.into(), number.0.into(), limit]).await?,
            LogScope::Latest => {
                let mut rows = session.rows(sql::LOGS_LATEST, &[project.0.into(), limit]).await?;
                rows.reverse();
                rows
            }
        };
        let mut entries = Vec::with_capacity(rows.len());
        for row in &mut rows {
            // Omits lines of an execution of another project.
            if ProjectNumber(row.int(6)?) == project {
                entries.push(entry_from_row(row)?);
            }
        }
        Ok(entries)
    }
}

fn entry_from_row(row: &mut Row) -> Result<LogEntry> {
    Ok(LogEntry {
        number: LogNumber(row.int(0)?),
        execution: ExecutionNumber(row.int(1)?),
        index: row.int(2)?,
        at: Millis(row.int(3)?),
        severity: row.int(4)?,
        text: row.text(5)?,
    })
}
