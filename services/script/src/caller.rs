//! Who asks, and what they may do with the project that is meant.

use script_server::{Context, Error};
use wireform_store::{Project, ScriptRole, Store, User};

use crate::fault;

/// A project that the user who asks can use.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) project: Project,
    pub(crate) user: User,
}

/// Returns the user who asks.
pub(crate) async fn user<S: Store>(store: &S, context: &Context) -> Result<User, Error> {
    match context.principal().data::<User>() {
        Some(user) => Ok(user.clone()),
        None => store.user(context.principal().subject()).await.map_err(fault::answer),
    }
}

/// Returns the project that `id` names, for the user who asks.
///
/// # Errors
/// 404 where there is none or the user has no right, 403 where their right is not enough.
pub(crate) async fn access<S: Store>(
    store: &S,
    context: &Context,
    id: &str,
    need: ScriptRole,
) -> Result<Access, Error> {
    access_of(store, user(store, context).await?, id, need).await
}

/// Returns the project that `id` names, for a user.
///
/// # Errors
/// As those of [`access`].
pub(crate) async fn access_of<S: Store>(store: &S, user: User, id: &str, need: ScriptRole) -> Result<Access, Error> {
    let found = store.find_project(id, user.mailbox).await.map_err(fault::answer)?;
    let (project, role) = found.ok_or_else(|| fault::no_project(id))?;
    match role {
        None => Err(fault::no_project(id)),
        Some(role) if role < need => Err(fault::forbidden("you may read this project, and not change it")),
        Some(_) => Ok(Access { project, user }),
    }
}
