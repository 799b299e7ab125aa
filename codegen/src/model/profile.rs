//! What clients and servers know of the parameters and errors of an API, whatever these are called.

/// The role of a parameter that every operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The API key.
    ApiKey,
    /// An access token.
    AccessToken,
    /// The form of the response.
    Format,
    /// The fields that the response has.
    Fields,
    /// Whether the response is indented.
    PrettyPrint,
    /// The user on whose account the request is counted.
    QuotaUser,
    /// The function that a script response would call.
    Callback,
    /// How media are uploaded.
    UploadType,
    /// The version of the upload protocol.
    UploadProtocol,
}

impl Role {
    /// Returns the word of the schema.
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

    /// Returns the values that clients and servers know, by their words in the schema.
    #[must_use]
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Format => &["json", "media"],
            Self::UploadType => &["media", "multipart", "resumable"],
            _ => &[],
        }
    }
}

/// The role of a parameter, with the values that have other names on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleUse {
    /// The role.
    pub role: Role,
    /// The values of the role with what they are on the wire, where that is something else.
    pub values: Vec<(String, String)>,
}

/// The words of errors, and the headers by which a service finds requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The part of the service to which the reasons belong.
    pub domain: Option<String>,
    /// The reasons of cases.
    pub cases: Vec<(ReasonCase, String)>,
    /// The reasons of statuses.
    pub statuses: Vec<(u16, String)>,
    /// The reason of other statuses from 400 to 499.
    pub client_error: Option<String>,
    /// The reason of other statuses from 500 on.
    pub server_error: Option<String>,
    /// The statuses and reasons that say that there were too many requests.
    pub rate_limits: Vec<(u16, String)>,
    /// The headers by which the service finds a request; those of the library where there are none.
    pub request_ids: Vec<String>,
}

/// A case that has a reason of its own, whatever the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonCase {
    /// The text of the body cannot be read.
    Malformed,
    /// Something required is missing.
    Required,
    /// A parameter breaks a rule.
    InvalidParameter,
    /// Anything else breaks a rule.
    Invalid,
    /// The request shows no credentials.
    MissingCredentials,
    /// The token lacks the scopes of the operation.
    MissingScopes,
    /// The page token has expired.
    PageTokenExpired,
    /// The caller's quota is exhausted.
    RateLimit,
}

impl ReasonCase {
    /// Every case with its word in the schema and its name in the runtime.
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

    /// Returns the word of the schema, and the name in the runtime.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str) {
        let found = Self::ALL.into_iter().find(|(case, ..)| *case == self);
        found.map(|(_, word, name)| (word, name)).unwrap_or_default()
    }
}
