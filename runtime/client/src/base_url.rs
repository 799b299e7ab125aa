//! Base URL of an API.

use http::Uri;

use crate::error::BuildError;
use crate::host::is_loopback_host;

/// URL below which the operations of an API are served.
pub(crate) struct BaseUrl {
    /// Scheme, authority and path prefix, without a trailing slash.
    text: String,
    host: String,
    encrypted: bool,
    /// True if the host is this machine.
    local: bool,
}

impl BaseUrl {
    /// Parses an `http` or `https` URL without user information, query and fragment. Trailing slashes are removed.
    pub(crate) fn parse(text: &str) -> Result<Self, BuildError> {
        let refuse = |problem| Err(BuildError::BaseUrl { problem });
        // `Uri` drops a fragment silently.
        if text.contains('#') {
            return refuse("must not have a fragment");
        }
        let Ok(uri) = text.parse::<Uri>() else { return refuse("is not a valid URL") };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return refuse("must be an absolute URL, such as `https://example.com`");
        };
        if authority.as_str().contains('@') {
            return refuse("must not contain a user name or a password");
        }
        if authority.host().is_empty() {
            return refuse("must have a host");
        }
        if text.contains('?') {
            return refuse("must not have a query");
        }
        let encrypted = match scheme {
            "https" => true,
            "http" => false,
            _ => return refuse("must start with `https://` or `http://`"),
        };
        let path = uri.path().trim_end_matches('/');
        let host = authority.host().to_owned();
        let local = is_loopback_host(&host);
        Ok(Self { text: format!("{scheme}://{authority}{path}"), host, encrypted, local })
    }

    /// Returns the URL without a trailing slash.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host without its port; an IPv6 address has its brackets.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns whether requests cannot be read between client and server: over TLS or on this machine.
    pub(crate) fn is_confidential(&self) -> bool {
        self.encrypted || self.local
    }

    /// Returns whether the host is this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }
}
