//! Facets of executions: the properties that filters examine, stored once for all executions that have them in common.

use sha2::{Digest as _, Sha256};

use super::sql;
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{Error, Execution, ExecutionFilter, Mailbox, ProjectNumber, Result};

/// Number of facets examined per cleanup step.
const MAX_EXAMINED: i64 = 200;

/// Combination of properties of executions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facet {
    pub(super) title: String,
    pub(super) function: String,
    pub(super) deployment: String,
    pub(super) status: i64,
    pub(super) kind: i64,
    pub(super) access: i64,
    pub(super) runtime: i64,
}

impl Facet {
    /// Returns the facet of an execution.
    pub(super) fn of(execution: &Execution) -> Self {
        let Execution { title, function, deployment, status, kind, access, runtime, .. } = execution;
        let (title, function, deployment) = (title.clone(), function.clone(), deployment.clone());
        Self { title, function, deployment, status: *status, kind: *kind, access: *access, runtime: *runtime }
    }

    /// Reads a facet from a row, starting at a column.
    pub(super) fn from_row(row: &mut Row, column: usize) -> Result<Self> {
        Ok(Self {
            title: row.text(column)?,
            function: row.text(column + 1)?,
            deployment: row.text(column + 2)?,
            status: row.int(column + 3)?,
            kind: row.int(column + 4)?,
            access: row.int(column + 5)?,
            runtime: row.int(column + 6)?,
        })
    }

    /// Returns the facet with a number.
    pub(super) async fn load<S: Session>(session: &mut S, number: i64) -> Result<Self> {
        let mut rows = session.rows(sql::FACET, &[number.into()]).await?;
        Self::from_row(rows.first_mut().ok_or_else(|| Error::not_found("facet", number))?, 0)
    }

    /// Returns the hash by which equal facets are found.
    fn digest(&self) -> Vec<u8> {
        let Self { title, function, deployment, status, kind, access, runtime } = self;
        let mut hash = Sha256::new();
        for text in [title, function, deployment] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        for number in [status, kind, access, runtime] {
            hash.update(number.to_le_bytes());
        }
        hash.finalize().to_vec()
    }

    /// Stores the facet and returns its numbers for the project and for the user.
    pub(super) async fn store<S: Session>(
        self,
        session: &mut S,
        project: ProjectNumber,
        user: Mailbox,
    ) -> Result<(i64, i64)> {
        let facet = Self {
            title: texts::replace_nul(self.title),
            function: texts::replace_nul(self.function),
            deployment: texts::replace_nul(self.deployment),
            ..self
        };
        let of_project = facet.store_for_scope(session, (0, project.0), project).await?;
        Ok((of_project, facet.store_for_scope(session, (1, user.0), project).await?))
    }

    async fn store_for_scope<S: Session>(
        &self,
        session: &mut S,
        side: (i64, i64),
        project: ProjectNumber,
    ) -> Result<i64> {
        let values = [
            side.0.into(),
            side.1.into(),
            project.0.into(),
            self.digest().into(),
            self.title.as_str().into(),
            self.function.as_str().into(),
            self.deployment.as_str().into(),
            self.status.into(),
            self.kind.into(),
            self.access.into(),
            self.runtime.into(),
        ];
        let rows = session.rows(sql::FACET_PUT, &values).await?;
        rows.first().ok_or_else(|| Error::Internal("the database returned no number for a facet".to_owned()))?.int(0)
    }

    /// Returns whether executions with this facet match a filter of which the deployment is resolved to its project.
    pub(super) fn matches(&self, filter: &ExecutionFilter) -> bool {
        let any = |wanted: &[i64], is: i64| wanted.is_empty() || wanted.contains(&is);
        filter.title.as_ref().is_none_or(|part| self.title.contains(part.as_str()))
            && filter.function.as_ref().is_none_or(|name| *name == self.function)
            && any(&filter.statuses, self.status)
            && any(&filter.kinds, self.kind)
            && any(&filter.access, self.access)
    }
}

/// Removes some facets that no execution has any more. The examined range is random, so that a step is cheap and every
/// facet is removed eventually.
pub(super) struct DeleteUnusedFacets;

impl Operation for DeleteUnusedFacets {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let rows = session.rows(sql::FACET_GREATEST, &[]).await?;
        let greatest = rows.first().map_or(Ok(0), |row| row.int(0))?;
        let start = if greatest > MAX_EXAMINED { rand::random_range(0..greatest - MAX_EXAMINED / 2) } else { 0 };
        for row in session.rows(sql::FACETS_AFTER, &[start.into(), MAX_EXAMINED.into()]).await? {
            let (number, side): (i64, i64) = (row.int(0)?, row.int(1)?);
            let used = if side == 0 { sql::FACET_USED } else { sql::FACET_USED_BY_USER };
            if !session.rows(used, &[number.into()]).await?.is_empty() {
                continue;
            }
            // An operation that adds an execution to the facet locks it.
            let lock = format!("{}{}", sql::FACET_LOCK, S::DIALECT.skip_locked);
            let key: [Value; 1] = [number.into()];
            let free = !session.rows(&lock, &key).await?.is_empty();
            if free && session.rows(used, &key).await?.is_empty() {
                session.run(sql::FACET_DROP, &key).await?;
            }
        }
        Ok(())
    }
}
