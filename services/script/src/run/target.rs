//! Which code a run is of.

use script_server::Error;
use script_server::types::Access;
use wireform_store::{Deployment, DeploymentOrder, FoundProject, Mailbox, Project, ScriptRole, Store, User};

use crate::people::domain;
use crate::{ScriptService, fault, manifest};

/// So many deployments are looked at together.
const PIECE: u32 = 50;

/// What is run.
pub(super) struct Target {
    pub(super) project: Project,
    pub(super) role: Option<ScriptRole>,
    pub(super) version: Option<i64>,
    pub(super) deployment: String,
}

impl Target {
    fn deployed((project, role): FoundProject, deployment: Deployment) -> Self {
        Self { project, role, version: deployment.settings.version, deployment: deployment.id }
    }

    /// Returns what was saved last.
    fn saved((project, role): FoundProject) -> Self {
        Self { project, role, version: None, deployment: String::new() }
    }
}

impl<S: Store> ScriptService<S> {
    /// Returns what `id` stands for, which is a deployment or a project: of a project what was saved last for an owner in
    /// development mode, and otherwise the deployment that was changed last and that the user may run.
    ///
    /// # Errors
    /// 404 where there is nothing that the user may run.
    pub(super) async fn target(&self, id: &str, user: &User, dev_mode: bool) -> Result<Target, Error> {
        let deployment = self.store.find_deployment(id, user.mailbox);
        let (deployment, project) = tokio::join!(deployment, self.store.find_project(id, user.mailbox));
        if let Some((found, deployment)) = deployment.map_err(fault::answer)? {
            if dev_mode && found.1 == Some(ScriptRole::Owner) {
                return Ok(Target::saved(found));
            }
            // The present files are for those who can read them.
            let readable = !deployment.head || found.1.is_some();
            return match readable && self.may_run(&deployment, user).await? {
                true => Ok(Target::deployed(found, deployment)),
                false => Err(fault::no_project(id)),
            };
        }
        let found = project.map_err(fault::answer)?.ok_or_else(|| fault::no_project(id))?;
        if dev_mode && found.1 == Some(ScriptRole::Owner) {
            return Ok(Target::saved(found));
        }
        let mut after = None;
        loop {
            let order = DeploymentOrder::ByTime(after);
            let page = self.store.deployments(found.0.number, order, None, PIECE).await.map_err(fault::answer)?;
            after = page.items.last().map(|last| (last.updated, last.place));
            for deployment in page.items {
                if self.may_run(&deployment, user).await? {
                    return Ok(Target::deployed(found, deployment));
                }
            }
            if !page.more {
                return Err(fault::no_project(id));
            }
        }
    }

    /// Returns whether a user may run the functions of a deployment.
    async fn may_run(&self, deployment: &Deployment, user: &User) -> Result<bool, Error> {
        match manifest::execution_access(&manifest::stored(&deployment.manifest)) {
            Some(Access::Myself) => Ok(deployment.deployer == user.mailbox),
            Some(Access::Domain) => {
                let deployer = self.address(deployment.deployer).await?;
                Ok(deployer.is_some_and(|address| domain(&address).eq_ignore_ascii_case(domain(&user.address))))
            }
            // A token is needed all the same.
            Some(Access::Anyone | Access::AnyoneAnonymous) => Ok(true),
            _ => Ok(false),
        }
    }

    async fn address(&self, user: Mailbox) -> Result<Option<String>, Error> {
        let people = self.store.people(vec![user]).await.map_err(fault::answer)?;
        Ok(people.into_iter().next().map(|person| person.user.address))
    }
}
