//! Requests of programs on this machine that control the server.

use wireform_page::Guard;
use wireform_server::axum::body::{Bytes, to_bytes};
use wireform_server::axum::extract::Request;
use wireform_server::axum::http::{StatusCode, header};
use wireform_server::axum::response::{IntoResponse as _, Response};

use super::health::error_response;

/// Maximum number of bytes of a request body.
const BODY_BYTES: usize = 4096;

/// Returns the response to a request of another machine, through a proxy or by a page of another origin; `None` for others.
pub fn refusal(request: Request) -> Option<Response> {
    Guard::default().admit_visit(&request.into_parts().0).err().map(|refusal| refusal.into_response())
}

/// Admits a request of this machine that changes something, and returns its body.
///
/// # Errors
/// Returns the response to requests of other machines, through proxies and by pages of other origins, and to those
/// whose body is too long or is not sent as JSON.
pub async fn admit_change(request: Request) -> Result<Bytes, Response> {
    let (parts, body) = request.into_parts();
    Guard::default().admit_visit(&parts).map_err(|refusal| refusal.into_response())?;
    // A form of another origin reaches this point but cannot have this content type; a script of another origin is
    // stopped by the browser's preflight request.
    let json = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !json.is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("application/json")) {
        let message = "the body must be sent as JSON: `Content-Type: application/json`";
        return Err(error_response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "INVALID_ARGUMENT", message));
    }
    to_bytes(body, BODY_BYTES).await.map_err(|_| invalid("the body cannot be read or is too long"))
}

/// Returns the response to an invalid request.
pub fn invalid(message: &str) -> Response {
    error_response(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", message)
}
