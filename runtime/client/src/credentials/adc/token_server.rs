//! The token server that a file of credentials names.

use http::Uri;

use crate::credentials::members::Members;
use crate::credentials::{CredentialsError, endpoint};

/// The token server of files that name none.
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";

/// The address of the token server, also as it is spelled.
pub(super) fn token_uri(members: &Members) -> Result<(String, Uri), CredentialsError> {
    let text = members.optional("token_uri")?.unwrap_or_else(|| TOKEN_URI.to_owned());
    let uri = endpoint::checked("token_uri", &text)?;
    Ok((text, uri))
}
