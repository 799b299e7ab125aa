//! Token server of a file of credentials.

use http::Uri;

use crate::credentials::members::Members;
use crate::credentials::{CredentialsError, endpoint};

/// Default token server.
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";

/// Returns the URL of the token server, as the file spells it and parsed.
pub(super) fn token_uri(members: &Members) -> Result<(String, Uri), CredentialsError> {
    let text = members.optional("token_uri")?.unwrap_or_else(|| TOKEN_URI.to_owned());
    let uri = endpoint::checked("token_uri", &text)?;
    Ok((text, uri))
}
