//! URLs to which secrets are sent.

use http::Uri;

use super::{CredentialsError, CredentialsErrorKind};

/// Parses a URL and checks that secrets may be sent there: over TLS, or to this machine.
pub(super) fn parse_secure_url(member: &str, text: &str) -> Result<Uri, CredentialsError> {
    let refuse = |why: &str| {
        let message = format!("`{member}` {why}");
        CredentialsError::new(CredentialsErrorKind::Invalid, message)
    };
    let uri: Uri = text.parse().map_err(|_| refuse("is not an address"))?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(refuse("is not an absolute URL such as https://oauth2.googleapis.com/token"));
    };
    if authority.as_str().contains('@') || authority.host().is_empty() {
        return Err(refuse("must name a host and no user"));
    }
    match scheme {
        "https" => Ok(uri),
        "http" if crate::base_url::is_loopback_host(authority.host()) => Ok(uri),
        "http" => Err(refuse("must begin with https://; http:// is for this machine only, such as http://127.0.0.1")),
        _ => Err(refuse("must begin with https://")),
    }
}
