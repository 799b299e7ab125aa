//! Callers and their access to projects.

use script_server::{Context, Error};
use wireform_store::{Project, ScriptRole, Store, User};

use crate::error;

/// Project that the caller may access.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) project: Project,
    pub(crate) user: User,
}

/// Returns the user of the caller.
pub(crate) async fn user<S: Store>(store: &S, context: &Context) -> Result<User, Error> {
    match context.principal().data::<User>() {
        Some(user) => Ok(user.clone()),
        None => store.user(context.principal().subject()).await.map_err(error::from_store),
    }
}

/// Returns the project with the identifier `id`, for the caller.
///
/// # Errors
/// Returns a 404 if the project does not exist or the user has no role in it, and a 403 if the role is not sufficient.
pub(crate) async fn access<S: Store>(
    store: &S,
    context: &Context,
    id: &str,
    need: ScriptRole,
) -> Result<Access, Error> {
    access_of(store, user(store, context).await?, id, need).await
}

/// Returns the project with the identifier `id`, for a user.
///
/// # Errors
/// As in [`access`].
pub(crate) async fn access_of<S: Store>(store: &S, user: User, id: &str, need: ScriptRole) -> Result<Access, Error> {
    let found = store.find_project(id, user.mailbox).await.map_err(error::from_store)?;
    let (project, role) = found.ok_or_else(|| error::project_not_found(id))?;
    match role {
        None => Err(error::project_not_found(id)),
        Some(role) if role < need => Err(error::forbidden("you can read this project but not change it")),
        Some(_) => Ok(Access { project, user }),
    }
}
