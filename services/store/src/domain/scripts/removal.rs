//! Removal of projects: hides them at once, then deletes their data in steps.

use super::sql;
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Error, Mailbox, ProjectNumber, Result};

/// Maximum number of rows removed per step.
const MAX_ROWS_PER_STEP: i64 = 1_000;
/// Maximum number of files removed per step: they can be large.
const MAX_FILES_PER_STEP: i64 = 50;

/// Data of a project: a query for some rows of a table, the statement to delete them, and the maximum number per step.
const PROJECT_DATA: [(&str, &str, i64); 13] = [
    (sql::REMAINS_DEPLOYMENTS, sql::DEPLOYMENT_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_TRIGGERS, sql::TRIGGER_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_VERSIONS, sql::VERSION_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_FILES, sql::FILE_DROP, MAX_FILES_PER_STEP),
    (sql::REMAINS_LOGS, sql::LOG_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_EXECUTIONS, sql::REMAINS_EXECUTION_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_FACETS, sql::FACET_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_METRICS, sql::METRIC_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_METRIC_USERS, sql::METRIC_USER_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_PROPERTIES, sql::PROPERTY_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_CACHED, sql::CACHED_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_LOCKS, sql::LOCK_GIVE, MAX_ROWS_PER_STEP),
    (sql::REMAINS_ROLES, sql::ROLE_DROP, MAX_ROWS_PER_STEP),
];

/// Data of a user in projects of others. Executions belong to the history of their projects, and stay.
const USER_DATA: [(&str, &str, i64); 4] = [
    (sql::REMAINS_OF_USER_TRIGGERS, sql::TRIGGER_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_OF_USER_PROPERTIES, sql::PROPERTY_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_OF_USER_CACHED, sql::CACHED_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_OF_USER_LOCKS, sql::LOCK_GIVE, MAX_ROWS_PER_STEP),
];

/// Removes some rows of the first table that has any; returns whether there were any.
async fn clear_tables<S: Session>(session: &mut S, tables: &[(&str, &str, i64)], of: i64) -> Result<bool> {
    for (find, remove, limit) in tables {
        let rows = session.rows(find, &[of.into(), (*limit).into()]).await?;
        if !rows.is_empty() {
            let keys: Vec<_> = rows.into_iter().map(|row| row.0).collect();
            session.run_each(remove, &keys).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Hides a project.
pub(super) struct HideProject(pub(super) String);

impl Operation for HideProject {
    type Output = ProjectNumber;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<ProjectNumber> {
        let rows = session.rows(sql::PROJECT_HIDE, &[texts::replace_nul(self.0.clone()).into()]).await?;
        rows.first().ok_or_else(|| Error::not_found("project", self.0))?.int(0).map(ProjectNumber)
    }
}

/// Deletes some data of a hidden project; returns whether there is more.
pub(in crate::domain) struct ClearProject(pub(in crate::domain) ProjectNumber);

impl Operation for ClearProject {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        if clear_tables(session, &PROJECT_DATA, self.0.0).await? {
            return Ok(true);
        }
        session.run(sql::CHANGES_DROP, &[0.into(), self.0.0.into()]).await?;
        session.run(sql::PROJECT_DROP, &[self.0.0.into()]).await?;
        Ok(false)
    }
}

/// Finds a project whose removal was interrupted.
pub(in crate::domain) struct FindHiddenProject;

impl Operation for FindHiddenProject {
    type Output = Option<ProjectNumber>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<ProjectNumber>> {
        let rows = session.rows(sql::PROJECTS_HIDDEN, &[]).await?;
        rows.first().map(|row| row.int(0).map(ProjectNumber)).transpose()
    }
}

/// Hides the scripts of a user, and stops sharing others with them.
pub(in crate::domain) async fn hide_user<S: Session>(session: &mut S, user: Mailbox) -> Result<()> {
    session.run(sql::PROJECTS_OF_HIDE, &[user.0.into()]).await?;
    session.run(sql::ROLES_OF_DROP, &[user.0.into()]).await?;
    Ok(())
}

/// Deletes some script data of a hidden user; returns whether there is more.
pub(in crate::domain) async fn clear_user<S: Session>(session: &mut S, user: Mailbox) -> Result<bool> {
    hide_user(session, user).await?;
    if let Some(row) = session.rows(sql::PROJECTS_OF_LEFT, &[user.0.into()]).await?.first() {
        ClearProject(ProjectNumber(row.int(0)?)).run(session).await?;
        return Ok(true);
    }
    if clear_tables(session, &USER_DATA, user.0).await? {
        return Ok(true);
    }
    session.run(sql::CHANGES_DROP, &[1.into(), user.0.into()]).await?;
    session.run(sql::PROFILE_DROP, &[user.0.into()]).await?;
    Ok(false)
}
