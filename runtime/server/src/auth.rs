//! Authentication and authorization.

mod alternatives;
mod batch;
mod gate;
pub(crate) mod redact;
mod requirements;

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::HeaderMap;
use http::request::Parts;
use wireform_runtime::operation::{Operation, SchemeRequirement, Scope};

pub(crate) use alternatives::{is_key_parameter, key_headers};
pub(crate) use gate::AuthGate;

/// Credential of a request. `Debug` shows no secret.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Credential<'r> {
    /// Token: from `Authorization: Bearer …`, or from the query if the API has a parameter for it.
    Bearer(&'r str),
    /// API key, from the parameter with the role `api_key`, or from the location in a security scheme of the schema. It
    /// is used only for operations for which a key is sufficient.
    ApiKey(&'r str),
    /// User name and password, from `Authorization: Basic …`.
    Basic {
        /// User name.
        name: &'r str,
        /// Password.
        password: &'r str,
    },
    /// Client certificate, which the TLS terminator has put into the extensions as a [`ClientCertificate`].
    Certificate(&'r [u8]),
    /// All credentials of an alternative that requires several, in the order of [`AuthRequest::demands`].
    All(&'r [Credential<'r>]),
}

impl fmt::Debug for Credential<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer(…)",
            Self::ApiKey(_) => "ApiKey(…)",
            Self::Basic { .. } => "Basic(…)",
            Self::Certificate(_) => "Certificate(…)",
            Self::All(list) => return f.debug_tuple("All").field(list).finish(),
        })
    }
}

/// Client certificate that was verified on the connection, in the format of the TLS terminator: a layer in front of the
/// router inserts it into the extensions of a request. It is trusted as it is.
#[derive(Clone, Debug)]
pub struct ClientCertificate(pub axum::body::Bytes);

/// Cause for which a credential is not accepted.
#[derive(Debug)]
#[non_exhaustive]
pub enum AuthError {
    /// The credential is unknown, expired or revoked (401).
    Invalid,
    /// The credential cannot be checked at the moment (503). The cause is logged and not sent.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
}

/// Authenticator of credentials. Implementors write `async fn authenticate`.
///
/// It is called if there is a credential that the operation accepts. Without one, a request is
/// [anonymous](Principal::anonymous) for public operations, and rejected by all others.
pub trait Authenticator: Send + Sync + 'static {
    /// Returns the principal of a credential with its scopes. The library enforces scopes, the service ownership.
    ///
    /// # Errors
    /// Returns an error if the credential cannot be authenticated.
    fn authenticate(
        &self,
        credential: Credential<'_>,
        request: &AuthRequest<'_>,
    ) -> impl Future<Output = Result<Principal, AuthError>> + Send;
}

/// Authenticator of any type, so that the processing of requests is compiled once, and not for each of them.
pub(crate) trait AnyAuthenticator: Send + Sync {
    /// Returns the future of [`Authenticator::authenticate`].
    fn authenticate_any<'a>(
        &'a self,
        credential: Credential<'a>,
        request: &'a AuthRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Result<Principal, AuthError>> + Send + 'a>>;
}

impl<A: Authenticator> AnyAuthenticator for A {
    fn authenticate_any<'a>(
        &'a self,
        credential: Credential<'a>,
        request: &'a AuthRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Result<Principal, AuthError>> + Send + 'a>> {
        Box::pin(self.authenticate(credential, request))
    }
}

/// Request that a credential belongs to.
#[derive(Clone, Copy)]
pub struct AuthRequest<'r> {
    /// Operation that is called. When a batch is authenticated, before its parts are known, it is some operation of the
    /// API that accepts such credentials.
    pub operation: &'static Operation,
    /// Method, URL, headers and extensions.
    pub parts: &'r Parts,
    /// Security schemes that the credential is for, with the scopes they require; empty if the operation declares only
    /// scopes.
    pub demands: &'static [SchemeRequirement],
}

impl AuthRequest<'_> {
    /// Returns the headers. They hold secrets.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }
}

/// Authenticated caller.
#[derive(Clone)]
pub struct Principal {
    subject: Arc<str>,
    scopes: Scopes,
    data: Option<Arc<dyn Any + Send + Sync>>,
    /// True if there was no credential.
    anonymous: bool,
}

/// Scopes of a principal.
#[derive(Clone, Debug)]
pub enum Scopes {
    /// All scopes.
    All,
    /// These scopes, by URL or by short name.
    Of(Arc<[Box<str>]>),
}

impl Principal {
    /// Creates a principal without scopes.
    #[must_use]
    pub fn new(subject: impl Into<Arc<str>>) -> Self {
        Self { subject: subject.into(), scopes: Scopes::Of(Arc::from([])), data: None, anonymous: false }
    }

    /// Returns the principal of requests without a credential, which public operations accept.
    #[must_use]
    pub fn anonymous() -> Self {
        Self { anonymous: true, ..Self::new("anonymous") }
    }

    /// Returns true if there was no credential.
    #[must_use]
    pub const fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// Sets the scopes that the credential allows: URLs of scopes, or their short names.
    #[must_use]
    pub fn with_scopes<S: Into<Box<str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = Scopes::Of(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// Allows all scopes.
    #[must_use]
    pub fn with_all_scopes(mut self) -> Self {
        self.scopes = Scopes::All;
        self
    }

    /// Attaches data for handlers, such as the database row of the user.
    #[must_use]
    pub fn with_data(mut self, data: impl Any + Send + Sync) -> Self {
        self.data = Some(Arc::new(data));
        self
    }

    /// Returns the subject, which identifies the caller.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the subject of the credential, shared instead of copied.
    pub(crate) fn shared_subject(&self) -> Arc<str> {
        Arc::clone(&self.subject)
    }

    /// Returns the scopes.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Returns the data that the authenticator attached, if it is of the type.
    #[must_use]
    pub fn data<T: Any>(&self) -> Option<&T> {
        self.data.as_deref().and_then(|data| (data as &dyn Any).downcast_ref())
    }

    /// Returns true if the principal has a scope, by any of its names.
    #[must_use]
    pub fn has_scope(&self, scope: &Scope) -> bool {
        let Scopes::Of(held) = &self.scopes else { return true };
        held.iter().any(|held| scope.url.matches(held) || scope.name == &**held)
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal")
            .field("subject", &self.subject)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}
