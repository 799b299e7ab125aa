//! Options of a call.

use std::time::Duration;

use wireform_runtime::operation::{Api, Role};

use crate::retry::RetryPolicy;

/// Options of a call. `None` means the default of the client, unless stated otherwise.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// Retry policy.
    pub retry: Option<RetryPolicy>,
    /// Timeout of an attempt.
    pub timeout: Option<Duration>,
    /// Fields of the response: the value of the parameter with the role `fields`. `None` selects all.
    pub fields: Option<String>,
    /// Value of the header `Accept`, if an operation has several media types. `None` accepts all of them.
    pub accept: Option<String>,
    /// Value of the header `If-None-Match`. `None` omits it.
    pub if_none_match: Option<String>,
    /// Value of the header `If-Match`. `None` omits it.
    pub if_match: Option<String>,
    /// True if output-only fields are sent.
    pub keep_output_only: Option<bool>,
    /// Validation tier of the request.
    #[cfg(feature = "validation")]
    pub tier: Option<crate::validation::Tier>,
    /// Standard parameters of the API, by their names in the schema.
    pub standard: Vec<(&'static str, String)>,
    /// URL of a page, which replaces that of the request.
    pub(crate) page: Option<String>,
}

impl CallOptions {
    /// Sets a standard parameter of the API.
    pub(crate) fn set_parameter(&mut self, api: &Api, name: &'static str, value: impl Into<String>) {
        let parameter = api.standard_parameters.iter().find(|parameter| parameter.name.matches(name));
        let role = parameter.and_then(|parameter| parameter.role);
        let is_refused = parameter.is_none() || role.is_some_and(Role::is_reserved);
        // The call will be refused, so a value that may be a secret is not kept.
        let value = if is_refused { String::new() } else { value.into() };
        if role == Some(Role::Fields) {
            self.fields = Some(value);
            return;
        }
        match self.standard.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.standard.push((name, value)),
        }
    }
}
