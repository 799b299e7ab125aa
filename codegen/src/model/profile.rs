//! Parameters and errors with a meaning that clients and servers know, independent of their names.

/// Role of a standard parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// API key.
    ApiKey,
    /// Access token.
    AccessToken,
    /// Response format.
    Format,
    /// Field mask of the response.
    Fields,
    /// Pretty-printing of the response.
    PrettyPrint,
    /// User whose quota is charged.
    QuotaUser,
    /// JSONP callback function.
    Callback,
    /// Upload type of media.
    UploadType,
    /// Version of the upload protocol.
    UploadProtocol,
}

impl Role {
    /// Returns the word of the role in a schema.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ApiKey => "api_key",
            Self::AccessToken => "access_token",
            Self::Format => "format",
            Self::Fields => "fields",
            Self::PrettyPrint => "pretty_print",
            Self::QuotaUser => "quota_user",
            Self::Callback => "callback",
            Self::UploadType => "upload_type",
            Self::UploadProtocol => "upload_protocol",
        }
    }

    /// Returns the known values of the role, by their words in a schema.
    #[must_use]
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Format => &["json", "media"],
            Self::UploadType => &["media", "multipart", "resumable"],
            _ => &[],
        }
    }
}

/// Role of a parameter, with the values whose wire names differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterRole {
    /// Role.
    pub role: Role,
    /// Values of the role with their wire names, where these differ.
    pub values: Vec<(String, String)>,
}

/// Error reasons, and the headers of request identifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Domain of the error reasons.
    pub domain: Option<String>,
    /// Reasons that belong to other domains, with these.
    pub domains: Vec<(String, String)>,
    /// Reasons of specific cases.
    pub cases: Vec<(ReasonCase, String)>,
    /// Reasons by status.
    pub statuses: Vec<(u16, String)>,
    /// Default reason of statuses from 400 to 499.
    pub client_error: Option<String>,
    /// Default reason of statuses from 500.
    pub server_error: Option<String>,
    /// Statuses and reasons that signal rate limiting.
    pub rate_limits: Vec<(u16, String)>,
    /// Headers that carry a request identifier; empty for the defaults of the runtime.
    pub request_ids: Vec<String>,
}

/// Case with a reason of its own, whatever the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonCase {
    /// The body cannot be parsed.
    Malformed,
    /// A required value is missing.
    Required,
    /// A parameter violates a constraint.
    InvalidParameter,
    /// Another value violates a constraint.
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

impl ReasonCase {
    /// All cases, with the word in the schema and the name in the runtime.
    pub const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::Malformed, "malformed", "Malformed"),
        (Self::Required, "required", "Required"),
        (Self::InvalidParameter, "invalid_parameter", "InvalidParameter"),
        (Self::Invalid, "invalid", "Invalid"),
        (Self::MissingCredentials, "missing_credentials", "MissingCredentials"),
        (Self::MissingScopes, "missing_scopes", "MissingScopes"),
        (Self::PageTokenExpired, "page_token_expired", "PageTokenExpired"),
        (Self::RateLimit, "rate_limit", "RateLimit"),
    ];

    /// Returns the word in the schema and the name in the runtime.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str) {
        let found = Self::ALL.into_iter().find(|(case, ..)| *case == self);
        found.map(|(_, word, name)| (word, name)).unwrap_or_default()
    }
}
