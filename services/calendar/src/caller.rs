//! The calling user and their access to a calendar.

use std::sync::Arc;

use calendar_server::requests::scopes;
use calendar_server::runtime::MemoryShare;
use calendar_server::runtime::wireform_runtime::operation::Scope;
use calendar_server::{Context, Error};
use wireform_store::{Calendar, Grant, Role, Store, TokenKind, User};

use crate::error;

/// Access of the calling user to a calendar.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) calendar: Calendar,
    pub(crate) user: User,
    /// Role of the user, regardless of the token.
    pub(crate) role: Role,
    /// True if they see only when the calendar is busy.
    pub(crate) busy_only: bool,
    /// True if the only permitted change is adding themselves to an event that allows it.
    pub(crate) can_only_join: bool,
    /// True if the caller is a service account without delegation, which may not add attendees.
    pub(crate) service_account: bool,
    /// Share of the memory budget for large events that the request reads, if the server has one.
    pub(crate) memory: Option<Arc<MemoryShare>>,
}

/// Access that a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Read,
    Write,
    /// Writing, or adding oneself to an event as a reader.
    Join,
}

/// Returns the calling user. The data of a principal is its user or its whole grant.
pub(crate) async fn user<S: Store>(store: &S, context: &Context) -> Result<User, Error> {
    let principal = context.principal();
    match (principal.data::<User>(), principal.data::<Grant>()) {
        (Some(user), _) | (None, Some(Grant { user, .. })) => Ok(user.clone()),
        (None, None) => store.user(principal.subject()).await.map_err(error::from_store),
    }
}

/// Returns the identifier by which a calendar is stored: `primary` is the user's own.
pub(crate) fn resolve_id(user: &User, id: &str) -> String {
    if id == "primary" { user.address.clone() } else { id.to_owned() }
}

/// Finds a calendar that a user can access, and their role.
async fn find<S: Store>(store: &S, user: &User, id: &str) -> Result<Option<(Calendar, Role)>, Error> {
    let found = store.find_calendars(vec![resolve_id(user, id)], user.mailbox).await.map_err(error::from_store)?;
    Ok(found.into_iter().next().flatten().and_then(|(calendar, role)| Some((calendar, role?))))
}

/// Scopes of an operation with which every calendar of the user is visible, next to those for everything.
pub(crate) type MetadataScopes = [&'static Scope; 2];

/// Returns a calendar with the calling user and their role, for an operation that returns no events. A token that is
/// limited to calendars created by an application sees none.
///
/// # Errors
/// Returns 404 if the calendar does not exist, or if the user or the token has no access.
pub(crate) async fn calendar<S: Store>(
    store: &S,
    context: &Context,
    id: &str,
    sufficient: &MetadataScopes,
) -> Result<(User, Calendar, Role), Error> {
    let user = user(store, context).await?;
    let sufficient = [scopes::CALENDAR, scopes::CALENDAR_READONLY].into_iter().chain(sufficient.iter().copied());
    let allowed = sufficient.into_iter().any(|scope| context.principal().has_scope(scope));
    let found = if allowed { find(store, &user, id).await? } else { None };
    let (calendar, role) = found.ok_or_else(|| error::calendar_not_found(id, "calendarId"))?;
    Ok((user, calendar, role))
}

/// Returns the calendar with the identifier `id` for the calling user: `primary` is their own.
///
/// # Errors
/// Returns 404 if it does not exist, or if the user or the token has no access; 403 if the needed change is not
/// permitted.
pub(crate) async fn access<S: Store>(store: &S, context: &Context, id: &str, need: Need) -> Result<Access, Error> {
    access_for_parameter(store, context, id, need, "calendarId").await
}

/// Same as [`access`] for another parameter.
pub(crate) async fn access_for_parameter<S: Store>(
    store: &S,
    context: &Context,
    id: &str,
    need: Need,
    parameter: &'static str,
) -> Result<Access, Error> {
    let user = user(store, context).await?;
    let none = || error::calendar_not_found(id, parameter);
    let (calendar, role) = find(store, &user, id).await?.ok_or_else(none)?;
    let allowed = TokenRights::from_context(context, role);
    if !allowed.read && !allowed.busy {
        return Err(none());
    }
    let writes = role >= Role::Writer && allowed.write;
    let joins_only = need == Need::Join && !writes && role == Role::Reader && allowed.write;
    if need != Need::Read && !writes && !joins_only {
        return Err(error::forbidden("you can read this calendar but not write to it"));
    }
    let busy_only = role == Role::FreeBusyReader || !allowed.read;
    let grant = context.principal().data::<Grant>();
    let service_account = grant.is_some_and(|grant| grant.kind == TokenKind::ServiceAccount);
    let memory = context.response_share().map(Arc::new);
    Ok(Access { calendar, user, role, busy_only, can_only_join: joins_only, service_account, memory })
}

/// Rights of a token on a calendar where its user has a role. There are no public calendars and none created by an
/// application: tokens limited to these have no rights.
struct TokenRights {
    write: bool,
    read: bool,
    busy: bool,
}

impl TokenRights {
    /// Returns the rights that the scopes of a request grant to a user with a role.
    fn from_context(context: &Context, role: Role) -> Self {
        let has = |scope| context.principal().has_scope(scope);
        let own = role == Role::Owner;
        let write =
            has(scopes::CALENDAR) || has(scopes::CALENDAR_EVENTS) || (own && has(scopes::CALENDAR_EVENTS_OWNED));
        let read = write
            || has(scopes::CALENDAR_READONLY)
            || has(scopes::CALENDAR_EVENTS_READONLY)
            || (own && has(scopes::CALENDAR_EVENTS_OWNED_READONLY));
        Self { write, read, busy: has(scopes::CALENDAR_EVENTS_FREEBUSY) }
    }
}

impl Access {
    /// Creates the access of an internal task on behalf of a user.
    pub(crate) fn internal(calendar: Calendar, user: User, role: Role) -> Self {
        Self { calendar, user, role, busy_only: false, can_only_join: false, service_account: false, memory: None }
    }

    /// Returns whether the details of private events are visible.
    pub(crate) fn can_see_private(&self) -> bool {
        self.role >= Role::Writer
    }
}
