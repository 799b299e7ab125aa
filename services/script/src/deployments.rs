//! Creating, reading, updating and deleting of deployments.

use script_server::runtime::ListResult;
use script_server::runtime::tokens::expired_page;
use script_server::{Context, Error, Reply, Result, requests, types};
use wireform_store::{
    Deployment, DeploymentOrder, DeploymentSettings, Error as StoreError, Project, ScriptRole, Store,
};

use crate::authority::Authority;
use crate::caller::Access;
use crate::versions::{PageStart, check_description, page_size, revision};
use crate::{ScriptService, caller, entry_points, error, manifest, times};

impl<S: Store> ScriptService<S> {
    /// Deploys a version, or the current files if none is given.
    pub(crate) async fn create_deployment(
        &self,
        request: requests::ProjectsDeploymentsCreate,
        context: &Context,
    ) -> Result<types::Deployment> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let settings = self.parse_settings(&access, request.body, "", context).await?;
        let (project, user) = (access.project.number, access.user.mailbox);
        let made = self.store.add_deployment(project, settings, user, self.clock.now()).await;
        Ok(Reply::new(self.show_deployment(&access.project, made.map_err(error::from_store)?)))
    }

    pub(crate) async fn get_deployment(
        &self,
        request: requests::ProjectsDeploymentsGet,
        context: &Context,
    ) -> Result<types::Deployment> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let found =
            self.store.deployment(access.project.number, &request.deployment_id).await.map_err(error::from_store)?;
        let found = found.ok_or_else(|| deployment_not_found(&request.deployment_id))?;
        Ok(Reply::new(self.show_deployment(&access.project, found)))
    }

    /// Lists deployments: first that of the current files, which every project has, then newest first.
    pub(crate) async fn list_deployments(
        &self,
        request: requests::ProjectsDeploymentsList,
        context: &Context,
    ) -> ListResult<requests::ProjectsDeploymentsList> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let tag = context.list_tag(&request, revision(&access.project));
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let page_start: Option<PageStart> = self.sealer.open_page(context, &request)?;
        let order = DeploymentOrder::ByPosition(page_start.map(|page_start| page_start.after));
        let epoch = page_start.map(|page_start| page_start.epoch);
        let page = self.store.deployments(access.project.number, order, epoch, page_size(request.page_size)).await;
        let page = page.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, &request),
            error => error::from_store(error),
        })?;
        let mut response = types::ListDeploymentsResponse::default();
        if let Some(last) = page.items.last().filter(|_| page.has_more) {
            let page_start = PageStart { epoch: access.project.epoch, after: last.position };
            response.next_page_token = Some(self.sealer.seal_page(context, &request, &page_start)?);
        }
        let show = |deployment| self.show_deployment(&access.project, deployment);
        response.deployments = page.items.into_iter().map(show).collect();
        Ok(tag.reply(response))
    }

    /// Replaces the whole configuration; omitted fields are reset. The caller becomes the deployer.
    pub(crate) async fn update_deployment(
        &self,
        request: requests::ProjectsDeploymentsUpdate,
        context: &Context,
    ) -> Result<types::Deployment> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let id = &request.deployment_id;
        let config = request.body.deployment_config.unwrap_or_default();
        let settings = self.parse_settings(&access, config, "deploymentConfig.", context).await?;
        let (project, user) = (access.project.number, access.user.mailbox);
        let changed = self.store.replace_deployment(project, id, settings, user, self.clock.now()).await;
        Ok(Reply::new(self.show_deployment(&access.project, changed.map_err(|error| deployment_error(error, id))?)))
    }

    /// Deletes a deployment. Its current runs continue.
    pub(crate) async fn delete_deployment(
        &self,
        request: requests::ProjectsDeploymentsDelete,
        context: &Context,
    ) -> Result<types::Empty> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let id = &request.deployment_id;
        let removed = self.store.remove_deployment(access.project.number, id).await;
        removed.map_err(|error| deployment_error(error, id))?;
        Ok(Reply::new(types::Empty::default()))
    }

    /// Checks a configuration; `prefix` is its path in the body.
    async fn parse_settings(
        &self,
        access: &Access,
        config: types::DeploymentConfig,
        prefix: &'static str,
        context: &Context,
    ) -> std::result::Result<DeploymentSettings, Error> {
        let member = |name: &str| format!("{prefix}{name}");
        let project = &access.project;
        if config.script_id.is_some_and(|id| !id.is_empty() && id != project.id) {
            return Err(error::invalid(member("scriptId"), "must be the `scriptId` of the path"));
        }
        let file = config.manifest_file_name.as_deref().unwrap_or_default();
        if !["", manifest::NAME, "appsscript"].contains(&file) {
            return Err(error::invalid(member("manifestFileName"), format!("file `{file}` of type JSON not found")));
        }
        // Empty and default values may be omitted, and vice versa.
        let version = config.version_number.filter(|number| *number != 0);
        let content = self.store.content(project.number, version).await.map_err(error::from_store)?;
        let none = || {
            let number = version.unwrap_or_default();
            error::parameter_not_found("version", &number.to_string(), "versionNumber")
        };
        let files = content.ok_or_else(none)?;
        let file = files.iter().find(|file| file.kind == wireform_store::FileKind::Manifest);
        let manifest = manifest::parse_stored(file.map_or("{}", |file| &file.source));
        if let Some(message) = entry_points::missing_field_message(&manifest) {
            return Err(error::invalid(member("versionNumber"), message));
        }
        let at = if prefix.is_empty() { "description" } else { "deploymentConfig.description" };
        // A web app that runs as the deployer has only the scopes of the token, so that a token cannot extend itself.
        let scopes = Authority::from_principal(context.principal(), &access.user).scopes();
        Ok(DeploymentSettings { version, description: check_description(config.description, at)?, scopes })
    }

    fn show_deployment(&self, project: &Project, deployment: Deployment) -> types::Deployment {
        let mut config = types::DeploymentConfig::default()
            .with_script_id(project.id.as_str())
            .with_manifest_file_name(manifest::NAME);
        config.version_number = deployment.settings.version;
        config.description = Some(deployment.settings.description).filter(|text| !text.is_empty());
        let points =
            entry_points::entry_points(&manifest::parse_stored(&deployment.manifest), &self.base, &deployment.id);
        types::Deployment::default()
            .with_update_time(times::to_date_time(deployment.updated))
            .with_deployment_config(config)
            .with_entry_points(points)
            .with_deployment_id(deployment.id)
    }
}

fn deployment_not_found(id: &str) -> Error {
    error::parameter_not_found("deployment", id, "deploymentId")
}

/// Converts an error of the store about the deployment with an identifier.
fn deployment_error(error: StoreError, id: &str) -> Error {
    match error {
        StoreError::NotFound { what: "deployment", .. } => deployment_not_found(id),
        error => error::from_store(error),
    }
}
