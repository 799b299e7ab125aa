//! Versions are made and read.

use script_server::runtime::ListResult;
use script_server::runtime::tokens::expired_page;
use script_server::{Context, Error, Reply, Result, requests, types};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{Epoch, Error as StoreError, ListPlace, Project, ScriptRole, Store, Version};

use crate::{ScriptService, caller, fault, times};

/// How many items a page of a list has unless the client says, and at most.
const SIZE: u32 = 50;
const MAX_SIZE: u32 = 200;
/// Descriptions have at most so many characters.
const DESCRIPTION: usize = 2_000;

/// Where a page begins.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) epoch: Epoch,
    pub(crate) after: i64,
}

/// Returns how many items a page has: a larger size is lowered.
pub(crate) fn size(wanted: Option<i64>) -> u32 {
    wanted.map_or(SIZE, |wanted| u32::try_from(wanted).unwrap_or(MAX_SIZE).clamp(1, MAX_SIZE))
}

/// Returns what differs after each change of a list that belongs to a project.
pub(crate) fn changes(project: &Project) -> String {
    format!("{:?}-{}", project.epoch, project.changes)
}

/// Refuses a description that is too long.
pub(crate) fn description(text: Option<String>, member: &'static str) -> std::result::Result<String, Error> {
    let text = text.unwrap_or_default();
    if text.chars().count() > DESCRIPTION {
        return Err(fault::invalid(member, format!("a description has at most {DESCRIPTION} characters")));
    }
    Ok(text)
}

impl<S: Store> ScriptService<S> {
    /// Keeps the present files as a version, also where nothing has changed since the last one.
    pub(crate) async fn create_version(
        &self,
        request: requests::ProjectsVersionsCreate,
        context: &Context,
    ) -> Result<types::Version> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let description = description(request.body.description, "description")?;
        let (project, limit) = (access.project.number, self.settings.versions);
        let made = self.store.add_version(project, description, limit, self.clock.now()).await;
        Ok(Reply::new(show(&access.project, made.map_err(fault::answer)?)))
    }

    pub(crate) async fn get_version(
        &self,
        request: requests::ProjectsVersionsGet,
        context: &Context,
    ) -> Result<types::Version> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let number = request.version_number;
        let found = self.store.version(access.project.number, number).await.map_err(fault::answer)?;
        let none = || fault::absent("version", &number.to_string(), "versionNumber");
        Ok(Reply::new(show(&access.project, found.ok_or_else(none)?)))
    }

    /// Lists versions, the newest first.
    pub(crate) async fn list_versions(
        &self,
        request: requests::ProjectsVersionsList,
        context: &Context,
    ) -> ListResult<requests::ProjectsVersionsList> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let tag = context.list_tag(&request, changes(&access.project));
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let place: Option<Place> = self.sealer.open_page(context, &request)?;
        let after = place.map(|Place { epoch, after }| ListPlace { epoch, after });
        let page = self.store.versions(access.project.number, after, size(request.page_size)).await;
        let page = page.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, &request),
            error => fault::answer(error),
        })?;
        let mut answer = types::ListVersionsResponse::default();
        if let Some(last) = page.items.last().filter(|_| page.more) {
            let place = Place { epoch: access.project.epoch, after: last.number };
            answer.next_page_token = Some(self.sealer.seal_page(context, &request, &place)?);
        }
        answer.versions = page.items.into_iter().map(|version| show(&access.project, version)).collect();
        Ok(tag.reply(answer))
    }
}

fn show(project: &Project, version: Version) -> types::Version {
    let mut shown = types::Version::default()
        .with_script_id(project.id.as_str())
        .with_version_number(version.number)
        .with_create_time(times::time(version.created));
    shown.description = Some(version.description).filter(|description| !description.is_empty());
    shown
}
