//! Who asks, and what they may do.

mod batch;
mod enforce;
pub(crate) mod kept;
mod needs;
mod ways;

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use http::HeaderMap;
use http::request::Parts;
use wireform_runtime::operation::{Api, Demand, Operation};

pub(crate) use enforce::AuthGate;
pub use enforce::NoAuthenticator;
pub(crate) use ways::{is_key, key_headers};

/// What a request shows to say who sends it. Its `Debug` tells no secret.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Credential<'r> {
    /// A token: from `Authorization: Bearer …`, or from the query, where the API has a parameter for it.
    Bearer(&'r str),
    /// An API key, from the parameter `key`, or from where a security scheme of the schema has it. It is shown only to
    /// operations for which a key is enough.
    ApiKey(&'r str),
    /// A name and a password, from `Authorization: Basic …`.
    Basic {
        /// The name.
        name: &'r str,
        /// The password.
        password: &'r str,
    },
    /// The certificate of a client, which whoever ends the encryption has left as a [`ClientCertificate`].
    Certificate(&'r [u8]),
    /// All that a way needs which takes several of these, in the order of [`AuthRequest::demands`].
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

/// The certificate that a client has shown and proven on its connection, in the form of whoever ends the encryption: a
/// layer in front of the router puts it into the extensions of a request. It is believed as it is.
#[derive(Clone, Debug)]
pub struct ClientCertificate(pub axum::body::Bytes);

/// Why a credential leads to nobody.
#[derive(Debug)]
#[non_exhaustive]
pub enum AuthError {
    /// It is not known, not valid any more, or revoked: 401.
    Invalid,
    /// It cannot be looked up at the moment: 503. The cause is logged and not answered.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
}

/// Finds out who shows a credential. Implementors write `async fn authenticate`.
///
/// It is asked where there is a credential: a request without one is let in by operations that are open to everybody,
/// as [`Principal::anonymous`], and refused by all others.
pub trait Authenticator: Send + Sync + 'static {
    /// Who it is, and what they may do. Scopes are enforced by the library, what belongs to whom by the service.
    ///
    /// # Errors
    /// When the credential leads to nobody.
    fn authenticate(
        &self,
        credential: Credential<'_>,
        request: &AuthRequest<'_>,
    ) -> impl Future<Output = Result<Principal, AuthError>> + Send;
}

/// The request that a credential came with.
#[derive(Clone, Copy)]
pub struct AuthRequest<'r> {
    /// The operation it is for. Where a batch is authenticated before its parts are known, some operation of the API that
    /// takes such credentials.
    pub operation: &'static Operation,
    /// Method, address, headers and extensions.
    pub parts: &'r Parts,
    /// The security schemes that the credential is for, and the scopes that they ask for; empty where the operation
    /// names scopes alone.
    pub demands: &'static [Demand],
}

impl AuthRequest<'_> {
    /// The headers. They hold secrets.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }
}

/// Who asks.
#[derive(Clone)]
pub struct Principal {
    subject: Arc<str>,
    scopes: Scopes,
    data: Option<Arc<dyn Any + Send + Sync>>,
    /// Whether no credential was shown.
    anonymous: bool,
}

/// What a principal may do.
#[derive(Clone, Debug)]
pub enum Scopes {
    /// Everything.
    All,
    /// What these allow, by full address or by short name.
    Of(Arc<[Box<str>]>),
}

impl Principal {
    /// Somebody by that name, who may do nothing that needs a scope.
    #[must_use]
    pub fn new(subject: impl Into<Arc<str>>) -> Self {
        Self { subject: subject.into(), scopes: Scopes::Of(Arc::from([])), data: None, anonymous: false }
    }

    /// Returns the principal of requests without a credential, which operations that are open to everybody let in.
    #[must_use]
    pub fn anonymous() -> Self {
        Self { anonymous: true, ..Self::new("anonymous") }
    }

    /// Tells whether no credential was shown.
    #[must_use]
    pub const fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// With what the credential allows: full addresses of scopes, or their short names.
    #[must_use]
    pub fn with_scopes<S: Into<Box<str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = Scopes::Of(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// With every scope there is.
    #[must_use]
    pub fn with_all_scopes(mut self) -> Self {
        self.scopes = Scopes::All;
        self
    }

    /// With something that handlers find again, such as the row of the user.
    #[must_use]
    pub fn with_data(mut self, data: impl Any + Send + Sync) -> Self {
        self.data = Some(Arc::new(data));
        self
    }

    /// The name.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    pub(crate) fn shared_subject(&self) -> Arc<str> {
        Arc::clone(&self.subject)
    }

    /// What they may do.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// What the authenticator put beside the name, if it is of that type.
    #[must_use]
    pub fn data<T: Any>(&self) -> Option<&T> {
        self.data.as_deref().and_then(|data| (data as &dyn Any).downcast_ref())
    }

    /// Whether one of the scopes is the one at that place among the API's, in any spelling.
    #[must_use]
    pub fn has_scope(&self, api: &Api, scope: usize) -> bool {
        let Scopes::Of(held) = &self.scopes else { return true };
        api.scopes.get(scope).is_some_and(|scope| held.iter().any(|held| scope.url.is(held) || scope.name == &**held))
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
