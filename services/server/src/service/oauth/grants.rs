//! Grants that are exchanged for access tokens.

use std::time::Duration;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_derive::Deserialize;
use wireform_store::{Accounts, Error, TokenKind, User};

use crate::scopes;

/// Validity of access tokens.
pub(super) const VALIDITY: Duration = Duration::from_secs(60 * 60);
/// Scopes of identities, which public clients request with others. They grant nothing here.
const IDENTITY_SCOPES: [&str; 5] = [
    "openid",
    "email",
    "profile",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/userinfo.profile",
];

/// Parameters of a request.
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn parse(form: &[u8]) -> Self {
        Self(form_urlencoded::parse(form).into_owned().collect())
    }

    /// Returns a parameter that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    pub(super) fn require(&self, name: &'static str) -> Result<&str, GrantError> {
        self.get(name).ok_or(GrantError::Missing(name))
    }
}

/// Reason why no token is issued.
#[derive(Debug, thiserror::Error)]
pub(super) enum GrantError {
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error(
        "unsupported grant type `{0}`; expected authorization_code, refresh_token or urn:ietf:params:oauth:grant-type:jwt-bearer"
    )]
    UnsupportedGrant(String),
    #[error("`response_type` must be `code`")]
    UnsupportedResponse,
    #[error("{0}")]
    Scope(String),
    #[error("`{parameter}`: no user `{address}`; help: `wireform-services users list` lists the users")]
    UnknownUser { parameter: &'static str, address: String },
    #[error("the store has no user")]
    NoUser,
    #[error("`assertion` is not a JSON Web Token: {0}")]
    Assertion(String),
    #[error("the code is unknown, has expired or was used before")]
    UnknownCode,
    #[error("`{0}` is not that of the authorization request")]
    Mismatch(&'static str),
    #[error("too many codes were requested and not used; retry in some minutes")]
    TooManyCodes,
    #[error("{0}")]
    Unavailable(Error),
}

impl GrantError {
    /// Returns the error code of RFC 6749.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "invalid_request",
            Self::UnsupportedGrant(_) => "unsupported_grant_type",
            Self::UnsupportedResponse => "unsupported_response_type",
            Self::Scope(_) => "invalid_scope",
            Self::UnknownUser { .. } | Self::NoUser | Self::Assertion(_) | Self::UnknownCode | Self::Mismatch(_) => {
                "invalid_grant"
            }
            Self::TooManyCodes | Self::Unavailable(_) => "temporarily_unavailable",
        }
    }
}

/// Scopes of a request. None means all.
#[derive(Debug, Clone)]
pub(super) struct RequestedScopes(Vec<String>);

impl RequestedScopes {
    /// Returns the scopes as requested, which clients compare.
    pub(super) fn requested(&self) -> String {
        if self.0.is_empty() { scopes::all().join(" ") } else { self.0.join(" ") }
    }

    /// Returns the scopes of the token; `None` for all.
    pub(super) fn granted(&self) -> Option<Vec<String>> {
        let known = self.0.iter().filter(|name| !IDENTITY_SCOPES.contains(&name.as_str())).cloned();
        // They were parsed before.
        (!self.0.is_empty()).then(|| scopes::parse_scopes(&known.collect::<Vec<_>>()).unwrap_or_default())
    }
}

/// Parses scopes, separated by spaces.
pub(super) fn scopes(text: Option<&str>) -> Result<RequestedScopes, GrantError> {
    let names: Vec<String> = text.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let known: Vec<_> = names.iter().filter(|name| !IDENTITY_SCOPES.contains(&name.as_str())).cloned().collect();
    scopes::parse_scopes(&known).map_err(|error| GrantError::Scope(error.to_string()))?;
    Ok(RequestedScopes(names))
}

/// User and scopes that a token is issued for.
#[derive(Debug, Clone)]
pub(super) struct Grant {
    pub(super) user: User,
    pub(super) kind: TokenKind,
    pub(super) scopes: RequestedScopes,
}

/// Claims of a JSON Web Token that matter here. Its signature is not checked.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: Option<String>,
    scope: Option<String>,
}

impl Grant {
    /// Returns the grant of a user, who is named by a parameter.
    pub(super) async fn of_user<S: Accounts + Sync>(
        store: &S,
        parameter: &'static str,
        address: &str,
        scopes: RequestedScopes,
    ) -> Result<Self, GrantError> {
        let user = store.user(address).await.map_err(|error| match error {
            Error::NotFound { .. } => {
                GrantError::UnknownUser { parameter, address: address.chars().take(254).collect() }
            }
            other => GrantError::Unavailable(other),
        })?;
        Ok(Self { user, kind: TokenKind::User, scopes })
    }

    /// Returns the refresh token of the grant: the address of the user and the scopes. It is no secret.
    pub(super) fn refresh_token(&self) -> String {
        if self.scopes.0.is_empty() {
            return self.user.address.clone();
        }
        format!("{} {}", self.user.address, self.scopes.0.join(" "))
    }

    /// Returns the grant of a refresh token: an address, and scopes unless the request has others.
    pub(super) async fn from_refresh_token<S: Accounts + Sync>(
        store: &S,
        parameters: &Parameters,
    ) -> Result<Self, GrantError> {
        let token = parameters.require("refresh_token")?;
        let (address, own) = token.split_once(' ').map_or((token, None), |(address, own)| (address, Some(own)));
        let scopes = scopes(parameters.get("scope").or(own))?;
        Self::of_user(store, "refresh_token", address, scopes).await
    }

    /// Returns the grant of a signed assertion: that of the user `sub` on whose behalf a service account acts, or else
    /// that of the service account `iss`, which is a user here.
    pub(super) async fn from_assertion<S: Accounts + Sync>(
        store: &S,
        parameters: &Parameters,
    ) -> Result<Self, GrantError> {
        let claims = parse_claims(parameters.require("assertion")?).map_err(GrantError::Assertion)?;
        let scopes = scopes(claims.scope.as_deref())?;
        let (kind, parameter, address) = match &claims.sub {
            Some(sub) if *sub != claims.iss => (TokenKind::Delegated, "sub", sub),
            _ => (TokenKind::ServiceAccount, "iss", &claims.iss),
        };
        Ok(Self { kind, ..Self::of_user(store, parameter, address, scopes).await? })
    }
}

/// Alphabet of JSON Web Tokens, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_encode_padding(false).with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns bytes in the encoding of JSON Web Tokens and code challenges.
pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

fn parse_claims(assertion: &str) -> Result<Claims, String> {
    let payload = assertion.split('.').nth(1).ok_or("expected three parts, separated by `.`")?;
    let payload = BASE64.decode(payload).map_err(|error| error.to_string())?;
    serde_json::from_slice(&payload).map_err(|error| error.to_string())
}
