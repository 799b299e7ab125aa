//! Security schemes and what operations require of them.

use super::{Doc, Location};

/// Security scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityScheme {
    /// Name in the schema.
    pub name: String,
    /// Description.
    pub doc: Doc,
    /// Kind of credential.
    pub kind: SchemeKind,
}

/// Kind of credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// API key in the header, parameter or cookie of this name.
    ApiKey(Location, String),
    /// User name and password (RFC 7617).
    Basic,
    /// Bearer token (RFC 6750), with its format for readers.
    Bearer(Option<String>),
    /// OAuth 2.0 token.
    OAuth2 {
        /// OAuth 2.0 flows.
        flows: Vec<Flow>,
        /// URL of the metadata of the authorization server (RFC 8414).
        metadata: Option<String>,
    },
    /// OpenID Connect token, with the URL of the provider's metadata.
    OpenId(String),
    /// Client certificate.
    MutualTls,
}

/// OAuth 2.0 flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Grant type.
    pub grant: Grant,
    /// Authorization URL.
    pub authorization_url: Option<String>,
    /// Token URL.
    pub token_url: Option<String>,
    /// Refresh URL.
    pub refresh_url: Option<String>,
    /// Device authorization URL.
    pub device_url: Option<String>,
    /// Indices of the available scopes.
    pub scopes: Vec<usize>,
}

/// OAuth 2.0 grant type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Authorization code.
    AuthorizationCode,
    /// Implicit.
    Implicit,
    /// Resource owner password.
    Password,
    /// Client credentials.
    ClientCredentials,
    /// Device authorization (RFC 8628).
    DeviceAuthorization,
}

/// Requirement of an operation on a security scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemeRequirement {
    /// Index of the scheme in the API.
    pub scheme: usize,
    /// Indices of the scopes that the token must all have.
    pub scopes: Vec<usize>,
}
