//! How a call is sent.

use std::time::Duration;

use wireform_runtime::operation::{Api, Role};

use crate::retry::RetryPolicy;

/// How a call is sent.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// When the request is sent again; as the client says, without.
    pub retry: Option<RetryPolicy>,
    /// How long an attempt may take; as the client says, without.
    pub timeout: Option<Duration>,
    /// Which members the answer has: the value of the parameter with the role `fields`.
    pub fields: Option<String>,
    /// The value of the header `Accept`, where an operation answers several media types; all that it answers, without.
    pub accept: Option<String>,
    /// The value of the header `If-None-Match`.
    pub if_none_match: Option<String>,
    /// The value of the header `If-Match`.
    pub if_match: Option<String>,
    /// Whether members that only the server writes are sent; as the client says, without.
    pub keep_output_only: Option<bool>,
    /// What becomes of the request if it breaks a rule; as the client says, without.
    #[cfg(feature = "validation")]
    pub tier: Option<crate::validation::Tier>,
    /// Parameters that every operation of the API takes, by their names in the schema.
    pub standard: Vec<(&'static str, String)>,
    /// The URL of a page, which takes the place of that of the request.
    pub(crate) page: Option<String>,
}

impl CallOptions {
    /// Sets a parameter that every operation of this API takes.
    pub(crate) fn set_parameter(&mut self, api: &Api, name: &'static str, value: impl Into<String>) {
        let parameter = api.standard.iter().find(|parameter| parameter.name.is(name));
        let role = parameter.and_then(|parameter| parameter.role);
        let is_refused = parameter.is_none() || role.is_some_and(Role::is_reserved);
        // The call will be refused, so what may be a secret is not kept.
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
