//! Calls as the parts of a body, and answers from the parts of another.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri, header};
use wireform_runtime::batch;

use super::Item;
use crate::credentials::Token;
use crate::error::ErrorKind;
use crate::send::Failed;
use crate::send::answer::{self, Answer};
use crate::transport::ResponseBody;

/// The calls as one body. What all of them show to be let in stands in front of it, once.
pub(super) fn write(base: &str, items: &[Item], token: Option<&Token>) -> (Option<HeaderValue>, String, Bytes) {
    // One of 122 random bits occurs nowhere by chance.
    let boundary = format!("batch_{}", uuid::Uuid::new_v4().simple());
    let token_of = |item: &Item| token.filter(|_| item.message.tokens().is_some()).cloned();
    let mut requests: Vec<Request<Bytes>> =
        items.iter().map(|item| item.message.request(token_of(item).as_ref())).collect();
    let shown = |request: &Request<Bytes>| request.headers().get(header::AUTHORIZATION).cloned();
    let first = requests.first().and_then(shown);
    let common = first.filter(|first| requests.iter().all(|request| shown(request).as_ref() == Some(first)));
    if common.is_some() {
        requests.iter_mut().for_each(|request| drop(request.headers_mut().remove(header::AUTHORIZATION)));
    }
    let below = base.parse::<Uri>().map_or(0, |base| base.path().trim_end_matches('/').len());
    let mut body = Vec::new();
    for (place, request) in requests.iter().enumerate() {
        batch::write_part(&mut body, &boundary, Some(&format!("<{place}>")));
        write_request(&mut body, request, below);
    }
    batch::write_end(&mut body, &boundary);
    (common, boundary, body.into())
}

/// A request as a message. Its address is a path, below that of the base URL.
fn write_request(body: &mut Vec<u8>, request: &Request<Bytes>, below: usize) {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let target = target.get(below..).filter(|target| target.starts_with('/')).unwrap_or(target);
    body.extend_from_slice(format!("{} {target} HTTP/1.1\r\n", request.method()).as_bytes());
    let own = [header::USER_AGENT, header::CONTENT_LENGTH];
    for (name, value) in request.headers().iter().filter(|(name, _)| !own.contains(name)) {
        body.extend_from_slice(name.as_str().as_bytes());
        body.extend_from_slice(b": ");
        body.extend_from_slice(value.as_bytes());
        body.extend_from_slice(b"\r\n");
    }
    if !request.body().is_empty() {
        body.extend_from_slice(format!("content-length: {}\r\n", request.body().len()).as_bytes());
    }
    body.extend_from_slice(b"\r\n");
    body.extend_from_slice(request.body());
    body.extend_from_slice(b"\r\n");
}

/// The answers to the calls, in their order: by their ids, or by their places where the server gives none.
pub(super) async fn read(
    media_type: &str,
    body: &Bytes,
    items: &mut [Item],
    token: Option<&Token>,
) -> Vec<Result<Answer, Failed>> {
    let protocol = |text: String| Failed::from(ErrorKind::Protocol(text));
    let parts = batch::boundary(media_type).and_then(|boundary| batch::parts(body, &boundary, items.len()));
    let mut answers = Vec::with_capacity(items.len());
    for (place, item) in items.iter_mut().enumerate() {
        let id = format!("<response-{place}>");
        let found = match &parts {
            Ok(parts) if parts.iter().any(|part| part.id.is_some()) => {
                parts.iter().find(|part| part.id.as_deref() == Some(id.as_str()))
            }
            Ok(parts) => parts.get(place),
            Err(error) => {
                answers.push(Err(protocol(format!("the answer is no batch: {error}"))));
                continue;
            }
        };
        let response = match found {
            Some(part) => response(body, part.content),
            None => Err("the answer lacks this part".to_owned()),
        };
        answers.push(match response {
            Ok(response) => {
                let secrets = item.message.secrets(token);
                answer::read(response, &item.expected, secrets, &mut item.watch).await
            }
            Err(problem) => Err(protocol(problem)),
        });
    }
    answers
}

/// The answer that a part holds.
fn response(body: &Bytes, content: &[u8]) -> Result<Response<ResponseBody>, String> {
    let message = batch::message(content).map_err(|error| format!("a part of the answer cannot be read: {error}"))?;
    let status = message.start.strip_prefix("HTTP/").and_then(|start| start.split(' ').nth(1));
    let status = status.and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok());
    let mut headers = HeaderMap::with_capacity(message.headers.len());
    for (name, value) in &message.headers {
        // What is no header says nothing.
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            headers.append(name, value);
        }
    }
    let mut response = Response::new(ResponseBody::from(body.slice_ref(message.body)));
    *response.status_mut() = status.ok_or("a part of the answer has no status")?;
    *response.headers_mut() = headers;
    Ok(response)
}
