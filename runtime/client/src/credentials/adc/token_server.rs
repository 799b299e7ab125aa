//! Token server of a file of credentials.

use http::Uri;

use crate::credentials::json_object::JsonObject;
use crate::credentials::{CredentialsError, secure_url};

/// Default token server.
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";

/// Returns the URL of the token server, as the file spells it and parsed.
pub(super) fn token_uri(members: &JsonObject) -> Result<(String, Uri), CredentialsError> {
    let text = members.optional_string("token_uri")?.unwrap_or_else(|| TOKEN_URI.to_owned());
    let uri = secure_url::parse_secure_url("token_uri", &text)?;
    Ok((text, uri))
}
