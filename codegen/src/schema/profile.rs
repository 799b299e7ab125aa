//! What the services of one publisher have in common: the roles of parameters, and the words of errors.

use super::named::Named;
use super::read::{Located, Text};
use super::shape::{Shorthand, shape, words};
use crate::diagnostics::Span;

words! {
    /// What a parameter that every operation takes is for. Clients and servers know roles, whatever the name of the parameter.
    Role {
        /// The API key that names the calling program: a string.
        ApiKey "api_key",
        /// An access token, in place of the header `Authorization`: a string. Several parameters can have this role.
        AccessToken "access_token",
        /// The form of the response: a string, or an enum with the values of the role, `json` and `media`.
        Format "format",
        /// The fields that the response has: a string.
        Fields "fields",
        /// Whether the response is indented: a boolean.
        PrettyPrint "pretty_print",
        /// The user on whose account the request is counted: a string.
        QuotaUser "quota_user",
        /// The function that a script response would call, which no server makes: a string.
        Callback "callback",
        /// How media are uploaded: a string, or an enum with the values of the role, `media`, `multipart` and `resumable`.
        UploadType "upload_type",
        /// The version of the upload protocol, which clients and servers leave as it is: a string or an enum.
        UploadProtocol "upload_protocol",
    }
}

shape! {
    /// The role of a parameter that every operation takes: a word, or a mapping with its values.
    RoleDef "role" {
        /// The role.
        is "is": Located<Role> = "format";
        /// What the values that the role knows are called on the wire, where they have other names: of `format` `json` and
        /// `media`, of `upload_type` `media`, `multipart` and `resumable`.
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
    /// What the services of one publisher have in common beside the members of their error bodies. It can stand in a file
    /// that several APIs include.
    Profile "profile" {
        /// The part of the service to which the reasons of errors belong: what the member that `domain` of `errors` leads to holds.
        domain "domain": Option<Text> = "global";
        /// The reasons of the errors that a server reports by itself: by status, by class (`4XX`, `5XX`), or by case. The
        /// cases are `malformed`, `required`, `invalid_parameter`, `invalid`, `missing_credentials`, `missing_scopes`,
        /// `page_token_expired` and `rate_limit`.
        reasons "reasons": Named<Text> = "{ 404: notFound, 5XX: backendError, rate_limit: rateLimitExceeded }";
        /// The reasons of errors, by status, that say that there were too many requests, so that a client tries again later. A 429 says so by itself.
        rate_limits "rate_limits": Named<Vec<Text>> = "{ 403: [rateLimitExceeded, userRateLimitExceeded] }";
        /// The headers of responses by which the service finds a request in its logs, the best one first; `x-request-id` and
        /// `request-id` unless said.
        request_ids "request_ids": Vec<Text> = "[x-request-id, x-trace-id]";
    }
}
