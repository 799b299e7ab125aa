//! Who asks, and whose mailbox is meant.

use mailbox_server::runtime::At;
use mailbox_server::runtime::wireform_runtime::Request as _;
use mailbox_server::{Context, Error, Principal, requests};
use wireform_store::{Grant, Mailbox, Store, TokenKind, User};

use crate::fault;

/// The principal of a token: its subject is the address of the user, and the user is found beside it, so that no
/// operation has to look them up once more; with a token of a service account the whole [`Grant`] is there instead. All three
/// APIs take it.
#[must_use]
pub fn principal(grant: &Grant) -> Principal {
    let principal = Principal::new(grant.user.address.as_str()).with_scopes(grant.scopes.iter().map(String::as_str));
    match grant.kind {
        // A service account does not everything that its user does: who asks is said in full.
        TokenKind::ServiceAccount => principal.with_data(grant.clone()),
        TokenKind::User | TokenKind::Delegated => principal.with_data(grant.user.clone()),
    }
}

/// The user who asks, where `user_id` names them: by `me`, or by their address in any case of its letters.
///
/// # Errors
/// 403 when it names somebody else, whether there is such a user or not; 404 when the one who asks is gone.
pub(crate) async fn user<S: Store>(store: &S, context: &Context, user_id: &str) -> Result<User, Error> {
    let principal = context.principal();
    let own = user_id == "me" || user_id.to_lowercase() == principal.subject().to_lowercase();
    if !own {
        let message = format!("the mailbox `{user_id}` is that of another user");
        return Err(Error::forbidden(message).at(At::Parameter("userId".into())));
    }
    match (principal.data::<User>(), principal.data::<Grant>()) {
        (Some(user), _) | (None, Some(Grant { user, .. })) => Ok(user.clone()),
        (None, None) => store.user(principal.subject()).await.map_err(fault::answer),
    }
}

/// The mailbox of [`user`].
pub(crate) async fn mailbox<S: Store>(store: &S, context: &Context, user_id: &str) -> Result<Mailbox, Error> {
    user(store, context, user_id).await.map(|user| user.mailbox)
}

/// Whether the token shows no more than labels and headers: of the scopes that read, it has that of the metadata alone.
pub(crate) fn sees_metadata_only(context: &Context) -> bool {
    let api = requests::UsersMessagesGet::API;
    let readers = ["mail", "mail.modify", "mail.readonly"];
    let mut scopes = api.scopes.iter().enumerate();
    !scopes.any(|(at, scope)| readers.contains(&scope.name) && context.principal().has_scope(api, at))
}
