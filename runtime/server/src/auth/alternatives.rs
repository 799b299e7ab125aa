//! Operations that declare security schemes.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName};
use http::request::Parts;
use wireform_runtime::Bytes;
use wireform_runtime::operation::{
    AuthRequirement, Operation, ParameterLocation, ReasonCase, SchemeKind, SchemeRequirement,
};

use super::gate::{AuthGate, ScopeCheck, with_challenge};
use super::requirements::{self, Alternative};
use super::{AnyAuthenticator, AuthError, AuthRequest, ClientCertificate, Credential, Principal};
use crate::contract::Contract;
use crate::cookies::cookies;
use crate::error::{Error, ErrorLocation};
use crate::query;
use wireform_runtime::http::percent::decode_form;

/// Credential of a request for a requirement.
enum RequestCredential<'p> {
    Token(&'p str),
    Basic(String, String),
    Key(Cow<'p, str>),
    Certificate(&'p [u8]),
}

/// Returns whether an encoded name in the query is that of a key.
pub(crate) fn is_key_parameter(operation: &Operation, raw: &str) -> bool {
    let demands = requirements::alternatives(operation).into_iter().flatten().copied().flatten();
    let mut names = demands.filter_map(|demand| match demand.scheme.kind {
        SchemeKind::ApiKey(ParameterLocation::Query, name) => Some(name),
        _ => None,
    });
    names.any(|name| query::is_name(raw, name))
}

/// Returns the headers that hold keys.
pub(crate) fn key_headers(contracts: &[&'static Contract]) -> Vec<HeaderName> {
    let alternatives = contracts.iter().filter_map(|contract| requirements::alternatives(contract.operation));
    let demands = alternatives.flatten().copied().flatten();
    let mut names: Vec<HeaderName> = demands
        .filter_map(|demand| match demand.scheme.kind {
            SchemeKind::ApiKey(ParameterLocation::Header, name) => HeaderName::from_bytes(name.as_bytes()).ok(),
            _ => None,
        })
        .collect();
    names.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
}

impl AuthGate {
    /// Returns the principal of the first alternative that the request has all credentials for, and whose credentials
    /// are valid.
    pub(super) async fn admit_by_alternatives(
        &self,
        (operation, alternatives): (&'static Operation, &'static [Alternative]),
        (parts, authenticator): (&Parts, &dyn AnyAuthenticator),
        scoped: ScopeCheck,
    ) -> Result<Principal, Error> {
        let mut refusal = None;
        for alternative in alternatives.iter().copied().filter(|alternative| !alternative.is_empty()) {
            let Some(shown) = credentials_for(alternative, parts)? else { continue };
            let credentials: Vec<Credential<'_>> = shown.iter().map(RequestCredential::as_credential).collect();
            let credential = match credentials.as_slice() {
                [one] => *one,
                several => Credential::All(several),
            };
            let request = AuthRequest { operation, parts, demands: alternative };
            let refused = match authenticator.authenticate_any(credential, &request).await {
                Ok(principal) => {
                    let lacks = |demand: &&SchemeRequirement| {
                        !self.has_scopes(&principal, AuthRequirement::AllOf(demand.scopes))
                    };
                    match alternative.iter().find(lacks).filter(|_| scoped == ScopeCheck::Enforce) {
                        None => return Ok(principal),
                        Some(demand) => self.insufficient_scopes(AuthRequirement::AllOf(demand.scopes)),
                    }
                }
                Err(AuthError::Invalid) => {
                    let token = shown.iter().any(|shown| matches!(shown, RequestCredential::Token(_)));
                    self.unauthorized_by_alternatives(alternatives, "invalid credentials".to_owned(), token)
                }
                Err(unavailable @ AuthError::Unavailable(_)) => return Err(self.rejected(unavailable, credential)),
            };
            refusal.get_or_insert(refused);
        }
        match refusal {
            Some(refusal) => Err(refusal),
            None if alternatives.iter().any(|alternative| alternative.is_empty()) => Ok(self.anonymous.clone()),
            None => Err(self.unauthorized_by_alternatives(
                alternatives,
                format!("the request requires {}", describe(alternatives)),
                false,
            )),
        }
    }

    /// Creates a 401, with a challenge for each HTTP scheme.
    #[cold]
    pub(super) fn unauthorized_by_alternatives(
        &self,
        alternatives: &[Alternative],
        message: String,
        bad_token: bool,
    ) -> Error {
        let realm = self.api.name;
        let has = |kind: SchemeKind| alternatives.iter().copied().flatten().any(|one| one.scheme.kind == kind);
        let mut challenges = Vec::new();
        if has(SchemeKind::Basic) {
            challenges.push(format!("Basic realm=\"{realm}\", charset=\"UTF-8\""));
        }
        if has(SchemeKind::Bearer) {
            let error = if bad_token { ", error=\"invalid_token\"" } else { "" };
            challenges.push(format!("Bearer realm=\"{realm}\"{error}"));
        }
        if challenges.is_empty() {
            // A 401 must have a challenge (RFC 9110, section 15.5.2), and there is no registered scheme for keys.
            challenges.push(format!("ApiKey realm=\"{realm}\""));
        }
        with_challenge(Error::unauthorized(message).with_case(ReasonCase::MissingCredentials), &challenges.join(", "))
    }
}

/// Formats alternatives: `login, or key and token`.
fn describe(alternatives: &[Alternative]) -> String {
    let alternative =
        |alternative: &Alternative| alternative.iter().map(|one| one.scheme.name).collect::<Vec<_>>().join(" and ");
    alternatives.iter().map(alternative).collect::<Vec<_>>().join(", or ")
}

impl RequestCredential<'_> {
    /// Returns the credential in the form that authenticators get.
    fn as_credential(&self) -> Credential<'_> {
        match self {
            Self::Token(token) => Credential::Bearer(token),
            Self::Basic(name, password) => Credential::Basic { name, password },
            Self::Key(key) => Credential::ApiKey(key),
            Self::Certificate(certificate) => Credential::Certificate(certificate),
        }
    }
}

/// Returns the credentials of a request for an alternative, or `None` if one is missing.
fn credentials_for<'p>(
    alternative: Alternative,
    parts: &'p Parts,
) -> Result<Option<Vec<RequestCredential<'p>>>, Error> {
    let mut list = Vec::with_capacity(alternative.len());
    for demand in alternative {
        let found = match demand.scheme.kind {
            SchemeKind::Basic => basic_credential(&parts.headers)?,
            SchemeKind::Bearer => authorization_value(&parts.headers, "bearer")?.map(RequestCredential::Token),
            SchemeKind::ApiKey(location, name) => find_key(location, name, parts)?.map(RequestCredential::Key),
            SchemeKind::MutualTls => parts
                .extensions
                .get::<ClientCertificate>()
                .map(|certificate| RequestCredential::Certificate(&certificate.0)),
        };
        match found {
            Some(found) => list.push(found),
            None => return Ok(None),
        }
    }
    Ok(Some(list))
}

/// Returns the credentials after the scheme in `Authorization`, or `None` if the scheme is another one.
fn authorization_value<'p>(headers: &'p HeaderMap, scheme: &str) -> Result<Option<&'p str>, Error> {
    let Some(value) = single_header(headers, &AUTHORIZATION, "Authorization")? else { return Ok(None) };
    let (given, rest) = value.trim_ascii().split_once(' ').unwrap_or_default();
    let rest = rest.trim_ascii();
    let fits = given.eq_ignore_ascii_case(scheme) && !rest.is_empty() && !rest.contains([' ', '\t', ',']);
    Ok(fits.then_some(rest))
}

/// Parses a user name and a password (RFC 7617). Malformed ones are `None`.
fn basic_credential(headers: &HeaderMap) -> Result<Option<RequestCredential<'_>>, Error> {
    let Some(encoded) = authorization_value(headers, "basic")? else { return Ok(None) };
    let decoded = Bytes::parse(encoded).ok().and_then(|bytes| String::from_utf8(bytes.into_vec()).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    Ok(pair.map(|(name, password)| RequestCredential::Basic(name.to_owned(), password.to_owned())))
}

/// Returns the API key at its location if it is not empty; a 400 if it is repeated or malformed.
fn find_key<'p>(
    location: ParameterLocation,
    name: &'static str,
    parts: &'p Parts,
) -> Result<Option<Cow<'p, str>>, Error> {
    let found = match location {
        ParameterLocation::Query | ParameterLocation::Path => {
            let mut pairs = query::pairs(parts.uri.query()).filter(|(raw, _)| query::is_name(raw, name));
            let value = pairs.next().map(|(_, value)| decode_form(value));
            if pairs.next().is_some() {
                return Err(requirements::repeated_credential(location, name));
            }
            value
                .transpose()
                .map_err(|message| Error::bad_request(message).with_location(ErrorLocation::Parameter(name.into())))?
        }
        ParameterLocation::Header => match HeaderName::from_bytes(name.as_bytes()) {
            Ok(header) => single_header(&parts.headers, &header, name)?.map(Cow::Borrowed),
            Err(_) => None,
        },
        ParameterLocation::Cookie => {
            let mut values = cookies(&parts.headers).filter(|(given, _)| *given == name).map(|(_, value)| value);
            let value = values.next();
            if values.next().is_some() {
                return Err(requirements::repeated_credential(location, name));
            }
            value.map(Cow::Borrowed)
        }
    };
    Ok(found.filter(|key| !key.is_empty()))
}

/// Returns the value of a header that must not be repeated.
fn single_header<'p>(
    headers: &'p HeaderMap,
    header: &HeaderName,
    name: &'static str,
) -> Result<Option<&'p str>, Error> {
    let mut values = headers.get_all(header).iter();
    let value = values.next().and_then(|value| value.to_str().ok());
    if values.next().is_some() {
        return Err(requirements::repeated_credential(ParameterLocation::Header, name));
    }
    Ok(value)
}
