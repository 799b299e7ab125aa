//! Names of parameters as the client sent them, for error messages.

use std::borrow::Cow;

use http::HeaderMap;
use wireform_runtime::Naming;
use wireform_runtime::operation::{Api, Operation, Parameter, ParameterLocation};
use wireform_validation::{PathRoot, Violations};

use crate::cookies::cookies;
use crate::error::{Error, ErrorLocation};
use crate::query;
use wireform_runtime::http::percent::decode_form;

/// Names of parameters in a request. A parameter that is absent, or in the path, has the name in the server's naming.
#[derive(Clone, Copy)]
pub(crate) struct SentNames<'r> {
    api: &'static Api,
    operation: &'static Operation,
    query: Option<&'r str>,
    headers: Option<&'r HeaderMap>,
    names: Naming,
}

impl<'r> SentNames<'r> {
    /// Creates the names of a request from its query.
    pub(crate) fn new(api: &'static Api, operation: &'static Operation, query: Option<&'r str>, names: Naming) -> Self {
        Self { api, operation, query, headers: None, names }
    }

    /// Adds the headers of the request.
    pub(crate) fn with_headers(self, headers: &'r HeaderMap) -> Self {
        Self { headers: Some(headers), ..self }
    }

    /// Renames the parameters of violations.
    #[cold]
    pub(crate) fn rename(&self, violations: &mut Violations) {
        violations.rename_parameters(|within| match within {
            PathRoot::Parameter(name) => PathRoot::Parameter(self.parameter_name(name).unwrap_or(name)),
            PathRoot::Header(name) => PathRoot::Header(self.header_name(name).unwrap_or(name)),
            PathRoot::Body => PathRoot::Body,
        });
    }

    /// Renames the parameters of an error.
    #[cold]
    pub(crate) fn rename_in_error(&self, mut error: Error) -> Error {
        if let Some(ErrorLocation::Parameter(name)) = error.location_mut()
            && let Some(sent) = self.parameter_name(name)
        {
            *name = Cow::Borrowed(sent);
        }
        if let Some(violations) = error.violations_mut() {
            self.rename(violations);
            error.summarize();
        }
        error
    }

    /// Returns the name of a parameter of the path or the query.
    fn parameter_name(&self, name: &str) -> Option<&'static str> {
        let parameters = self.operation.parameters.iter().chain(self.api.standard_parameters);
        let mut known = parameters.filter(|parameter| parameter.name.matches(name));
        let in_query = |parameter: &&Parameter| parameter.location == ParameterLocation::Query;
        let is_in_path = |parameter: &&Parameter| parameter.location == ParameterLocation::Path;
        let found = known.clone().find(in_query).or_else(|| known.find(is_in_path))?;
        let sent = self.sent_name(found).filter(|_| found.location == ParameterLocation::Query);
        Some(sent.unwrap_or_else(|| found.name.name_in(self.names)))
    }

    /// Returns the name under which a query parameter was sent first.
    fn sent_name(&self, parameter: &Parameter) -> Option<&'static str> {
        let spellings = || std::iter::once(&parameter.name.name).chain(parameter.name.aliases);
        query::pairs(self.query).find_map(|(raw, _)| {
            let raw = decode_form(raw).ok()?;
            let name = raw.split_once('[').filter(|_| parameter.deep_object).map_or(&*raw, |(name, _)| name);
            spellings().find(|spelling| **spelling == name).copied()
        })
    }

    /// Returns the name of a header or a cookie, if the headers are available.
    fn header_name(&self, name: &str) -> Option<&'static str> {
        let headers = self.headers?;
        let is = |parameter: &&Parameter| {
            matches!(parameter.location, ParameterLocation::Header | ParameterLocation::Cookie)
                && parameter.name.matches(name)
        };
        let parameter = self.operation.parameters.iter().find(is)?;
        let mut spellings = std::iter::once(&parameter.name.name).chain(parameter.name.aliases);
        let sent = spellings.find(|spelling| match parameter.location {
            ParameterLocation::Cookie => has_cookie(headers, spelling),
            _ => headers.contains_key(**spelling),
        });
        Some(sent.copied().unwrap_or_else(|| parameter.name.name_in(self.names)))
    }
}

/// Returns whether the request has a cookie with this name.
fn has_cookie(headers: &HeaderMap, name: &str) -> bool {
    cookies(headers).any(|(sent, _)| sent == name)
}
