//! Authentication (401) and authorization (403) before a handler is called.
//!
//! Tokens are sent as RFC 6750 defines: in `Authorization`, or in the query if the API has a parameter for it, but not
//! in both. Responses repeat no token.

use std::borrow::Cow;

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use wireform_runtime::Naming;
use wireform_runtime::operation::{
    Api, AuthRequirement, Operation, Parameter, ParameterLocation, ReasonCase, Role, Scope,
};

use super::requirements::{self, is_public};
use super::{AnyAuthenticator, AuthError, AuthRequest, Credential, Principal};
use crate::contract::Contract;
use crate::error::{Error, ErrorLocation};
use crate::query;

/// Authentication and authorization of requests.
pub(crate) struct AuthGate {
    pub(crate) api: &'static Api,
    authenticator: Option<Box<dyn AnyAuthenticator>>,
    /// Standard parameters that hold a token.
    pub(super) tokens: Vec<&'static Parameter>,
    /// Standard parameter that holds an API key.
    pub(super) key: Option<&'static Parameter>,
    /// Principal of requests that need no credential.
    pub(super) anonymous: Principal,
    /// One operation for each kind of authentication.
    pub(super) representatives: Vec<&'static Operation>,
    names: Naming,
}

/// Enforcement of the scopes of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeCheck {
    Enforce,
    Skip,
}

impl AuthGate {
    pub(crate) fn new(
        api: &'static Api,
        contracts: &[&'static Contract],
        authenticator: Option<Box<dyn AnyAuthenticator>>,
        names: Naming,
    ) -> Self {
        let tokens = api.parameters(Role::AccessToken).collect();
        let key = api.parameter(Role::ApiKey);
        let anonymous = Principal::anonymous();
        let representatives = requirements::representatives(contracts);
        Self { api, authenticator, tokens, key, anonymous, representatives, names }
    }

    /// Returns the principal of a request that is authorized.
    pub(crate) async fn admit(&self, operation: &'static Operation, parts: &Parts) -> Result<Principal, Error> {
        self.authenticate(operation, parts, ScopeCheck::Enforce).await
    }

    /// Authenticates a request, and checks its scopes as `scoped` says. Public operations need no credential.
    pub(super) async fn authenticate(
        &self,
        operation: &'static Operation,
        parts: &Parts,
        scoped: ScopeCheck,
    ) -> Result<Principal, Error> {
        let open = is_public(operation.scopes);
        let Some(authenticator) = self.authenticator.as_deref() else {
            let locked = "access denied: the server has no authenticator";
            return match requirements::alternatives(operation) {
                _ if open => Ok(self.anonymous.clone()),
                Some(alternatives) => Err(self.unauthorized_by_alternatives(alternatives, locked.to_owned(), false)),
                None => Err(self.unauthenticated(locked)),
            };
        };
        if let Some(alternatives) = requirements::alternatives(operation) {
            return self.admit_by_alternatives((operation, alternatives), (parts, authenticator), scoped).await;
        }
        let token = self.token(operation, parts, open)?;
        let key = if token.is_none() && operation.api_key { self.key(operation, parts)? } else { None };
        let credential = match (&token, &key) {
            (Some(token), _) => Credential::Bearer(token),
            (None, Some(key)) => Credential::ApiKey(key),
            (None, None) if open => return Ok(self.anonymous.clone()),
            (None, None) => return Err(self.missing_credentials(operation)),
        };
        let request = AuthRequest { operation, parts, demands: &[] };
        let principal = authenticator.authenticate_any(credential, &request).await;
        let principal = principal.map_err(|error| self.rejected(error, credential))?;
        // A key is sufficient by itself: it identifies a program, which has no scopes.
        if scoped == ScopeCheck::Enforce && token.is_some() && !self.has_scopes(&principal, operation.scopes) {
            return Err(self.insufficient_scopes(operation.scopes));
        }
        Ok(principal)
    }

    /// Returns the token of a request.
    fn token<'p>(&self, operation: &Operation, parts: &'p Parts, open: bool) -> Result<Option<Cow<'p, str>>, Error> {
        let mut found = self.token_in_header(&parts.headers, open)?.map(Cow::Borrowed);
        // Most APIs accept no token in the query, which is not parsed then.
        let query = if self.tokens.is_empty() { None } else { parts.uri.query() };
        for (raw, value) in query::pairs(query) {
            let Some(parameter) = self.tokens.iter().find(|token| is_standard_parameter(operation, raw, token)) else {
                continue;
            };
            let name = parameter.name.name;
            if found.is_some() {
                return Err(Error::bad_request("the request has more than one token")
                    .with_location(ErrorLocation::Parameter(name.into())));
            }
            let token = self.decode_value(value, name)?;
            if token.is_empty() {
                return Err(self.unauthorized("malformed token", Some("invalid_token")));
            }
            found = Some(token);
        }
        Ok(found)
    }

    /// Returns the bearer token in `Authorization`. Other schemes are ignored if `open`, else they are an error.
    fn token_in_header<'p>(&self, headers: &'p HeaderMap, open: bool) -> Result<Option<&'p str>, Error> {
        let mut values = headers.get_all(AUTHORIZATION).iter();
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(requirements::repeated_credential(ParameterLocation::Header, "Authorization"));
        }
        let (scheme, token) = value.to_str().ok().and_then(|text| text.trim().split_once(' ')).unwrap_or_default();
        let token = token.trim();
        let is_token = !token.is_empty() && !token.contains([' ', '\t', ',']);
        match (scheme.eq_ignore_ascii_case("bearer"), is_token) {
            (true, true) => Ok(Some(token)),
            (true, false) => Err(self.unauthorized("malformed token", Some("invalid_token"))),
            // Credentials that an operation does not require are ignored.
            (false, _) if open => Ok(None),
            (false, _) => Err(self.unauthorized("the scheme of `Authorization` must be `Bearer`", None)),
        }
    }

    /// Returns the API key of a request.
    fn key<'p>(&self, operation: &Operation, parts: &'p Parts) -> Result<Option<Cow<'p, str>>, Error> {
        let Some(key) = self.key else { return Ok(None) };
        let mut pairs = query::pairs(parts.uri.query());
        let Some((_, value)) = pairs.find(|(raw, _)| is_standard_parameter(operation, raw, key)) else {
            return Ok(None);
        };
        self.decode_value(value, key.name.name).map(|key| (!key.is_empty()).then_some(key))
    }

    /// Decodes the value of a parameter in the query; a 400 at the parameter if that fails.
    fn decode_value<'p>(&self, value: &'p str, name: &'static str) -> Result<Cow<'p, str>, Error> {
        let at = || ErrorLocation::Parameter(name.into());
        wireform_runtime::http::percent::decode_form(value)
            .map_err(|message| Error::bad_request(message).with_location(at()))
    }

    /// Returns whether the principal has the required scopes. Schemes are not satisfied by scopes.
    pub(super) fn has_scopes(&self, principal: &Principal, need: AuthRequirement) -> bool {
        let has = |scope: &&Scope| principal.has_scope(scope);
        match need {
            AuthRequirement::None | AuthRequirement::AnyOf([]) => true,
            AuthRequirement::AnyOf(scopes) => scopes.iter().any(has),
            AuthRequirement::AllOf(scopes) => scopes.iter().all(has),
            AuthRequirement::Schemes(_) => false,
        }
    }

    /// Creates the error of a request without a token, or without an API key if the operation accepts one.
    #[cold]
    fn missing_credentials(&self, operation: &Operation) -> Error {
        let key = operation.api_key && self.key.is_some();
        let message = if key { "the request requires a token or an API key" } else { "the request requires a token" };
        self.unauthenticated(message)
    }

    /// Creates the error for a credential that the authenticator did not accept.
    #[cold]
    pub(super) fn rejected(&self, error: AuthError, credential: Credential<'_>) -> Error {
        match (error, credential) {
            (AuthError::Unavailable(cause), _) => {
                Error::unavailable("the token cannot be verified at the moment: try again later", 1).with_cause(cause)
            }
            (AuthError::Invalid, Credential::Bearer(_)) => self.unauthorized("invalid token", Some("invalid_token")),
            (AuthError::Invalid, Credential::ApiKey(_)) => {
                let error = self.unauthorized("invalid API key", None);
                let at = self.key.map(|key| ErrorLocation::Parameter(key.name.name.into()));
                at.into_iter().fold(error, Error::with_location)
            }
            (AuthError::Invalid, _) => self.unauthenticated("the request requires a token"),
        }
    }

    /// Creates a 401 for a request without credentials.
    #[cold]
    fn unauthenticated(&self, message: &'static str) -> Error {
        self.unauthorized(message, None).with_case(ReasonCase::MissingCredentials)
    }

    /// Creates a 401, with the challenge of RFC 6750, section 3.
    #[cold]
    fn unauthorized(&self, message: &'static str, error: Option<&str>) -> Error {
        let mut challenge = format!("Bearer realm=\"{}\"", self.api.name);
        if let Some(error) = error {
            challenge = format!("{challenge}, error=\"{error}\"");
        }
        let error = Error::unauthorized(message).with_location(ErrorLocation::Header("Authorization".into()));
        with_challenge(error, &challenge)
    }

    /// Creates a 403 that lists the required scopes.
    #[cold]
    pub(super) fn insufficient_scopes(&self, need: AuthRequirement) -> Error {
        let (AuthRequirement::AnyOf(scopes) | AuthRequirement::AllOf(scopes)) = need else {
            return Error::forbidden("");
        };
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.url.name_in(self.names)).collect();
        let challenge =
            format!("Bearer realm=\"{}\", error=\"insufficient_scope\", scope=\"{}\"", self.api.name, scopes.join(" "));
        let which = if matches!(need, AuthRequirement::AllOf(_)) { "all" } else { "one" };
        // Few client libraries show the challenge to users, so the message lists the scopes too.
        let message = format!("insufficient scope: the token requires {which} of the scopes {}", scopes.join(", "));
        let error = Error::forbidden(message).with_case(ReasonCase::MissingScopes);
        with_challenge(error.with_location(ErrorLocation::Header("Authorization".into())), &challenge)
    }
}

/// Returns whether an encoded name in the query is one of those of a standard parameter. A parameter of the operation
/// with that name takes precedence, as when parameters are parsed.
pub(super) fn is_standard_parameter(operation: &Operation, raw: &str, parameter: &Parameter) -> bool {
    let spellings = std::iter::once(&parameter.name.name).chain(parameter.name.aliases);
    let Some(name) = spellings.copied().find(|name| query::is_name(raw, name)) else { return false };
    !operation.parameters.iter().any(|own| own.location == ParameterLocation::Query && own.name.matches(name))
}

/// Adds `WWW-Authenticate` to an error: the challenge, or just `Bearer` if it is not a valid header.
pub(super) fn with_challenge(error: Error, challenge: &str) -> Error {
    match HeaderValue::from_str(challenge) {
        Ok(challenge) => error.with_header(WWW_AUTHENTICATE, challenge),
        Err(_) => error.with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
    }
}
