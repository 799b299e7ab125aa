//! Chunks of resumable uploads.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri, header};

use wireform_runtime::operation::Api;

use super::chunk_range::{ChunkRange, parse_digits};
use super::media::{check_media, too_long};
use super::{MediaStream, Session, UploadRoute, UploadSessions, session_url, upload_id};
use crate::auth::Principal;
use crate::error::{Error, ErrorLocation};
use crate::limits::{Limits, RequestBody, next_chunk};

/// Outcome of a chunk.
pub(crate) enum ChunkOutcome {
    /// The response is known: a request for more chunks, or the stored one.
    Response(Response<Body>),
    /// The upload is complete and can be processed.
    Complete(Box<Session>, MediaStream),
}

/// Request that starts a resumable upload.
pub(crate) struct StartRequest<'a> {
    pub(crate) upload_route: UploadRoute,
    pub(crate) api: &'static Api,
    pub(crate) operation: &'static str,
    pub(crate) parts: &'a Parts,
    /// Path and query, and headers, without credentials.
    pub(crate) redacted: (String, HeaderMap),
    pub(crate) body: Bytes,
    pub(crate) principal: &'a Principal,
    /// Public base URL, if it is configured.
    pub(crate) public: Option<&'a str>,
}

/// Starts a resumable upload: the response has the URL for the chunks.
pub(crate) async fn start(
    sessions: &dyn UploadSessions,
    begin: StartRequest<'_>,
    limits: &Limits,
) -> Result<Response<Body>, Error> {
    let StartRequest { upload_route, api, operation, parts, redacted: (target, headers), body, principal, public } =
        begin;
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let length = match header("x-upload-content-length") {
        Some(length) => Some(parse_digits(length).ok_or_else(|| {
            Error::bad_request("must be a number of bytes")
                .with_location(ErrorLocation::Header("X-Upload-Content-Length".into()))
        })?),
        None => None,
    };
    let media_type = header("x-upload-content-type").unwrap_or("application/octet-stream");
    check_media(media_type, length, upload_route.media, limits)?;
    let session = Session {
        operation,
        subject: principal.subject().to_owned(),
        target,
        headers,
        body,
        content_type: media_type.to_owned(),
        length,
        arrived: 0,
        response: None,
    };
    let name = sessions.begin(session).await?;
    let mut response = Response::new(Body::empty());
    let address = session_url::session_url(api, parts, public, &upload_id(upload_route, &name));
    let address = HeaderValue::from_str(&address).map_err(Error::internal)?;
    response.headers_mut().insert(header::LOCATION, address);
    Ok(response)
}

/// Stores a chunk, or cancels the upload (`DELETE`). The bytes that arrive are kept, even if the rest does not.
pub(crate) async fn store_chunk(
    sessions: &Arc<dyn UploadSessions>,
    name: &str,
    (upload_route, operation): (UploadRoute, &'static str),
    (parts, body): (&Parts, Body),
    principal: &Principal,
    limits: &Limits,
) -> Result<ChunkOutcome, Error> {
    let none = || Error::not_found("unknown upload");
    let found = sessions.find(name).await?;
    let own = |it: &Session| it.operation == operation && it.subject == principal.subject();
    let mut session = found.filter(own).ok_or_else(none)?;
    if parts.method == http::Method::DELETE {
        sessions.cancel(name).await?;
        return Ok(ChunkOutcome::Response(empty_response(StatusCode::NO_CONTENT)));
    }
    if let Some(stored) = session.response {
        let mut response = Response::new(Body::from(stored.body));
        (*response.status_mut(), *response.headers_mut()) = (stored.status, stored.headers);
        return Ok(ChunkOutcome::Response(response));
    }
    let piece = ChunkRange::from_headers(&parts.headers)?;
    let mut total = piece.total().or(session.length);
    check_media(&session.content_type, total, upload_route.media, limits)?;
    check_length(&session, total, &piece)?;
    if let (None, Some(length), false) = (session.length, total, piece.is_whole()) {
        sessions.set_length(name, length).await?;
    }
    if let ChunkRange::Bytes { first, last, .. } = piece {
        let max_bytes = upload_route.media.max_bytes.map_or(limits.media_bytes, |max| max.min(limits.media_bytes));
        let end = last.map_or(total.unwrap_or(max_bytes), |last| last.saturating_add(1));
        let (arrived, end_offset) =
            append_body(&**sessions, name, (first, session.arrived, end.min(max_bytes)), body, limits).await?;
        session.arrived = arrived;
        if piece.is_whole() {
            // If the length is unknown, the end of the chunk determines it.
            total = total.or(Some(end_offset)).filter(|total| *total == end_offset);
        }
    }
    if total == Some(session.arrived) {
        session.length = total;
        if let Some(media) = sessions.take(name).await? {
            return Ok(ChunkOutcome::Complete(Box::new(session), media));
        }
    }
    Ok(ChunkOutcome::Response(incomplete_response(session.arrived)))
}

/// Checks that the length that a chunk declares is consistent with the upload, and with the bytes that have arrived.
fn check_length(session: &Session, total: Option<u64>, piece: &ChunkRange) -> Result<(), Error> {
    let wrong =
        |message: String| Err(Error::bad_request(message).with_location(ErrorLocation::Header("Content-Range".into())));
    match (session.length, total) {
        (Some(length), Some(total)) if length != total => wrong(format!(
            "the total length {total} differs from {length}, which an earlier request of the upload declared"
        )),
        (_, Some(total)) if session.arrived > total && !piece.is_whole() => wrong(format!(
            "the total length {total} is less than the {} bytes that the upload has received; request its progress \
             with `Content-Range: bytes */*`",
            session.arrived
        )),
        _ => Ok(()),
    }
}

/// Number of bytes that are stored at once: small chunks are combined, because each has an overhead.
const MIN_APPEND_BYTES: usize = 64 << 10;

/// Appends the bytes of a body that are new to an upload. The body begins at the offset `at`, `arrived` bytes are
/// stored, and it may not go beyond `end`. A body that begins after a gap is ignored. Returns the number of stored
/// bytes, and the offset at which the body ends.
async fn append_body(
    sessions: &dyn UploadSessions,
    name: &str,
    (mut at, mut arrived, end): (u64, u64, u64),
    body: Body,
    limits: &Limits,
) -> Result<(u64, u64), Error> {
    if at > arrived {
        return Ok((arrived, at));
    }
    let mut body = RequestBody::from(body);
    let mut gathered = BytesMut::new();
    let ended = loop {
        let piece = match next_chunk(&mut body, limits).await {
            Ok(Some(piece)) => piece,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let end_offset = at + gathered.len() as u64 + piece.len() as u64;
        if end_offset > end {
            break Err(too_long(end));
        }
        gathered.extend_from_slice(&piece);
        if gathered.len() >= MIN_APPEND_BYTES {
            append_new_bytes(sessions, name, (&mut at, &mut arrived), &mut gathered).await?;
            if at > arrived {
                // Others have sent the rest, and it is being processed.
                return Ok((arrived, at));
            }
        }
    };
    // A body that breaks off is stored as far as it arrived.
    append_new_bytes(sessions, name, (&mut at, &mut arrived), &mut gathered).await?;
    ended.map(|()| (arrived, at))
}

/// Stores those of the bytes that are new.
async fn append_new_bytes(
    sessions: &dyn UploadSessions,
    name: &str,
    (at, arrived): (&mut u64, &mut u64),
    gathered: &mut BytesMut,
) -> Result<(), Error> {
    let piece = gathered.split().freeze();
    let end_offset = *at + piece.len() as u64;
    // Others may send the same bytes concurrently, some of which are stored already.
    while end_offset > *arrived {
        let known = usize::try_from(*arrived - *at).unwrap_or(usize::MAX).min(piece.len());
        let kept = sessions.append(name, *arrived, piece.slice(known..)).await?;
        if kept <= *arrived {
            break;
        }
        *arrived = kept;
    }
    *at = end_offset;
    Ok(())
}

/// Creates the response that requests more chunks.
fn incomplete_response(arrived: u64) -> Response<Body> {
    let mut response = empty_response(StatusCode::PERMANENT_REDIRECT);
    if let Some(last) = arrived.checked_sub(1)
        && let Ok(range) = HeaderValue::from_str(&format!("bytes=0-{last}"))
    {
        response.headers_mut().insert(header::RANGE, range);
    }
    response
}

/// Creates a response with a status and without a body.
fn empty_response(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

impl Session {
    /// Restores the request that started the upload.
    pub(crate) fn restore_request(&self, mut parts: Parts, method: &str) -> Result<Parts, Error> {
        parts.uri = self.target.parse::<Uri>().map_err(Error::internal)?;
        let unsupported = |_| Error::new(StatusCode::NOT_IMPLEMENTED, "unsupported method of the upload");
        parts.method = method.parse().map_err(unsupported)?;
        parts.headers = self.headers.clone();
        Ok(parts)
    }
}
