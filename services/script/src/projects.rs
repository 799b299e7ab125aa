//! Projects are created and read.

use script_server::{Context, Reply, Result, requests, types};
use wireform_store::{FileKind, NewFile, NewProject, Project, ScriptRole, Store, User};

use crate::people::People;
use crate::{ScriptService, caller, fault, manifest, times};

/// The title of a project that is given none.
const UNTITLED: &str = "Untitled project";
/// Titles have at most so many characters.
const TITLE: usize = 1_000;
/// Identifiers of stored files have at most so many characters.
const PARENT: usize = 200;

impl<S: Store> ScriptService<S> {
    /// Creates a project. Any `parentId` is kept as it is given, since no other files are stored here, and several projects
    /// may have the same one.
    pub(crate) async fn create_project(
        &self,
        request: requests::ProjectsCreate,
        context: &Context,
    ) -> Result<types::Project> {
        let user = caller::user(&self.store, context).await?;
        let title = request.body.title.filter(|title| !title.is_empty()).unwrap_or_else(|| UNTITLED.to_owned());
        if title.chars().count() > TITLE {
            return Err(fault::invalid("title", format!("a title has at most {TITLE} characters")));
        }
        let parent = request.body.parent_id.filter(|parent| !parent.is_empty());
        if parent.as_ref().is_some_and(|parent| parent.chars().count() > PARENT) {
            return Err(fault::invalid("parentId", format!("it has at most {PARENT} characters")));
        }
        let source = manifest::initial();
        let file = NewFile { name: manifest::NAME.to_owned(), kind: FileKind::Manifest, source, functions: None };
        let project = NewProject { owner: user.mailbox, title, parent, files: vec![file] };
        let project = self.store.add_project(project, self.clock.now()).await.map_err(fault::answer)?;
        self.show_project(&project, &user).await
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
        let people = People::find(&self.store, [project.creator, project.modifier], viewer).await?;
        let mut shown = types::Project::default()
            .with_script_id(project.id.as_str())
            .with_title(project.title.as_str())
            .with_create_time(times::time(project.created))
            .with_update_time(times::time(project.updated));
        shown.parent_id.clone_from(&project.parent);
        shown.creator = people.show(project.creator);
        shown.last_modify_user = people.show(project.modifier);
        Ok(Reply::new(shown))
    }
}
