//! `POST /revoke`: ends the validity of tokens that were issued here (RFC 7009).

use http::StatusCode;
use serde_json::json;
use wireform_server::axum::extract::{Request, State};
use wireform_server::axum::response::{IntoResponse as _, Response};
use wireform_store::{Accounts as _, Error, TokenHash};

use super::grants::Parameters;
use super::{OAuthState, ServerState, TOKEN_NOTE, admit, invalid, json_response, read, token_note, unavailable};

/// Handles `POST /revoke`, with the token in a form or, as some clients send it, in the query.
pub(super) async fn revoke(State(state): State<OAuthState>, request: Request) -> Response {
    let (parts, body) = match admit(request) {
        Ok(admitted) => admitted,
        Err(refusal) => return refusal.into_response(),
    };
    let query = Parameters::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let parameters = match query.get("token") {
        Some(_) => query,
        None => match read(&parts.headers, body).await {
            Ok(form) => form,
            Err(response) => return response,
        },
    };
    let Some(token) = parameters.get("token") else { return invalid("`token` is missing") };
    match revoke_issued(&state.shared, token).await {
        Ok(true) => json_response(StatusCode::OK, &json!({})),
        Ok(false) => {
            let help =
                "the token was not issued by `/token`; help: `wireform-services tokens revoke` revokes any token";
            let body = json!({ "error": "unsupported_token_type", "error_description": help });
            json_response(StatusCode::BAD_REQUEST, &body)
        }
        Err(error) => unavailable(&error),
    }
}

/// Revokes an access token, or all those of the user of a refresh token. Returns false for a valid token that was issued
/// elsewhere. An unknown token is not valid in any case (RFC 7009, section 2.2).
async fn revoke_issued(shared: &ServerState, token: &str) -> Result<bool, Error> {
    let (store, hash) = (&shared.store, TokenHash::from_token(token));
    let (user, note) = match store.find_grant(hash, shared.clock.now()).await? {
        Some(grant) => (grant.user, Some(token_note(hash))),
        None => match store.user(token.split(' ').next().unwrap_or_default()).await {
            Ok(user) => (user, None),
            Err(Error::NotFound { .. }) => return Ok(true),
            Err(error) => return Err(error),
        },
    };
    let mut found = note.is_none();
    for issued in store.tokens(Some(user.mailbox)).await? {
        if note.as_ref().map_or(issued.note.starts_with(TOKEN_NOTE), |note| issued.note == *note) {
            match store.revoke_token(issued.number).await {
                Ok(()) | Err(Error::NotFound { .. }) => found = true,
                Err(error) => return Err(error),
            }
        }
    }
    Ok(found)
}
