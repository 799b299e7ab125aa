//! Running of a function from its page.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::execution::MAX_LINES;
use super::{json_response, read_json};
use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::services::{ApiResponse, Services};

/// `POST /scripts/run`: runs a function by `scripts.run` as the user of the page, and returns the response with the
/// number and the log of the execution; for an owner it is the last saved code.
pub(super) async fn run<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    json_response(execute(&pages, request).await.map(|response| (response.status, response.body)))
}

/// Sends the request of a page to `scripts.run` as the user that it names.
async fn execute<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<ApiResponse, Failure> {
    let bad = |message: &str| Failure::BadRequest(message.to_owned());
    let request = read_json(pages, request).await?;
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
    let source = &pages.page.source;
    let response = source.post(user, &target, body.to_string().into()).await.map_err(Failure::Unavailable)?;
    if !response.status.is_success() {
        return Ok(response);
    }
    let number = response.execution;
    let found = match number {
        Some(number) => source.execution(user, number, MAX_LINES).await.map_err(Failure::Unavailable)?,
        None => None,
    };
    let log = found.iter().flat_map(|found| &found.log);
    let log: Vec<Value> = log.map(|line| json!({ "severity": line.severity, "text": line.text })).collect();
    // The response may be large: it is not parsed.
    let mut body = b"{\"operation\":".to_vec();
    body.extend_from_slice(&response.body);
    body.extend(format!(",\"execution\":{},\"log\":{}}}", json!(number), json!(log)).into_bytes());
    Ok(ApiResponse { body, ..response })
}
