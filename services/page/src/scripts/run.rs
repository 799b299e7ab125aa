//! Running of a function from its page.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::header;
use serde_json::{Value, json};

use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::services::{ApiResponse, Services};

/// Maximum length of a request, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// `POST /scripts/run`: runs a function by `scripts.run` as the user of the page, and returns the response; for an
/// owner it is the last saved code.
pub(super) async fn run<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    match execute(&pages, request).await {
        Ok(response) => (response.status, headers, response.body).into_response(),
        Err(failure) => {
            let (status, message) = failure.status_and_message();
            (status, headers, json!({ "error": { "code": status.as_u16(), "message": message } }).to_string())
                .into_response()
        }
    }
}

/// Sends the request of a page to `scripts.run` as the user that it names.
async fn execute<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<ApiResponse, Failure> {
    let (head, body) = request.into_parts();
    // The body is not read before the sender is checked.
    pages.admit_page(Request::from_parts(head, axum::body::Body::empty()))?;
    let bad = |message: &str| Failure::BadRequest(message.to_owned());
    let body = to_bytes(body, MAX_BYTES).await.map_err(|_| bad("The request is too long."))?;
    let request: Value =
        serde_json::from_slice(&body).map_err(|error| Failure::BadRequest(format!("This is not JSON: {error}.")))?;
    let text = |name: &str| request[name].as_str().filter(|text| !text.is_empty());
    let (Some(user), Some(id), Some(function)) = (text("user"), text("id"), text("function")) else {
        return Err(bad("The request contains no user, project or function."));
    };
    let parameters = match &request["parameters"] {
        Value::Null => json!([]),
        list @ Value::Array(_) => list.clone(),
        _ => return Err(bad("The parameters are not an array.")),
    };
    let body = json!({ "function": function, "parameters": parameters, "devMode": true });
    let mut target = Link::new("/v1/scripts").segment(id).as_str().to_owned();
    target.push_str(":run");
    pages.page.source.post(user, &target, body.to_string().into()).await.map_err(Failure::Unavailable)
}
