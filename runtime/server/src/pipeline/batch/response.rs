//! Response to a part, encoded as a part of the response to a batch.

use axum::body::{Body, Bytes};
use bytes::BufMut as _;
use futures_util::{Stream, StreamExt as _, stream};
use http::header::CONTENT_LENGTH;
use http::response::Parts;
use http::{HeaderValue, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use wireform_runtime::operation::Api;

use crate::error::{Error, render};

/// Maximum size of a response in bytes that is written at once, with its head.
const MAX_BUFFERED_BYTES: u64 = 64 << 10;

/// Response as a part. A large body is streamed, so that a batch holds little of it.
pub(super) struct PartResponse {
    /// Head of the part, head of the message, and start of its body.
    first: Bytes,
    /// Rest of the body.
    rest: Option<Body>,
}

impl PartResponse {
    /// Writes a response after the head of its part. A body that fails before its first byte becomes a 500.
    pub(super) async fn from_response(mut written: Vec<u8>, response: Response<Body>, api: &'static Api) -> Self {
        let (head, mut body) = response.into_parts();
        let length = body.size_hint().exact();
        let begin = match length {
            Some(length) if length > MAX_BUFFERED_BYTES => Ok(Some(Bytes::new())),
            Some(_) => std::mem::take(&mut body).collect().await.map(|whole| Some(whole.to_bytes())),
            None => next_data(&mut body).await,
        };
        match begin {
            Ok(begin) => {
                write_head(&mut written, head, length);
                written.put_slice(&begin.unwrap_or_default());
                Self { first: written.into(), rest: (!body.is_end_stream()).then_some(body) }
            }
            Err(cause) => {
                tracing::error!(target: "wireform_server", %cause, "the response to a part of a batch failed");
                let error = Error::new(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be processed");
                let (head, body) = render(error, api).into_parts();
                let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
                write_head(&mut written, head, Some(body.len() as u64));
                written.put_slice(&body);
                Self { first: written.into(), rest: None }
            }
        }
    }

    /// Returns the chunks of the part. An error within a body aborts the batch, as it would abort a separate response.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, axum::Error>> {
        let Self { first, rest } = self;
        let rest = rest.map_or_else(|| stream::empty().left_stream(), |body| body.into_data_stream().right_stream());
        let first = stream::once(async { Ok(first) });
        first.chain(rest).chain(stream::once(async { Ok(Bytes::from_static(b"\r\n")) }))
    }
}

/// Returns the next data of a body.
async fn next_data(body: &mut Body) -> Result<Option<Bytes>, axum::Error> {
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// Appends the status line and the headers of a response within a batch; `length` is that of its body.
fn write_head(written: &mut Vec<u8>, mut head: Parts, length: Option<u64>) {
    let reason = head.status.canonical_reason().unwrap_or_default();
    written.put_slice(format!("HTTP/1.1 {} {reason}\r\n", head.status.as_u16()).as_bytes());
    let has_content = head.status != StatusCode::NO_CONTENT && head.status != StatusCode::NOT_MODIFIED;
    // The length of a response without its body would announce bytes that do not follow.
    head.headers.remove(CONTENT_LENGTH);
    if let (Some(length), true) = (length, has_content) {
        head.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    for (name, value) in &head.headers {
        written.put_slice(name.as_str().as_bytes());
        written.put_slice(b": ");
        written.put_slice(value.as_bytes());
        written.put_slice(b"\r\n");
    }
    written.put_slice(b"\r\n");
}
