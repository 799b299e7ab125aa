//! Who asks, and what they may do with the calendar that is meant.

use calendar_server::runtime::wireform_runtime::Request as _;
use calendar_server::{Context, Error, requests};
use wireform_store::{Calendar, Grant, Role, Store, TokenKind, User};

use crate::fault;

/// A calendar that the user who asks can use.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) calendar: Calendar,
    pub(crate) user: User,
    /// What the user may do, whatever the token allows.
    pub(crate) role: Role,
    /// Whether they see no more than when the calendar is busy.
    pub(crate) busy_only: bool,
    /// Whether all that they may change is that they add themself to events which allow it.
    pub(crate) joins_only: bool,
    /// Whether a service account asks that does not act for a person, and so invites nobody.
    pub(crate) service_account: bool,
}

/// What a request does with a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Read,
    Write,
    /// Writing, or what a reader may do who adds themself to an event.
    Join,
}

/// Returns the user who asks. A principal has its user beside its name, or its whole grant.
pub(crate) async fn user<S: Store>(store: &S, context: &Context) -> Result<User, Error> {
    let principal = context.principal();
    match (principal.data::<User>(), principal.data::<Grant>()) {
        (Some(user), _) | (None, Some(Grant { user, .. })) => Ok(user.clone()),
        (None, None) => store.user(principal.subject()).await.map_err(fault::answer),
    }
}

/// Returns the calendar that `id` names, for the user who asks: `primary` is their own.
///
/// # Errors
/// 404 where there is none or nothing of it is for them, 403 where they may read and not write.
pub(crate) async fn access<S: Store>(store: &S, context: &Context, id: &str, need: Need) -> Result<Access, Error> {
    access_at(store, context, id, need, "calendarId").await
}

/// The same as [`access`] for another parameter.
pub(crate) async fn access_at<S: Store>(
    store: &S,
    context: &Context,
    id: &str,
    need: Need,
    parameter: &'static str,
) -> Result<Access, Error> {
    let user = user(store, context).await?;
    let wanted = if id == "primary" { user.address.clone() } else { id.to_owned() };
    let found = store.find_calendars(vec![wanted], user.mailbox).await.map_err(fault::answer)?;
    let none = || fault::no_calendar(id, parameter);
    let (calendar, role) = found.into_iter().next().flatten().ok_or_else(none)?;
    let role = role.ok_or_else(none)?;
    let allowed = Allowed::of(context, role);
    if !allowed.read && !allowed.busy {
        return Err(none());
    }
    let writes = role >= Role::Writer && allowed.write;
    let joins_only = need == Need::Join && !writes && role == Role::Reader && allowed.write;
    if need != Need::Read && !writes && !joins_only {
        return Err(fault::forbidden("you may read this calendar, and not write to it"));
    }
    let busy_only = role == Role::FreeBusyReader || !allowed.read;
    let grant = context.principal().data::<Grant>();
    let service_account = grant.is_some_and(|grant| grant.kind == TokenKind::ServiceAccount);
    Ok(Access { calendar, user, role, busy_only, joins_only, service_account })
}

/// What a token allows with a calendar of which its user has a role. There are neither public calendars here nor calendars
/// that a program has made: tokens for these alone see nothing.
struct Allowed {
    write: bool,
    read: bool,
    busy: bool,
}

impl Allowed {
    fn of(context: &Context, role: Role) -> Self {
        let api = requests::EventsGet::API;
        let has = |names: &[&str]| {
            let mut scopes = api.scopes.iter().enumerate();
            scopes.any(|(at, scope)| names.contains(&scope.name) && context.principal().has_scope(api, at))
        };
        let own = role == Role::Owner;
        let write = has(&["calendar", "calendar.events"]) || (own && has(&["calendar.events.owned"]));
        let read = write
            || has(&["calendar.readonly", "calendar.events.readonly"])
            || (own && has(&["calendar.events.owned.readonly"]));
        Self { write, read, busy: has(&["calendar.events.freebusy"]) }
    }
}

impl Access {
    /// Returns the access of a program that works on the store by itself, for a user.
    pub(crate) fn of_program(calendar: Calendar, user: User, role: Role) -> Self {
        Self { calendar, user, role, busy_only: false, joins_only: false, service_account: false }
    }

    /// Returns whether the details of private events are seen.
    pub(crate) fn sees_private(&self) -> bool {
        self.role >= Role::Writer
    }
}
