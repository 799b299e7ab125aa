//! Versions of projects.

use super::{project, sql};
use crate::domain::{epoch, texts};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{Error, Millis, ProjectNumber, Result, ScriptListCursor, ScriptPage, Version};

fn version_from_row(row: &mut Row) -> Result<Version> {
    Ok(Version {
        number: row.int(0)?,
        description: row.text(1)?,
        created: Millis(row.int(2)?),
        content_number: row.int(3)?.cast_unsigned(),
    })
}

/// Refuses a list position of another epoch.
pub(super) fn require_epoch(current: crate::Epoch, held: Option<crate::Epoch>) -> Result<()> {
    held.map_or(Ok(()), |held| epoch::require_current(current, held))
}

/// Adds a version with the current content of a project, up to `limit` versions.
pub(super) struct AddVersion {
    pub(super) project: ProjectNumber,
    pub(super) description: String,
    pub(super) limit: i64,
    pub(super) now: Millis,
}

impl Operation for AddVersion {
    type Output = Version;
    const ACCESS: Access = Access::Write;

    /// Locks the project, so that version numbers have no gaps.
    async fn run<S: Session>(self, session: &mut S) -> Result<Version> {
        let Self { project, description, limit, now } = self;
        let stored = project::lock(session, project).await?;
        let number = stored.project.versions + 1;
        if number > limit {
            return Err(Error::Refused(format!("a project can have at most {limit} versions")));
        }
        let description = texts::replace_nul(description);
        let saved = stored.project.content_number;
        let values = [
            project.0.into(),
            number.into(),
            description.clone().into(),
            now.0.into(),
            saved.cast_signed().into(),
            stored.content.into(),
            stored.manifest.into(),
        ];
        session.run(sql::VERSION_ADD, &values).await?;
        session.run(sql::PROJECT_VERSION, &[project.0.into(), number.into()]).await?;
        Ok(Version { number, description, created: now, content_number: saved })
    }
}

/// Reads the version of a project with a number, without its content.
pub(super) struct ReadVersion(pub(super) ProjectNumber, pub(super) i64);

impl Operation for ReadVersion {
    type Output = Option<Version>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Version>> {
        let mut rows = session.rows(sql::VERSION, &[self.0.0.into(), self.1.into()]).await?;
        rows.first_mut().map(version_from_row).transpose()
    }
}

/// Lists a page of the versions of a project, the latest first.
pub(super) struct ListVersions {
    pub(super) project: ProjectNumber,
    pub(super) after: Option<ScriptListCursor>,
    pub(super) limit: u32,
}

impl Operation for ListVersions {
    type Output = ScriptPage<Version>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<ScriptPage<Version>> {
        let Self { project, after, limit } = self;
        let current = project::load(session, project).await?.project.epoch;
        require_epoch(current, after.map(|place| place.epoch))?;
        let before = after.map_or(i64::MAX, |place| place.after);
        let values = [project.0.into(), before.into(), (i64::from(limit) + 1).into()];
        let mut rows = session.rows(sql::VERSIONS, &values).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        Ok(ScriptPage { items: rows.iter_mut().map(version_from_row).collect::<Result<_>>()?, has_more: more })
    }
}
