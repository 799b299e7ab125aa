//! Error of building a client.

use std::fmt;

use wireform_runtime::operation::Api;

use crate::transport::TransportError;

/// Error of building a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The API has no public URL, and none was set.
    NoBaseUrl {
        /// Name of the API.
        api: &'static str,
    },
    /// The API has no endpoint of that name.
    UnknownEndpoint {
        /// The API, with its endpoints.
        api: &'static Api,
        /// Name of the endpoint.
        name: String,
    },
    /// The base URL is invalid.
    BaseUrl {
        /// Description of the violation.
        problem: &'static str,
    },
    /// Credentials would be sent over a network without encryption.
    Insecure {
        /// Host that would receive them.
        host: String,
    },
    /// The user agent holds a character that is not allowed in a header.
    UserAgent,
    /// No transport was set, and no built-in one is enabled.
    NoTransport,
    /// The transport cannot be created.
    Transport(TransportError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBaseUrl { api } => write!(f, "`{api}` has no public URL: set one with `base_url`"),
            Self::UnknownEndpoint { api, name } => {
                write!(f, "`{}` has no endpoint `{}`", api.name, name.escape_debug())?;
                let mut known = api.endpoints.iter().map(|endpoint| endpoint.name);
                match known.next() {
                    Some(first) => {
                        known.try_fold(write!(f, ": expected `{first}`")?, |(), name| write!(f, ", `{name}`"))
                    }
                    None => f.write_str(": set another URL with `base_url`"),
                }
            }
            Self::BaseUrl { problem } => write!(f, "the base URL {problem}"),
            Self::Insecure { host } => write!(
                f,
                "cannot send credentials to `http://{host}` without encryption: use `https`, or `http` to this machine \
                 (`localhost`, `127.0.0.1`, `[::1]`)"
            ),
            Self::UserAgent => f.write_str("invalid character in the user agent"),
            Self::NoTransport => f.write_str(
                "no transport: set one with `transport`, or enable the feature `sockets` (in a browser `reqwest`)",
            ),
            Self::Transport(error) => write!(f, "cannot set up the transport: {error}"),
        }
    }
}

/// There is no source: the message includes that of the cause.
impl std::error::Error for BuildError {}
