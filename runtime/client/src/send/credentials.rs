//! Credentials of a request.

use std::sync::Arc;

use http::header::{AUTHORIZATION, COOKIE, HeaderName};
use http::{HeaderMap, HeaderValue, Uri};
use wireform_runtime::operation::{Demand, Location, Operation, Parameter, Role, SchemeKind, ScopeNeed};

use super::parameters::{encode, refused, unusable};
use super::{Failed, secrets};
use crate::client::Inner;
use crate::credentials::{Credentials, CredentialsError, CredentialsErrorKind, TokenProvider};
use crate::error::ErrorKind;

/// Credentials of a request, except for the token, which is requested before each attempt.
#[derive(Default)]
pub(super) struct RequestCredentials {
    /// Provider of tokens.
    pub(super) tokens: Option<Arc<dyn TokenProvider>>,
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
    pub(super) fn of(client: &Inner, operation: &Operation) -> Result<Self, Failed> {
        match operation.scopes {
            ScopeNeed::Schemes(ways) => Self::of_ways(client, ways),
            _ => Self::of_scopes(client, operation),
        }
    }

    fn of_scopes(client: &Inner, operation: &Operation) -> Result<Self, Failed> {
        let mut shown = Self::default();
        match client.credentials.of_scopes(operation.api_key) {
            Credentials::Token(provider) => shown.tokens = Some(Arc::clone(provider)),
            Credentials::ApiKey(key) => {
                let Some(parameter) = client.api.parameter(Role::ApiKey).filter(|_| operation.api_key) else {
                    return Err(invalid("an API key does not allow this operation, which needs a token"));
                };
                let key = key.secret().map_err(ErrorKind::Credentials)?;
                shown.hide_in_address(key);
                shown.key = Some((parameter, key.to_owned()));
            }
            _ => {}
        }
        Ok(shown)
    }

    /// Selects the first alternative for which there are credentials; otherwise the one that requires none.
    fn of_ways(client: &Inner, ways: &'static [&'static [Demand]]) -> Result<Self, Failed> {
        let has = |demand: &Demand| client.credentials.of_scheme(demand.scheme).is_some();
        let possible = |way: &&&'static [Demand]| way.iter().all(has);
        let chosen = ways.iter().find(|way| !way.is_empty() && possible(way)).or_else(|| ways.iter().find(possible));
        let Some(way) = chosen else { return Err(invalid(&missing(ways))) };
        let mut shown = Self::default();
        for demand in *way {
            if let Some(credentials) = client.credentials.of_scheme(demand.scheme) {
                shown.take(credentials, demand.scheme.kind)?;
            }
        }
        Ok(shown)
    }

    fn take(&mut self, credentials: &Credentials, kind: SchemeKind) -> Result<(), Failed> {
        match (credentials, kind) {
            (Credentials::Token(provider), _) => self.tokens = Some(Arc::clone(provider)),
            (Credentials::Basic(basic), _) => {
                self.headers.push((AUTHORIZATION, basic.authorization().map_err(ErrorKind::Credentials)?));
                self.secrets.extend(basic.secrets());
            }
            (Credentials::ApiKey(key), SchemeKind::ApiKey(location, name)) => {
                self.api_key(key.secret().map_err(ErrorKind::Credentials)?, location, name)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn api_key(&mut self, key: &str, location: Location, name: &'static str) -> Result<(), Failed> {
        match location {
            Location::Query | Location::Path => {
                self.hide_in_address(key);
                self.query.push((name, key.to_owned()));
            }
            Location::Header => {
                let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused(name))?;
                let mut value = HeaderValue::from_str(key).map_err(|_| refused(name))?;
                value.set_sensitive(true);
                self.headers.push((known, value));
                self.secrets.push(key.to_owned());
            }
            Location::Cookie if key.contains(['"', ',', ';', '\\', ' ']) => {
                return Err(invalid("invalid character in the API key for a cookie"));
            }
            Location::Cookie => {
                self.cookies.push(format!("{name}={key}"));
                self.secrets.push(key.to_owned());
            }
        }
        Ok(())
    }

    fn hide_in_address(&mut self, key: &str) {
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
    pub(super) fn with_query_keys(&self, client: &Inner, uri: &Uri) -> Result<Uri, Failed> {
        let standard = self.key.as_ref().map(|(parameter, key)| (parameter.name.spelled(client.names), key));
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
        Ok(text.parse::<Uri>().map_err(unusable)?)
    }

    /// Sets the headers; cookies are appended to those of parameters.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) -> Result<(), Failed> {
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        if !self.cookies.is_empty() {
            let there = headers.get(COOKIE).and_then(|value| value.to_str().ok());
            let cookies =
                there.into_iter().chain(self.cookies.iter().map(String::as_str)).collect::<Vec<_>>().join("; ");
            let mut value = HeaderValue::from_str(&cookies).map_err(|_| refused("cookie"))?;
            value.set_sensitive(true);
            headers.insert(COOKIE, value);
        }
        Ok(())
    }

    /// Returns the secrets of the request.
    pub(super) fn secrets(&self) -> secrets::Texts {
        self.secrets.clone().into()
    }
}

fn invalid(message: &str) -> Failed {
    ErrorKind::Credentials(CredentialsError::new(CredentialsErrorKind::Invalid, message)).into()
}

/// Describes the credentials that the client lacks.
fn missing(ways: &[&[Demand]]) -> String {
    let way = |way: &&[Demand]| way.iter().map(|one| one.scheme.name).collect::<Vec<_>>().join(" and ");
    let ways = ways.iter().map(way).collect::<Vec<_>>().join(", or ");
    format!("the operation needs credentials for {ways}: the client has others, or none")
}
