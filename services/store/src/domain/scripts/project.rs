//! Row of a project, and roles of users on it.

use super::sql;
use crate::domain::epoch;
use crate::session::{Row, Session};
use crate::{Error, Mailbox, Millis, Project, ProjectNumber, Result, ScriptRole};

/// Project with the stored references to its content.
#[derive(Debug)]
pub(super) struct StoredProject {
    pub(super) project: Project,
    pub(super) content: String,
    pub(super) manifest: i64,
    pub(super) deployments: i64,
}

/// Reads the project in a row of `sql::PROJECT`.
pub(super) fn project_from_row(row: &mut Row) -> Result<Project> {
    Ok(Project {
        number: ProjectNumber(row.int(0)?),
        id: row.text(1)?,
        owner: Mailbox(row.int(2)?),
        title: row.text(3)?,
        parent: row.optional_text(4)?,
        created: Millis(row.int(5)?),
        updated: Millis(row.int(6)?),
        creator: Mailbox(row.int(7)?),
        modifier: Mailbox(row.int(8)?),
        change_number: row.int(9)?.cast_unsigned(),
        content_number: row.int(10)?.cast_unsigned(),
        versions: row.int(11)?,
        epoch: epoch::from_column(row, 12)?,
    })
}

fn stored_project_from_row(row: &mut Row) -> Result<StoredProject> {
    Ok(StoredProject {
        project: project_from_row(row)?,
        content: row.text(13)?,
        manifest: row.int(14)?,
        deployments: row.int(15)?,
    })
}

/// Reads a project.
pub(super) async fn load<S: Session>(session: &mut S, number: ProjectNumber) -> Result<StoredProject> {
    let mut rows = session.rows(sql::PROJECT_AT, &[number.0.into()]).await?;
    stored_project_from_row(rows.first_mut().ok_or_else(|| Error::not_found("project", number.0))?)
}

/// Reads a project and locks it against other writers.
pub(super) async fn lock<S: Session>(session: &mut S, number: ProjectNumber) -> Result<StoredProject> {
    if S::DIALECT.for_update.is_empty() {
        return load(session, number).await;
    }
    let sql = format!("{}{}", sql::PROJECT_AT, S::DIALECT.for_update);
    let mut rows = session.rows(&sql, &[number.0.into()]).await?;
    stored_project_from_row(rows.first_mut().ok_or_else(|| Error::not_found("project", number.0))?)
}

/// Returns the role of a user on a project.
pub(super) async fn role<S: Session>(session: &mut S, project: &Project, user: Mailbox) -> Result<Option<ScriptRole>> {
    if project.owner == user {
        return Ok(Some(ScriptRole::Owner));
    }
    let rows = session.rows(sql::ROLE, &[project.number.0.into(), user.0.into()]).await?;
    rows.first().map(|row| role_from_number(row.int(0)?)).transpose()
}

pub(super) fn role_from_number(number: i64) -> Result<ScriptRole> {
    match number {
        1 => Ok(ScriptRole::Read),
        2 => Ok(ScriptRole::Write),
        3 => Ok(ScriptRole::Owner),
        other => Err(Error::Internal(format!("unknown role {other} of a project share"))),
    }
}

pub(super) fn role_number(role: ScriptRole) -> i64 {
    match role {
        ScriptRole::Read => 1,
        ScriptRole::Write => 2,
        ScriptRole::Owner => 3,
    }
}
