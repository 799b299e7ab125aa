//! Authentication by tokens, for all three APIs.

use wireform_server::{AuthError, AuthRequest, Authenticator, Credential, Principal};
use wireform_store::{Clock, Store, TokenHash};

/// Authenticator that looks up every token in the store, so that a revoked token is refused at once, whichever process
/// revoked it.
pub struct TokenAuthenticator<S> {
    store: S,
    clock: Clock,
}

impl<S> TokenAuthenticator<S> {
    /// Creates an authenticator on a store.
    pub const fn new(store: S, clock: Clock) -> Self {
        Self { store, clock }
    }
}

impl<S: Store> Authenticator for TokenAuthenticator<S> {
    async fn authenticate(&self, credential: Credential<'_>, _: &AuthRequest<'_>) -> Result<Principal, AuthError> {
        let token = match credential {
            Credential::Bearer(token) => token,
            // API keys are not supported.
            _ => return Err(AuthError::Invalid),
        };
        match self.store.find_grant(TokenHash::from_token(token), self.clock.now()).await {
            Ok(Some(grant)) => Ok(wireform_mailbox::principal(&grant)),
            Ok(None) => Err(AuthError::Invalid),
            Err(error) => Err(AuthError::Unavailable(Box::new(error))),
        }
    }
}
