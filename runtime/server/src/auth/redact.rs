//! Storage of requests without their credentials.

use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HeaderName, PROXY_AUTHORIZATION};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use wireform_runtime::operation::{Operation, ParameterLocation};

use super::gate::{AuthGate, is_standard_parameter};
use super::is_key_parameter;
use crate::cookies::cookies;

/// Headers with credentials, and those of a body that is stored separately.
const REMOVED_HEADERS: &[HeaderName] = &[AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE, CONTENT_LENGTH, CONTENT_TYPE];

impl AuthGate {
    /// Returns the target of a request without tokens and keys in its query.
    pub(crate) fn redacted_target(&self, operation: &Operation, parts: &Parts) -> String {
        let is_secret = |raw: &str| {
            let standard = self.tokens.iter().copied().chain(self.key);
            is_key_parameter(operation, raw)
                || standard.into_iter().any(|parameter| is_standard_parameter(operation, raw, parameter))
        };
        let name = |pair: &str| pair.split('=').next().unwrap_or_default().to_owned();
        let pairs = parts.uri.query().into_iter().flat_map(|query| query.split('&'));
        let mut target = parts.uri.path().to_owned();
        for pair in pairs.filter(|pair| !pair.is_empty() && !is_secret(&name(pair))) {
            target.push(if target.contains('?') { '&' } else { '?' });
            target.push_str(pair);
        }
        target
    }
}

/// Returns the headers of a request without those that hold secrets, and with only those cookies that are parameters.
pub(crate) fn redacted_headers(operation: &Operation, parts: &Parts, secret: &[HeaderName]) -> HeaderMap {
    let mut headers = parts.headers.clone();
    for name in REMOVED_HEADERS.iter().chain(secret) {
        headers.remove(name);
    }
    let declared = |name: &str| {
        let mut cookies =
            operation.parameters.iter().filter(|parameter| parameter.location == ParameterLocation::Cookie);
        cookies.any(|parameter| parameter.name.matches(name))
    };
    let kept = cookies(&parts.headers).filter(|(name, _)| declared(name));
    let kept: Vec<String> = kept.map(|(name, value)| format!("{name}={value}")).collect();
    if let (false, Ok(line)) = (kept.is_empty(), HeaderValue::from_str(&kept.join("; "))) {
        headers.insert(COOKIE, line);
    }
    headers
}
