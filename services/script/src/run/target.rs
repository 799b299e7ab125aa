//! Resolution of the code of a run.

use script_server::Error;
use script_server::types::Access;
use wireform_store::{Deployment, DeploymentOrder, Mailbox, Project, ProjectAccess, ScriptRole, Store, User};

use crate::people::domain;
use crate::{ScriptService, error, manifest};

/// Number of deployments per query.
const BATCH: u32 = 50;

/// Code to run.
pub(super) struct Target {
    pub(super) project: Project,
    pub(super) role: Option<ScriptRole>,
    pub(super) version: Option<i64>,
    pub(super) deployment: String,
}

impl Target {
    fn from_deployment((project, role): ProjectAccess, deployment: Deployment) -> Self {
        Self { project, role, version: deployment.settings.version, deployment: deployment.id }
    }

    /// Returns the last saved content as the target.
    fn from_saved_content((project, role): ProjectAccess) -> Self {
        Self { project, role, version: None, deployment: String::new() }
    }
}

/// Returns the error of an identifier with nothing that a user may run. Without a role on the project, the user must
/// not learn that it exists.
fn refusal(role: Option<ScriptRole>, id: &str, reason: impl FnOnce() -> String) -> Error {
    match role {
        Some(role) => error::not_executable(reason(), role == ScriptRole::Owner),
        None => error::project_not_found(id),
    }
}

impl<S: Store> ScriptService<S> {
    /// Resolves `id`, which is a deployment or a project. Of a project it is the last saved content for an owner in
    /// development mode, and otherwise the most recently changed deployment that the user may run.
    ///
    /// # Errors
    /// Returns a 404 if there is nothing that the user may run, with the reason for users who can read the project, or an
    /// error of the store.
    pub(super) async fn target(&self, id: &str, user: &User, dev_mode: bool) -> Result<Target, Error> {
        let deployment = self.store.find_deployment(id, user.mailbox);
        let (deployment, project) = tokio::join!(deployment, self.store.find_project(id, user.mailbox));
        if let Some((found, deployment)) = deployment.map_err(error::from_store)? {
            if dev_mode && found.1 == Some(ScriptRole::Owner) {
                return Ok(Target::from_saved_content(found));
            }
            // The current files are for users who can read them.
            let is_readable = !deployment.is_head || found.1.is_some();
            return match is_readable && self.may_run(&deployment, user).await? {
                true => Ok(Target::from_deployment(found, deployment)),
                false => Err(refusal(found.1, id, || format!("no `executionApi` of the deployment `{id}` admits you"))),
            };
        }
        let found = project.map_err(error::from_store)?.ok_or_else(|| error::project_not_found(id))?;
        if dev_mode && found.1 == Some(ScriptRole::Owner) {
            return Ok(Target::from_saved_content(found));
        }
        let mut after = None;
        loop {
            let order = DeploymentOrder::ByTime(after);
            let page = self.store.deployments(found.0.number, order, None, BATCH).await.map_err(error::from_store)?;
            after = page.items.last().map(|last| (last.updated, last.position));
            for deployment in page.items {
                if self.may_run(&deployment, user).await? {
                    return Ok(Target::from_deployment(found, deployment));
                }
            }
            if !page.has_more {
                let reason = || format!("the project `{id}` has no deployment whose `executionApi` admits you");
                return Err(refusal(found.1, id, reason));
            }
        }
    }

    /// Returns whether a user may run the functions of a deployment.
    async fn may_run(&self, deployment: &Deployment, user: &User) -> Result<bool, Error> {
        match manifest::execution_access(&manifest::parse_stored(&deployment.manifest)) {
            Some(Access::Myself) => Ok(deployment.deployer == user.mailbox),
            Some(Access::Domain) => {
                let deployer = self.user_address(deployment.deployer).await?;
                Ok(deployer.is_some_and(|address| domain(&address).eq_ignore_ascii_case(domain(&user.address))))
            }
            // A token is required nevertheless.
            Some(Access::Anyone | Access::AnyoneAnonymous) => Ok(true),
            _ => Ok(false),
        }
    }

    /// Returns the address of the user with a mailbox; `None` if there is no such user.
    async fn user_address(&self, user: Mailbox) -> Result<Option<String>, Error> {
        let people = self.store.people(vec![user]).await.map_err(error::from_store)?;
        Ok(people.into_iter().next().map(|person| person.user.address))
    }
}
