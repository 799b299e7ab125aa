//! The calling user and their mailbox.

use mailbox_server::requests::scopes;
use mailbox_server::runtime::ErrorLocation;
use mailbox_server::{Context, Error, Principal};
use wireform_store::{Grant, Mailbox, Store, TokenKind, User};

use crate::error;

/// Creates the principal of a token. Its subject is the address of the user, and its data the user, so that no
/// operation has to look them up again; with a token of a service account, the data is the whole [`Grant`]. All three
/// APIs use it.
#[must_use]
pub fn principal(grant: &Grant) -> Principal {
    let principal = Principal::new(grant.user.address.as_str()).with_scopes(grant.scopes.iter().map(String::as_str));
    match grant.kind {
        // A service account may not do everything that its user may: the grant says what it is.
        TokenKind::ServiceAccount => principal.with_data(grant.clone()),
        TokenKind::User | TokenKind::Delegated => principal.with_data(grant.user.clone()),
    }
}

/// Returns the calling user if `user_id` names them: by `me`, or by their address without regard to case.
///
/// # Errors
/// Returns 403 if it names another user, whether that user exists or not; 404 if the calling user no longer exists.
pub(crate) async fn user<S: Store>(store: &S, context: &Context, user_id: &str) -> Result<User, Error> {
    let principal = context.principal();
    let own = user_id == "me" || user_id.to_lowercase() == principal.subject().to_lowercase();
    if !own {
        let message = format!("the mailbox `{user_id}` belongs to another user");
        return Err(Error::forbidden(message).with_location(ErrorLocation::Parameter("userId".into())));
    }
    match (principal.data::<User>(), principal.data::<Grant>()) {
        (Some(user), _) | (None, Some(Grant { user, .. })) => Ok(user.clone()),
        (None, None) => store.user(principal.subject()).await.map_err(error::from_store),
    }
}

/// Returns the mailbox of [`user`].
pub(crate) async fn mailbox<S: Store>(store: &S, context: &Context, user_id: &str) -> Result<Mailbox, Error> {
    user(store, context, user_id).await.map(|user| user.mailbox)
}

/// Returns whether the token may see only labels and headers: of the scopes for reading, it has only that for metadata.
pub(crate) fn sees_metadata_only(context: &Context) -> bool {
    let readers = [scopes::MAIL, scopes::MAIL_MODIFY, scopes::MAIL_READONLY];
    !readers.into_iter().any(|scope| context.principal().has_scope(scope))
}
