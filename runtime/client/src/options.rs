//! How a call is sent.

use std::time::Duration;

use crate::retry::RetryPolicy;

/// The parameters that would change how the client and the server talk, or who talks.
pub(crate) const RESERVED: &[&str] =
    &["access_token", "alt", "bearer_token", "callback", "key", "oauth_token", "uploadType", "upload_protocol"];

/// How a call is sent.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// When the request is sent again; as the client says, without.
    pub retry: Option<RetryPolicy>,
    /// How long an attempt may take; as the client says, without.
    pub timeout: Option<Duration>,
    /// Which members the answer has: the value of the parameter `fields`.
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
    /// Sets a parameter that every operation of the API takes.
    pub fn set_parameter(&mut self, name: &'static str, value: impl Into<String>) {
        // The call will be refused, so what may be a secret is not kept.
        let value = if RESERVED.contains(&name) { String::new() } else { value.into() };
        if name == "fields" {
            self.fields = Some(value);
            return;
        }
        match self.standard.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.standard.push((name, value)),
        }
    }
}
