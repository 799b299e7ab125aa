//! Credentials of a request.

use std::sync::Arc;

use http::header::{AUTHORIZATION, COOKIE, HeaderName};
use http::{HeaderMap, HeaderValue, Uri};
use wireform_runtime::operation::{
    AuthRequirement, Operation, Parameter, ParameterLocation, Role, SchemeKind, SchemeRequirement,
};

use super::parameters::{cannot_encode, encode, forbidden_character};
use super::{SendError, secrets};
use crate::client::ClientInner;
use crate::credentials::{Credentials, CredentialsError, CredentialsErrorKind, TokenProvider};
use crate::error::ErrorKind;

/// Credentials of a request, except for the token, which is requested before each attempt.
#[derive(Default)]
pub(super) struct RequestCredentials {
    /// Provider of tokens.
    pub(super) token_provider: Option<Arc<dyn TokenProvider>>,
    /// API key, with the standard parameter that holds it.
    pub(super) key: Option<(&'static Parameter, String)>,
    /// Query parameters with keys.
    query: Vec<(&'static str, String)>,
    /// Headers with passwords and keys.
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Cookies with keys.
    cookies: Vec<String>,
    secrets: Vec<String>,
}

impl RequestCredentials {
    /// Selects the client's credentials for the operation.
    pub(super) fn select(client: &ClientInner, operation: &Operation) -> Result<Self, SendError> {
        match operation.scopes {
            AuthRequirement::Schemes(ways) => Self::select_alternative(client, ways),
            _ => Self::select_for_scopes(client, operation),
        }
    }

    /// Selects the client's credentials for an operation that is sent to another server. They are for the server of the API
    /// unless the caller permits this one too, so an operation that requires them is not sent, and any other one is
    /// without them.
    pub(super) fn select_at(client: &ClientInner, operation: &Operation, root: &str) -> Result<Self, SendError> {
        let has_none = matches!(client.credentials, Credentials::None);
        if has_none || client.base_url.as_str() == root || client.credential_urls.iter().any(|url| url == root) {
            return Self::select(client, operation);
        }
        let is_optional = match operation.scopes {
            AuthRequirement::None => !operation.api_key,
            AuthRequirement::Schemes(ways) => ways.iter().any(|way| way.is_empty()),
            AuthRequirement::AnyOf(_) | AuthRequirement::AllOf(_) => false,
        };
        if is_optional {
            return Ok(Self::default());
        }
        Err(invalid(&format!("credentials are not sent to `{root}`: permit it with `credentials_at`")))
    }

    /// Selects the token provider, or the API key if the operation accepts one; an error if it requires a token.
    fn select_for_scopes(client: &ClientInner, operation: &Operation) -> Result<Self, SendError> {
        let mut shown = Self::default();
        match client.credentials.select_for_scopes(operation.api_key) {
            Credentials::Token(provider) => shown.token_provider = Some(Arc::clone(provider)),
            Credentials::ApiKey(key) => {
                let Some(parameter) = client.api.parameter(Role::ApiKey).filter(|_| operation.api_key) else {
                    return Err(invalid("the operation requires a token: an API key is not sufficient"));
                };
                let key = key.secret().map_err(ErrorKind::Credentials)?;
                shown.add_query_secret(key);
                shown.key = Some((parameter, key.to_owned()));
            }
            _ => {}
        }
        Ok(shown)
    }

    /// Selects the first alternative for which there are credentials; otherwise the one that requires none.
    fn select_alternative(
        client: &ClientInner,
        ways: &'static [&'static [SchemeRequirement]],
    ) -> Result<Self, SendError> {
        let has = |demand: &SchemeRequirement| client.credentials.select_for_scheme(demand.scheme).is_some();
        let possible = |way: &&&'static [SchemeRequirement]| way.iter().all(has);
        let chosen = ways.iter().find(|way| !way.is_empty() && possible(way)).or_else(|| ways.iter().find(possible));
        let Some(way) = chosen else { return Err(invalid(&describe_missing(ways))) };
        let mut shown = Self::default();
        for demand in *way {
            if let Some(credentials) = client.credentials.select_for_scheme(demand.scheme) {
                shown.add(credentials, demand.scheme.kind)?;
            }
        }
        Ok(shown)
    }

    /// Adds credentials in the form of a security scheme. Certificates need nothing in the request.
    fn add(&mut self, credentials: &Credentials, kind: SchemeKind) -> Result<(), SendError> {
        match (credentials, kind) {
            (Credentials::Token(provider), _) => self.token_provider = Some(Arc::clone(provider)),
            (Credentials::Basic(basic), _) => {
                self.headers.push((AUTHORIZATION, basic.authorization().map_err(ErrorKind::Credentials)?));
                self.secrets.extend(basic.secrets());
            }
            (Credentials::ApiKey(key), SchemeKind::ApiKey(location, name)) => {
                self.add_api_key(key.secret().map_err(ErrorKind::Credentials)?, location, name)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds an API key to the query, a header or the cookies; an error if it has a character that is invalid there.
    fn add_api_key(&mut self, key: &str, location: ParameterLocation, name: &'static str) -> Result<(), SendError> {
        match location {
            ParameterLocation::Query | ParameterLocation::Path => {
                self.add_query_secret(key);
                self.query.push((name, key.to_owned()));
            }
            ParameterLocation::Header => {
                let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| forbidden_character(name))?;
                let mut value = HeaderValue::from_str(key).map_err(|_| forbidden_character(name))?;
                value.set_sensitive(true);
                self.headers.push((known, value));
                self.secrets.push(key.to_owned());
            }
            ParameterLocation::Cookie if key.contains(['"', ',', ';', '\\', ' ']) => {
                return Err(invalid("the API key contains a character that is not allowed in a cookie"));
            }
            ParameterLocation::Cookie => {
                self.cookies.push(format!("{name}={key}"));
                self.secrets.push(key.to_owned());
            }
        }
        Ok(())
    }

    /// Marks a key as secret, both as it is and as it is encoded in a URL.
    fn add_query_secret(&mut self, key: &str) {
        let mut in_address = String::new();
        encode(key, &mut in_address);
        self.secrets.extend([key.to_owned(), in_address]);
    }

    /// Appends the keys to a query.
    pub(super) fn write_query(&self, text: &mut String) {
        for (name, key) in &self.query {
            text.push(if text.contains('?') { '&' } else { '?' });
            encode(name, text);
            text.push('=');
            encode(key, text);
        }
    }

    /// Returns a URL with the keys that its query lacks.
    pub(super) fn with_query_keys(&self, client: &ClientInner, uri: &Uri) -> Result<Uri, SendError> {
        let standard = self.key.as_ref().map(|(parameter, key)| (parameter.name.name_in(client.names), key));
        let own = self.query.iter().map(|(name, key)| (*name, key));
        let mut text = uri.to_string();
        for (name, key) in own.chain(standard) {
            let mut pair = String::new();
            encode(name, &mut pair);
            pair.push('=');
            let there = uri.query().unwrap_or_default().split('&').any(|given| given.starts_with(&pair));
            if !there {
                encode(key, &mut pair);
                text.push(if text.contains('?') { '&' } else { '?' });
                text.push_str(&pair);
            }
        }
        Ok(text.parse::<Uri>().map_err(cannot_encode)?)
    }

    /// Sets the headers; cookies are appended to those of parameters.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) -> Result<(), SendError> {
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        if !self.cookies.is_empty() {
            let there = headers.get(COOKIE).and_then(|value| value.to_str().ok());
            let cookies =
                there.into_iter().chain(self.cookies.iter().map(String::as_str)).collect::<Vec<_>>().join("; ");
            let mut value = HeaderValue::from_str(&cookies).map_err(|_| forbidden_character("cookie"))?;
            value.set_sensitive(true);
            headers.insert(COOKIE, value);
        }
        Ok(())
    }

    /// Returns the secrets of the request.
    pub(super) fn secrets(&self) -> secrets::SecretTexts {
        self.secrets.clone().into()
    }
}

/// Creates the error of invalid credentials.
fn invalid(message: &str) -> SendError {
    ErrorKind::Credentials(CredentialsError::new(CredentialsErrorKind::Invalid, message)).into()
}

/// Describes the credentials that the client lacks.
fn describe_missing(ways: &[&[SchemeRequirement]]) -> String {
    let way = |way: &&[SchemeRequirement]| way.iter().map(|one| one.scheme.name).collect::<Vec<_>>().join(" and ");
    let ways = ways.iter().map(way).collect::<Vec<_>>().join(", or ");
    format!("the operation requires credentials for {ways}, which the client does not have")
}
