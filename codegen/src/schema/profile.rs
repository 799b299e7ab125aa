//! Conventions of the services of one publisher: roles of parameters, and keywords of errors.

use super::named::Named;
use super::read::{Located, Text};
use super::shape::{Shorthand, shape, words};
use crate::diagnostics::Span;

words! {
    /// The role of a parameter that every operation takes. Clients and servers use roles, independent of names.
    Role {
        /// The API key of the calling program: a string.
        ApiKey "api_key",
        /// An access token, in place of the `Authorization` header: a string. Several parameters can have this role.
        AccessToken "access_token",
        /// The format of the response: a string, or an enum with the values of the role, `json` and `media`.
        Format "format",
        /// The selected fields of the response: a string.
        Fields "fields",
        /// Whether the response is indented: a boolean.
        PrettyPrint "pretty_print",
        /// The user whose quota the request counts against: a string.
        QuotaUser "quota_user",
        /// The function that a script response would call, which servers reject: a string.
        Callback "callback",
        /// The kind of upload: a string, or an enum with the values of the role, `media`, `multipart` and `resumable`.
        UploadType "upload_type",
        /// The version of the upload protocol, which has no effect in clients and servers: a string or an enum.
        UploadProtocol "upload_protocol",
    }
}

shape! {
    /// The role of a parameter that every operation takes: a keyword, or a mapping with its values.
    RoleDef "role" {
        /// The role.
        is "is": Located<Role> = "format";
        /// The names of the role's values on the wire, if they differ: `json` and `media` for `format`, and `media`,
        /// `multipart` and `resumable` for `upload_type`.
        values "values": Named<Text> = "{ media: raw }";
    }
}

impl Shorthand for RoleDef {
    const KEY: &'static str = "is";
    type Short = Located<Role>;

    fn expand(is: Located<Role>, span: Span) -> Self {
        Self { span, is, ..Self::default() }
    }
}

shape! {
    /// What the services of one publisher share in addition to the fields of their error bodies. It can be in a file
    /// that several APIs include.
    Profile "profile" {
        /// The domain of the reasons of errors: the value of the field that `domain` of `errors` names.
        domain "domain": Option<Text> = "global";
        /// The reasons that belong to other domains than `domain`, by domain.
        domains "domains": Named<Vec<Text>> = "{ usageLimits: [rateLimitExceeded, quotaExceeded] }";
        /// The reasons of errors that a server creates itself: by status, by class (`4XX`, `5XX`), or by case. The
        /// cases are `malformed`, `required`, `invalid_parameter`, `invalid`, `missing_credentials`, `missing_scopes`,
        /// `page_token_expired` and `rate_limit`.
        reasons "reasons": Named<Text> = "{ 404: notFound, 5XX: backendError, rate_limit: rateLimitExceeded }";
        /// The reasons that mean rate limiting, by status, after which a client retries later. The status 429 always
        /// means rate limiting.
        rate_limits "rate_limits": Named<Vec<Text>> = "{ 403: [rateLimitExceeded, userRateLimitExceeded] }";
        /// The response headers with the request id for the service's logs, in order of preference; by default
        /// `x-request-id` and `request-id`.
        request_ids "request_ids": Vec<Text> = "[x-request-id, x-trace-id]";
    }
}
