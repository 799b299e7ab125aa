//! Who may ask: the ways in which a request shows it.

use super::{Doc, Location};

/// A way in which a request shows who sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityScheme {
    /// Its name in the schema.
    pub name: String,
    /// What it is.
    pub doc: Doc,
    /// What is shown.
    pub kind: SchemeKind,
}

/// What a request shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key, in the header, parameter or cookie of that name.
    ApiKey(Location, String),
    /// A name and a password (RFC 7617).
    Basic,
    /// A bearer token (RFC 6750), and what it is for people who read it.
    Bearer(Option<String>),
    /// A token of OAuth 2.0.
    OAuth2 {
        /// The ways to a token.
        flows: Vec<Flow>,
        /// Where the metadata of the server of tokens is (RFC 8414).
        metadata: Option<String>,
    },
    /// A token of OpenID Connect, with the address of the provider's metadata.
    OpenId(String),
    /// A certificate of the client.
    MutualTls,
}

/// A way to a token of OAuth 2.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The kind of grant.
    pub grant: Grant,
    /// Where users consent.
    pub authorization_url: Option<String>,
    /// Where tokens are given.
    pub token_url: Option<String>,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Where devices without a browser begin.
    pub device_url: Option<String>,
    /// The scopes that can be had, by index.
    pub scopes: Vec<usize>,
}

/// A kind of grant of OAuth 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// A code that a browser brings back.
    AuthorizationCode,
    /// A token that a browser brings back.
    Implicit,
    /// The password of a user.
    Password,
    /// The client itself.
    ClientCredentials,
    /// A code that is typed in elsewhere (RFC 8628).
    DeviceAuthorization,
}

/// What an operation needs of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The scheme, by its index in the API.
    pub scheme: usize,
    /// The scopes that its token needs, all of them, by index.
    pub scopes: Vec<usize>,
}
