//! Creating and reading of projects.

use script_server::{Context, Error, Reply, Result, requests, types};
use wireform_store::{DeploymentSettings, FileKind, NewFile, NewProject, Project, ScriptRole, Store, User};

use crate::caller::Access;
use crate::people::UserProfiles;
use crate::{ScriptService, caller, error, manifest, times};

/// Title of a project without a given title.
const UNTITLED: &str = "Untitled project";
/// Maximum number of characters of a title.
const MAX_TITLE: usize = 1_000;
/// Maximum number of characters of the identifier of a parent file.
const MAX_PARENT: usize = 200;

impl<S: Store> ScriptService<S> {
    /// Creates a project. Any `parentId` is stored as given, since no other files are stored here, and several projects
    /// may have the same one.
    pub(crate) async fn create_project(
        &self,
        request: requests::ProjectsCreate,
        context: &Context,
    ) -> Result<types::Project> {
        let user = caller::user(&self.store, context).await?;
        let project = self.store_project(&user, request.body.title, request.body.parent_id).await?;
        self.show_project(&project, &user).await
    }

    /// Stores a new project with a default manifest. Too long a title or parent ID is an error.
    async fn store_project(
        &self,
        user: &User,
        title: Option<String>,
        parent: Option<String>,
    ) -> std::result::Result<Project, Error> {
        let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| UNTITLED.to_owned());
        if title.chars().count() > MAX_TITLE {
            return Err(error::invalid("title", format!("a title can have at most {MAX_TITLE} characters")));
        }
        let parent = parent.filter(|parent| !parent.is_empty());
        if parent.as_ref().is_some_and(|parent| parent.chars().count() > MAX_PARENT) {
            return Err(error::invalid("parentId", format!("a parent ID can have at most {MAX_PARENT} characters")));
        }
        let source = manifest::default_source();
        let file = NewFile { name: manifest::NAME.to_owned(), kind: FileKind::Manifest, source, functions: None };
        let project = NewProject { owner: user.mailbox, title, parent, files: vec![file] };
        self.store.add_project(project, self.clock.now()).await.map_err(error::from_store)
    }

    /// Adds a project of a user with files, as if the user had created and saved it. With `deployed` its first version
    /// is deployed as well. For programs that fill a store.
    ///
    /// # Errors
    /// Returns the errors of `projects.create` and `projects.updateContent`, and with `deployed` also those of
    /// `projects.versions.create` and `projects.deployments.create`.
    pub async fn add_project(
        &self,
        user: &User,
        title: &str,
        files: Vec<types::File>,
        deployed: bool,
    ) -> std::result::Result<Project, Error> {
        let project = self.store_project(user, Some(title.to_owned()), None).await?;
        let access = Access { project, user: user.clone() };
        self.save(&access, files).await?;
        let (number, now) = (access.project.number, self.clock.now());
        if deployed {
            let limit = self.settings.versions;
            let version = self.store.add_version(number, String::new(), limit, now).await.map_err(error::from_store)?;
            let settings = DeploymentSettings { version: Some(version.number), ..DeploymentSettings::default() };
            self.store.add_deployment(number, settings, user.mailbox, now).await.map_err(error::from_store)?;
        }
        Ok(access.project)
    }

    pub(crate) async fn get_project(
        &self,
        request: requests::ProjectsGet,
        context: &Context,
    ) -> Result<types::Project> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        self.show_project(&access.project, &access.user).await
    }

    async fn show_project(&self, project: &Project, viewer: &User) -> Result<types::Project> {
        let people = UserProfiles::find(&self.store, [project.creator, project.modifier], viewer).await?;
        let mut response = types::Project::default()
            .with_script_id(project.id.as_str())
            .with_title(project.title.as_str())
            .with_create_time(times::to_date_time(project.created))
            .with_update_time(times::to_date_time(project.updated));
        response.parent_id.clone_from(&project.parent);
        response.creator = people.show(project.creator);
        response.last_modify_user = people.show(project.modifier);
        Ok(Reply::new(response))
    }
}
