//! Deployments of projects.

use super::files::decode_source;
use super::{project, random_id, sql, versions};
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    Deployment, DeploymentOrder, DeploymentSettings, Epoch, Error, Mailbox, Millis, ProjectAccess, ProjectNumber,
    Result, ScriptPage,
};

/// Position of the head deployment, which every project has.
const HEAD_POSITION: i64 = i64::MAX - 1;

fn deployment_from_row(row: &mut Row) -> Result<Deployment> {
    let place = row.int(1)?;
    Ok(Deployment {
        id: row.text(0)?,
        position: place,
        is_head: place == HEAD_POSITION,
        settings: DeploymentSettings {
            version: row.optional_int(2)?,
            description: row.text(3)?,
            scopes: row.optional_text(8)?.map(|scopes| scopes.split_whitespace().map(str::to_owned).collect()),
        },
        deployer: Mailbox(row.int(4)?),
        updated: Millis(row.int(5)?),
        manifest: decode_source(row.blob(7)?)?,
    })
}

/// Reads a deployment of a project.
async fn read<S: Session>(session: &mut S, project: ProjectNumber, id: &str) -> Result<Option<Deployment>> {
    let mut rows = session.rows(sql::DEPLOYMENT, &[texts::replace_nul(id.to_owned()).into()]).await?;
    match rows.first_mut() {
        Some(row) if row.int(6)? == project.0 => deployment_from_row(row).map(Some),
        _ => Ok(None),
    }
}

/// Reads a deployment, or returns an error if it does not exist.
async fn require<S: Session>(session: &mut S, project: ProjectNumber, id: &str) -> Result<Deployment> {
    read(session, project, id).await?.ok_or_else(|| Error::not_found("deployment", id))
}

/// Reads a deployment, or returns an error if it cannot be changed.
async fn require_changeable<S: Session>(session: &mut S, project: ProjectNumber, id: &str) -> Result<Deployment> {
    let found = require(session, project, id).await?;
    if found.is_head {
        return Err(Error::Refused("the head deployment cannot be changed or deleted".to_owned()));
    }
    Ok(found)
}

/// Refuses a version that does not exist.
async fn require_version<S: Session>(session: &mut S, project: ProjectNumber, version: Option<i64>) -> Result<()> {
    let Some(version) = version else { return Ok(()) };
    let rows = session.rows(sql::VERSION, &[project.0.into(), version.into()]).await?;
    if rows.is_empty() { Err(Error::not_found("version", version)) } else { Ok(()) }
}

/// Adds the head deployment, which every project has.
pub(super) async fn add_head<S: Session>(
    session: &mut S,
    project: ProjectNumber,
    user: Mailbox,
    now: Millis,
) -> Result<()> {
    add(session, project, (HEAD_POSITION, random_id()), &DeploymentSettings::default(), user, now).await
}

/// Inserts a deployment with its position in the project and its identifier.
async fn add<S: Session>(
    session: &mut S,
    project: ProjectNumber,
    (place, id): (i64, String),
    settings: &DeploymentSettings,
    user: Mailbox,
    now: Millis,
) -> Result<()> {
    let values = [
        project.0.into(),
        place.into(),
        id.into(),
        settings.version.into(),
        texts::replace_nul(settings.description.clone()).into(),
        user.0.into(),
        now.0.into(),
        join_scopes(settings.scopes.as_deref()),
    ];
    session.run(sql::DEPLOYMENT_ADD, &values).await?;
    Ok(())
}

/// Serializes scopes; none of them contains a space.
fn join_scopes(scopes: Option<&[String]>) -> Value {
    scopes.map(|scopes| texts::replace_nul(scopes.join(" "))).into()
}

/// Finds a deployment by identifier, in any project, with a user's role on the project.
pub(super) struct FindDeployment(pub(super) String, pub(super) Mailbox);

impl Operation for FindDeployment {
    type Output = Option<(ProjectAccess, Deployment)>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<(ProjectAccess, Deployment)>> {
        let mut rows = session.rows(sql::DEPLOYMENT, &[texts::replace_nul(self.0).into()]).await?;
        let Some(row) = rows.first_mut() else { return Ok(None) };
        let (deployment, project) = (deployment_from_row(row)?, ProjectNumber(row.int(6)?));
        let project = match project::load(session, project).await {
            Ok(stored) => stored.project,
            // The project is being removed.
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let role = project::role(session, &project, self.1).await?;
        Ok(Some(((project, role), deployment)))
    }
}

/// Finds the project that has a deployment, or that had it when an execution that is still stored ran through it.
pub(super) struct FindProjectOfDeployment(pub(super) String);

impl Operation for FindProjectOfDeployment {
    type Output = Option<ProjectNumber>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<ProjectNumber>> {
        let id: [Value; 1] = [texts::replace_nul(self.0).into()];
        for statement in [sql::PROJECT_OF_DEPLOYMENT, sql::PROJECT_RUN_THROUGH] {
            if let Some(row) = session.rows(statement, &id).await?.first() {
                return row.int(0).map(|project| Some(ProjectNumber(project)));
            }
        }
        Ok(None)
    }
}

/// Reads the deployment of a project with an identifier.
pub(super) struct ReadDeployment(pub(super) ProjectNumber, pub(super) String);

impl Operation for ReadDeployment {
    type Output = Option<Deployment>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Deployment>> {
        read(session, self.0, &self.1).await
    }
}

/// Lists a page of the deployments of a project.
pub(super) struct ListDeployments {
    pub(super) project: ProjectNumber,
    pub(super) order: DeploymentOrder,
    pub(super) epoch: Option<Epoch>,
    pub(super) limit: u32,
}

impl Operation for ListDeployments {
    type Output = ScriptPage<Deployment>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<ScriptPage<Deployment>> {
        let Self { project, order, epoch, limit } = self;
        versions::require_epoch(project::load(session, project).await?.project.epoch, epoch)?;
        let count: Value = (i64::from(limit) + 2).into();
        let mut rows = match order {
            DeploymentOrder::ByPosition(after) => {
                let values = [project.0.into(), after.unwrap_or(i64::MAX).into(), count];
                session.rows(sql::DEPLOYMENTS_BY_PLACE, &values).await?
            }
            DeploymentOrder::ByTime(after) => {
                let (time, place) = after.unwrap_or((Millis(i64::MAX), i64::MAX));
                let values = [project.0.into(), time.0.into(), place.into(), count];
                session.rows(sql::DEPLOYMENTS_BY_TIME, &values).await?
            }
        };
        let mut items = rows.iter_mut().map(deployment_from_row).collect::<Result<Vec<_>>>()?;
        if matches!(order, DeploymentOrder::ByTime(_)) {
            items.retain(|deployment| !deployment.is_head);
        }
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        Ok(ScriptPage { items, has_more: more })
    }
}

/// Adds a deployment at the end of a project's list.
pub(super) struct AddDeployment {
    pub(super) project: ProjectNumber,
    pub(super) settings: DeploymentSettings,
    pub(super) user: Mailbox,
    pub(super) now: Millis,
}

impl Operation for AddDeployment {
    type Output = Deployment;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Deployment> {
        let Self { project, settings, user, now } = self;
        let stored = project::lock(session, project).await?;
        require_version(session, project, settings.version).await?;
        let (place, id) = (stored.deployments + 1, random_id());
        add(session, project, (place, id.clone()), &settings, user, now).await?;
        session.run(sql::PROJECT_DEPLOYED, &[project.0.into(), place.into()]).await?;
        require(session, project, &id).await
    }
}

/// Replaces the settings of a deployment other than the head deployment.
pub(super) struct ReplaceDeployment {
    pub(super) project: ProjectNumber,
    pub(super) id: String,
    pub(super) settings: DeploymentSettings,
    pub(super) user: Mailbox,
    pub(super) now: Millis,
}

impl Operation for ReplaceDeployment {
    type Output = Deployment;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Deployment> {
        let Self { project, id, settings, user, now } = self;
        let stored = project::lock(session, project).await?;
        let found = require_changeable(session, project, &id).await?;
        require_version(session, project, settings.version).await?;
        let values = [
            project.0.into(),
            found.position.into(),
            settings.version.into(),
            texts::replace_nul(settings.description).into(),
            user.0.into(),
            now.0.into(),
            join_scopes(settings.scopes.as_deref()),
        ];
        session.run(sql::DEPLOYMENT_SET, &values).await?;
        session.run(sql::PROJECT_DEPLOYED, &[project.0.into(), stored.deployments.into()]).await?;
        require(session, project, &id).await
    }
}

/// Removes a deployment other than the head deployment.
pub(super) struct RemoveDeployment(pub(super) ProjectNumber, pub(super) String);

impl Operation for RemoveDeployment {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let stored = project::lock(session, self.0).await?;
        let found = require_changeable(session, self.0, &self.1).await?;
        session.run(sql::DEPLOYMENT_DROP, &[self.0.0.into(), found.position.into()]).await?;
        session.run(sql::PROJECT_DEPLOYED, &[self.0.0.into(), stored.deployments.into()]).await?;
        Ok(())
    }
}
