//! Grants of files of credentials.

use std::fmt;
use std::sync::Arc;

use http::Uri;

use super::account::ServiceAccount;
use super::exchange::{self, Form};
use super::token_server::token_uri;
use crate::credentials::json_object::JsonObject;
use crate::credentials::{Clock, CredentialsError, CredentialsErrorKind, Token, TokenProvider};
use crate::text::one_line;
use crate::time;
use crate::transport::{BoxFuture, Transport};

/// Grant of a file of credentials.
pub(super) enum Grant {
    AuthorizedUser(AuthorizedUser),
    ServiceAccount(ServiceAccount),
}

/// User who logged in.
pub(super) struct AuthorizedUser {
    client_id: String,
    client_secret: String,
    refresh_token: String,
    token_uri: Uri,
}

impl Grant {
    /// Parses a JSON credentials file of the type `authorized_user` or `service_account`.
    pub(super) fn parse(text: &str) -> Result<Self, CredentialsError> {
        let members = JsonObject::parse(text)?;
        let kind = members.required_string("type")?;
        match kind.as_str() {
            "authorized_user" => Ok(Self::AuthorizedUser(AuthorizedUser {
                client_id: members.required_string("client_id")?,
                client_secret: members.required_string("client_secret")?,
                refresh_token: members.required_string("refresh_token")?,
                token_uri: token_uri(&members)?.1,
            })),
            "service_account" => ServiceAccount::parse(&members).map(Self::ServiceAccount),
            other => {
                let message = format!(
                    "unsupported credentials type `{}`: expected `authorized_user` or `service_account`",
                    one_line(other, 64)
                );
                Err(CredentialsError::new(CredentialsErrorKind::Invalid, message))
            }
        }
    }
}

/// Shows the kind without the secrets.
impl fmt::Debug for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AuthorizedUser(_) => "AuthorizedUser(…)",
            Self::ServiceAccount(_) => "ServiceAccount(…)",
        })
    }
}

/// Provider that requests a token from the token server each time.
pub(super) struct GrantProvider {
    pub(super) grant: Grant,
    pub(super) transport: Option<Arc<dyn Transport>>,
    pub(super) now: Clock,
}

impl GrantProvider {
    pub(super) fn new(grant: Grant) -> Self {
        Self { grant, transport: None, now: Arc::new(time::wall_clock) }
    }

    /// Returns the transport to the token server.
    fn transport_or_default(&self) -> Result<Arc<dyn Transport>, CredentialsError> {
        self.transport.clone().map_or_else(default_transport, Ok)
    }

    /// Exchanges the grant for an access token. `scopes` apply to a service account only.
    async fn request_token(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let now = (self.now)();
        let (uri, form) = match &self.grant {
            // Without `scope` the token allows what the user allowed (RFC 6749, section 6). A scope that the user did
            // not allow would be refused, and a client requests all scopes of its API.
            Grant::AuthorizedUser(user) => {
                let form = Form::new("refresh_token")
                    .with_field("client_id", &user.client_id)
                    .with_secret_field("client_secret", &user.client_secret)
                    .with_secret_field("refresh_token", &user.refresh_token);
                (&user.token_uri, form)
            }
            Grant::ServiceAccount(account) => {
                let form = Form::new("urn:ietf:params:oauth:grant-type:jwt-bearer")
                    .with_secret_field("assertion", &account.sign_assertion(scopes, now)?);
                (&account.token_uri, form)
            }
        };
        exchange::request_token(&*self.transport_or_default()?, uri, form, now).await
    }
}

impl TokenProvider for GrantProvider {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.request_token(scopes))
    }
}

/// Creates a transport. Tokens last an hour: no connection would stay open until the next request.
fn default_transport() -> Result<Arc<dyn Transport>, CredentialsError> {
    let invalid = |message| CredentialsError::new(CredentialsErrorKind::Invalid, message);
    match crate::transport::default_transport(false) {
        Some(Ok(transport)) => Ok(transport),
        Some(Err(error)) => Err(invalid(format!("cannot set up the transport to the token server: {error}"))),
        None => Err(invalid(
            "no transport to the token server: set one with `ApplicationDefault::transport`, or enable the feature \
             `sockets`"
                .to_owned(),
        )),
    }
}
