//! Creating and reading of versions.

use script_server::runtime::ListResult;
use script_server::runtime::tokens::expired_page;
use script_server::{Context, Error, Reply, Result, requests, types};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{Epoch, Error as StoreError, Project, ScriptListCursor, ScriptRole, Store, Version};

use crate::{ScriptService, caller, error, times};

/// Default size of a page of a list.
const DEFAULT_SIZE: u32 = 50;
/// Maximum size of a page of a list.
const MAX_SIZE: u32 = 200;
/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 2_000;

/// Start of a page.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PageStart {
    pub(crate) epoch: Epoch,
    pub(crate) after: i64,
}

/// Returns the size of a page; larger sizes are lowered to the maximum.
pub(crate) fn page_size(wanted: Option<i64>) -> u32 {
    wanted.map_or(DEFAULT_SIZE, |wanted| u32::try_from(wanted).unwrap_or(MAX_SIZE).clamp(1, MAX_SIZE))
}

/// Returns a revision of a list of a project, which differs after each change.
pub(crate) fn revision(project: &Project) -> String {
    format!("{:?}-{}", project.epoch, project.change_number)
}

/// Checks the length of a description.
pub(crate) fn check_description(text: Option<String>, member: &'static str) -> std::result::Result<String, Error> {
    let text = text.unwrap_or_default();
    if text.chars().count() > MAX_DESCRIPTION {
        return Err(error::invalid(member, format!("a description can have at most {MAX_DESCRIPTION} characters")));
    }
    Ok(text)
}

impl<S: Store> ScriptService<S> {
    /// Creates a version of the current files, even if nothing has changed since the last one.
    pub(crate) async fn create_version(
        &self,
        request: requests::ProjectsVersionsCreate,
        context: &Context,
    ) -> Result<types::Version> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let description = check_description(request.body.description, "description")?;
        let (project, limit) = (access.project.number, self.settings.versions);
        let made = self.store.add_version(project, description, limit, self.clock.now()).await;
        Ok(Reply::new(to_api(&access.project, made.map_err(error::from_store)?)))
    }

    pub(crate) async fn get_version(
        &self,
        request: requests::ProjectsVersionsGet,
        context: &Context,
    ) -> Result<types::Version> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let number = request.version_number;
        let found = self.store.version(access.project.number, number).await.map_err(error::from_store)?;
        let none = || error::parameter_not_found("version", &number.to_string(), "versionNumber");
        Ok(Reply::new(to_api(&access.project, found.ok_or_else(none)?)))
    }

    /// Lists versions, newest first.
    pub(crate) async fn list_versions(
        &self,
        request: requests::ProjectsVersionsList,
        context: &Context,
    ) -> ListResult<requests::ProjectsVersionsList> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let tag = context.list_tag(&request, revision(&access.project));
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let page_start: Option<PageStart> = self.sealer.open_page(context, &request)?;
        let after = page_start.map(|PageStart { epoch, after }| ScriptListCursor { epoch, after });
        let page = self.store.versions(access.project.number, after, page_size(request.page_size)).await;
        let page = page.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, &request),
            error => error::from_store(error),
        })?;
        let mut response = types::ListVersionsResponse::default();
        if let Some(last) = page.items.last().filter(|_| page.has_more) {
            let page_start = PageStart { epoch: access.project.epoch, after: last.number };
            response.next_page_token = Some(self.sealer.seal_page(context, &request, &page_start)?);
        }
        response.versions = page.items.into_iter().map(|version| to_api(&access.project, version)).collect();
        Ok(tag.reply(response))
    }
}

fn to_api(project: &Project, version: Version) -> types::Version {
    let mut response = types::Version::default()
        .with_script_id(project.id.as_str())
        .with_version_number(version.number)
        .with_create_time(times::to_date_time(version.created));
    response.description = Some(version.description).filter(|description| !description.is_empty());
    response
}
