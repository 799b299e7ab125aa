//! URLs to which secrets are sent.

use http::Uri;

use super::{CredentialsError, CredentialsErrorKind};

/// Parses a URL and checks that secrets may be sent there: over TLS, or to this machine.
pub(super) fn parse_secure_url(member: &str, text: &str) -> Result<Uri, CredentialsError> {
    let refuse = |why: &str| {
        let message = format!("`{member}` {why}");
        CredentialsError::new(CredentialsErrorKind::Invalid, message)
    };
    let uri: Uri = text.parse().map_err(|_| refuse("is not a valid URL"))?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(refuse("must be an absolute URL, such as `https://oauth2.googleapis.com/token`"));
    };
    if authority.as_str().contains('@') || authority.host().is_empty() {
        return Err(refuse("must have a host, and no user name or password"));
    }
    match scheme {
        "https" => Ok(uri),
        "http" if crate::host::is_loopback_host(authority.host()) => Ok(uri),
        "http" => Err(refuse(
            "must start with `https://`; `http://` is allowed only for this machine, such as `http://127.0.0.1`",
        )),
        _ => Err(refuse("must start with `https://`")),
    }
}
