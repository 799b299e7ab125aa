//! Profile of a service: the reasons of its errors, and the headers and reasons that clients interpret.

/// Conventions that the services of one publisher share, in addition to the fields of their error bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Domain of the reasons of errors. Without it no domain is written.
    pub domain: Option<&'static str>,
    /// Pairs of a reason and its domain, for reasons of other domains.
    pub domains: &'static [(&'static str, &'static str)],
    /// Reasons of the errors that the server runtime reports itself.
    pub reasons: Reasons,
    /// Pairs of status and reason that mean too many requests, in addition to 429.
    pub rate_limits: &'static [(u16, &'static str)],
    /// Response headers that identify a request in the logs of the service, in the order of preference.
    pub request_ids: &'static [&'static str],
}

impl Profile {
    /// Profile of an API whose schema has none.
    pub const STANDARD: Self = Self {
        domain: None,
        domains: &[],
        reasons: Reasons { cases: &[], statuses: &[], client_error: None, server_error: None },
        rate_limits: &[],
        request_ids: &["x-request-id", "request-id"],
    };

    /// Returns the domain of a reason.
    #[must_use]
    pub fn domain_of(&self, reason: Option<&str>) -> Option<&'static str> {
        let other = self.domains.iter().find(|(known, _)| Some(*known) == reason);
        other.map(|(_, domain)| *domain).or(self.domain)
    }

    /// Returns whether an error means that there were too many requests.
    #[must_use]
    pub fn is_rate_limit(&self, status: u16, reason: Option<&str>) -> bool {
        status == 429 || reason.is_some_and(|reason| self.rate_limits.contains(&(status, reason)))
    }
}

/// Reasons of the errors that the server runtime reports itself. A default reason is used for a case without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// Reasons of cases that the status does not distinguish.
    pub cases: &'static [(ReasonCase, &'static str)],
    /// Reasons of statuses.
    pub statuses: &'static [(u16, &'static str)],
    /// Reason of other statuses from 400 to 499.
    pub client_error: Option<&'static str>,
    /// Reason of other statuses from 500.
    pub server_error: Option<&'static str>,
}

/// Case with its own reason, regardless of the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonCase {
    /// The body is malformed.
    Malformed,
    /// A required field or parameter is missing.
    Required,
    /// A parameter breaks a rule.
    InvalidParameter,
    /// Another part of the request breaks a rule.
    Invalid,
    /// The request has no credentials.
    MissingCredentials,
    /// The token lacks the scopes of the operation.
    MissingScopes,
    /// The page token has expired.
    PageTokenExpired,
    /// The caller's quota is exhausted.
    RateLimit,
}

impl Reasons {
    /// Returns the reason of a case.
    #[must_use]
    pub fn for_case(&self, case: ReasonCase) -> &'static str {
        let word = self.cases.iter().find(|(known, _)| *known == case).map(|(_, word)| *word);
        word.unwrap_or(match case {
            ReasonCase::Malformed => "malformed",
            ReasonCase::Required => "required",
            ReasonCase::InvalidParameter => "invalidParameter",
            ReasonCase::Invalid => "invalid",
            ReasonCase::MissingCredentials => "missingCredentials",
            ReasonCase::MissingScopes => "missingScopes",
            ReasonCase::PageTokenExpired => "pageTokenExpired",
            ReasonCase::RateLimit => "tooManyRequests",
        })
    }

    /// Returns the reason of a status without a more specific case.
    #[must_use]
    pub fn for_status(&self, status: u16) -> &'static str {
        let word = self.statuses.iter().find(|(known, _)| *known == status).map(|(_, word)| *word);
        let class = if status >= 500 { self.server_error } else { self.client_error };
        word.or(class).unwrap_or_else(|| reason_phrase(status))
    }
}

/// Returns the phrase of RFC 9110, section 15, as one word.
const fn reason_phrase(status: u16) -> &'static str {
    match status {
        401 => "unauthorized",
        403 => "forbidden",
        404 => "notFound",
        405 => "methodNotAllowed",
        406 => "notAcceptable",
        408 => "requestTimeout",
        409 => "conflict",
        410 => "gone",
        412 => "preconditionFailed",
        413 => "contentTooLarge",
        414 => "uriTooLong",
        415 => "unsupportedMediaType",
        416 => "rangeNotSatisfiable",
        422 => "unprocessableContent",
        428 => "preconditionRequired",
        429 => "tooManyRequests",
        431 => "requestHeaderFieldsTooLarge",
        501 => "notImplemented",
        502 => "badGateway",
        503 => "serviceUnavailable",
        504 => "gatewayTimeout",
        500..=599 => "internalServerError",
        _ => "badRequest",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REASONS: Reasons = Reasons {
        cases: &[(ReasonCase::Malformed, "parse_error")],
        statuses: &[(404, "no_such_thing")],
        client_error: None,
        server_error: Some("backend"),
    };

    #[test]
    fn declared_reasons_take_precedence() {
        let cases = [ReasonCase::Malformed, ReasonCase::Required].map(|case| REASONS.for_case(case));
        assert_eq!(cases, ["parse_error", "required"]);
        let statuses = [404, 410, 500, 503, 418].map(|status| REASONS.for_status(status));
        assert_eq!(statuses, ["no_such_thing", "gone", "backend", "backend", "badRequest"]);
    }

    #[test]
    fn rate_limits_match_status_and_reason() {
        let profile = Profile { rate_limits: &[(400, "slow_down")], ..Profile::STANDARD };
        let cases = [(429, None), (400, Some("slow_down")), (403, Some("slow_down")), (400, Some("invalid"))];
        let reported = cases.map(|(status, reason)| profile.is_rate_limit(status, reason));
        assert_eq!(reported, [true, true, false, false]);
        assert!(!Profile::STANDARD.is_rate_limit(400, Some("slow_down")));
    }
}
