//! Grants of files of credentials.

use std::fmt;
use std::sync::Arc;

use http::Uri;

use super::account::ServiceAccount;
use super::exchange::{self, Form};
use super::token_server::token_uri;
use crate::credentials::members::Members;
use crate::credentials::{Clock, CredentialsError, CredentialsErrorKind, Token, TokenProvider};
use crate::error::one_line;
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
    pub(super) fn read(text: &str) -> Result<Self, CredentialsError> {
        let members = Members::read(text)?;
        let kind = members.text("type")?;
        match kind.as_str() {
            "authorized_user" => Ok(Self::AuthorizedUser(AuthorizedUser {
                client_id: members.text("client_id")?,
                client_secret: members.text("client_secret")?,
                refresh_token: members.text("refresh_token")?,
                token_uri: token_uri(&members)?.1,
            })),
            "service_account" => ServiceAccount::read(&members).map(Self::ServiceAccount),
            other => {
                let message = format!(
                    "credentials of the type `{}` are not supported; supported are `authorized_user` and \
                     `service_account`",
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
pub(super) struct Grants {
    pub(super) grant: Grant,
    pub(super) transport: Option<Arc<dyn Transport>>,
    pub(super) now: Clock,
}

impl Grants {
    pub(super) fn new(grant: Grant) -> Self {
        Self { grant, transport: None, now: Arc::new(time::wall) }
    }

    /// Returns the transport to the token server.
    fn reached(&self) -> Result<Arc<dyn Transport>, CredentialsError> {
        self.transport.clone().map_or_else(default_transport, Ok)
    }

    async fn ask(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let now = (self.now)();
        let (uri, form) = match &self.grant {
            // Without `scope` the token allows what the user allowed (RFC 6749, section 6). A scope that the user did
            // not allow would be refused, and a client requests all scopes of its API.
            Grant::AuthorizedUser(user) => {
                let form = Form::new("refresh_token")
                    .public("client_id", &user.client_id)
                    .secret("client_secret", &user.client_secret)
                    .secret("refresh_token", &user.refresh_token);
                (&user.token_uri, form)
            }
            Grant::ServiceAccount(account) => {
                let form = Form::new("urn:ietf:params:oauth:grant-type:jwt-bearer")
                    .secret("assertion", &account.assertion(scopes, now)?);
                (&account.token_uri, form)
            }
        };
        exchange::exchange(&*self.reached()?, uri, form, now).await
    }
}

impl TokenProvider for Grants {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.ask(scopes))
    }
}

/// Creates a transport. Tokens last an hour: no connection would stay open until the next request.
fn default_transport() -> Result<Arc<dyn Transport>, CredentialsError> {
    let invalid = |message| CredentialsError::new(CredentialsErrorKind::Invalid, message);
    match crate::transport::default_transport(false) {
        Some(Ok(transport)) => Ok(transport),
        Some(Err(error)) => Err(invalid(format!("the transport to the token server cannot be made: {error}"))),
        None => Err(invalid(
            "no transport to the token server: give one by `ApplicationDefault::transport`, or enable the feature \
             `sockets`"
                .to_owned(),
        )),
    }
}
