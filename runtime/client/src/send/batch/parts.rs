//! Encoding of calls as parts of a body, and decoding of the parts of a response.

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri, header};
use wireform_runtime::batch;

use super::BatchItem;
use crate::credentials::Token;
use crate::error::ErrorKind;
use crate::send::SendError;
use crate::send::response::{self, SuccessResponse};
use crate::transport::ResponseBody;

/// Encodes the calls as one body. Credentials that all of them share are returned for the head of the batch.
pub(super) fn encode_batch(
    base: &str,
    items: &[BatchItem],
    token: Option<&Token>,
) -> (Option<HeaderValue>, String, Bytes) {
    // With 122 random bits, the boundary does not occur by chance.
    let boundary = format!("batch_{}", uuid::Uuid::new_v4().simple());
    let token_of = |item: &BatchItem| token.filter(|_| item.message.token_provider().is_some()).cloned();
    let mut requests: Vec<Request<Bytes>> =
        items.iter().map(|item| item.message.to_request(token_of(item).as_ref())).collect();
    let shown = |request: &Request<Bytes>| request.headers().get(header::AUTHORIZATION).cloned();
    let first = requests.first().and_then(shown);
    let common = first.filter(|first| requests.iter().all(|request| shown(request).as_ref() == Some(first)));
    if common.is_some() {
        requests.iter_mut().for_each(|request| drop(request.headers_mut().remove(header::AUTHORIZATION)));
    }
    let below = base.parse::<Uri>().map_or(0, |base| base.path().trim_end_matches('/').len());
    let mut body = Vec::new();
    for (place, request) in requests.iter().enumerate() {
        batch::write_part_head(&mut body, &boundary, Some(&format!("<{place}>")));
        write_request(&mut body, request, below);
    }
    batch::write_closing_boundary(&mut body, &boundary);
    (common, boundary, body.into())
}

/// Writes a request as a message. Its target is a path below that of the base URL.
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

/// Reads the responses to the calls, in their order: by their ids, or by their indices if the server sends none. Of a
/// truncated body, it reads the complete parts.
pub(super) async fn decode_batch(
    response: super::BatchResponse,
    items: &mut [BatchItem],
    token: Option<&Token>,
    limit: usize,
) -> Vec<Result<SuccessResponse, SendError>> {
    let super::BatchResponse { media_type, body, is_truncated: is_cut } = response;
    let boundary = batch::parse_boundary(&media_type);
    let body = match &boundary {
        Ok(boundary) if is_cut => end_after_last_part(body, boundary),
        _ => body,
    };
    let parts = boundary.and_then(|boundary| batch::parse_parts(&body, &boundary, items.len()));
    let mut responses = Vec::with_capacity(items.len());
    for (place, item) in items.iter_mut().enumerate() {
        let protocol = |text: String| SendError::from(ErrorKind::Protocol(text));
        let found = match &parts {
            Ok(parts) => find_part(parts, place),
            Err(_) if is_cut => None,
            Err(error) => {
                responses.push(Err(protocol(format!("invalid batch response: {error}"))));
                continue;
            }
        };
        responses.push(match found.map(|part| self::parse_response(&body, part.content)) {
            Some(Ok(response)) => {
                let secrets = item.message.secrets(token);
                response::read(response, &item.expected, secrets, &mut item.watch).await
            }
            Some(Err(problem)) => Err(protocol(problem)),
            None if is_cut => Err(ErrorKind::BatchTooLong { limit, sent: true }.into()),
            None => Err(protocol("the batch response has no part for this call".to_owned())),
        });
    }
    responses
}

/// Returns the part for the call at an index.
fn find_part<'p, 'b>(parts: &'p [batch::Part<'b>], place: usize) -> Option<&'p batch::Part<'b>> {
    if parts.iter().all(|part| part.id.is_none()) {
        return parts.get(place);
    }
    let id = format!("<response-{place}>");
    parts.iter().find(|part| part.id.as_deref() == Some(id.as_str()))
}

/// Replaces the text after the last complete part by the end of a batch.
fn end_after_last_part(body: Bytes, boundary: &str) -> Bytes {
    let delimiter = format!("--{boundary}");
    let is_delimiter =
        |line: &[u8]| line.strip_prefix(delimiter.as_bytes()).is_some_and(|rest| rest.trim_ascii().is_empty());
    // The last line may be truncated and look like a delimiter.
    let mut end = body.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    loop {
        let lines = body.get(..end).unwrap_or_default();
        let start = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if is_delimiter(lines.get(start..).unwrap_or_default()) || start == 0 {
            // Not copied: the buffer has no other owner.
            let mut body = body.try_into_mut().unwrap_or_else(|body| BytesMut::from(&body[..]));
            body.truncate(start);
            body.extend_from_slice(format!("{delimiter}--\r\n").as_bytes());
            return body.freeze();
        }
        end = start - 1;
    }
}

/// Parses the response in a part.
fn parse_response(body: &Bytes, content: &[u8]) -> Result<Response<ResponseBody>, String> {
    let message =
        batch::parse_message(content).map_err(|error| format!("invalid part of the batch response: {error}"))?;
    let status = message.start_line.strip_prefix("HTTP/").and_then(|start| start.split(' ').nth(1));
    let status = status.and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok());
    let mut headers = HeaderMap::with_capacity(message.headers.len());
    for (name, value) in &message.headers {
        // Invalid headers are ignored.
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            headers.append(name, value);
        }
    }
    let mut response = Response::new(ResponseBody::from(body.slice_ref(message.body)));
    *response.status_mut() = status.ok_or("a part of the batch response has no status")?;
    *response.headers_mut() = headers;
    Ok(response)
}
