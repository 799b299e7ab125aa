//! Chunks of resumable uploads.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri, header};

use super::media::{check, too_long};
use wireform_runtime::operation::Api;

use super::{Media, Session, UploadRoute, UploadSessions, address, upload_id};
use crate::auth::Principal;
use crate::error::{At, Error};
use crate::limits::{Limits, RequestBody, next};

/// Range of a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Chunk {
    /// No bytes: the client queries the progress.
    None { total: Option<u64> },
    /// Bytes from `first` on.
    Bytes { first: u64, last: Option<u64>, total: Option<u64> },
}

impl Chunk {
    /// Parses `Content-Range` (RFC 9110, section 14.4); without it, a body is the whole upload.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Error> {
        let Some(range) = headers.get(header::CONTENT_RANGE) else {
            let length = headers.get(header::CONTENT_LENGTH).and_then(|length| number(length.to_str().ok()?));
            return Ok(Self::Bytes { first: 0, last: None, total: length });
        };
        let read = || {
            let (part, total) = range.to_str().ok()?.strip_prefix("bytes ")?.trim_ascii().split_once('/')?;
            let total = if total == "*" { None } else { Some(number(total)?) };
            if part == "*" {
                return Some(Self::None { total });
            }
            let (first, last) = part.split_once('-')?;
            let (first, last) = (number(first)?, number(last)?);
            let fits = first <= last && total.is_none_or(|total| last < total);
            fits.then_some(Self::Bytes { first, last: Some(last), total })
        };
        read().ok_or_else(|| {
            let error = Error::bad_request("the range must be `bytes 0-42/100`, `bytes 0-42/*` or `bytes */100`");
            error.at(At::Header("Content-Range".into()))
        })
    }

    /// Returns whether the range is the whole upload, because none is declared.
    const fn is_whole(&self) -> bool {
        matches!(self, Self::Bytes { last: None, .. })
    }

    const fn total(&self) -> Option<u64> {
        match self {
            Self::None { total } | Self::Bytes { total, .. } => *total,
        }
    }
}

/// Parses a number of digits: `parse` would accept a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Outcome of a chunk.
pub(crate) enum ChunkOutcome {
    /// The response is known: a request for more chunks, or the stored one.
    Response(Response<Body>),
    /// The upload is complete and can be processed.
    Complete(Box<Session>, Media),
}

/// Request that starts a resumable upload.
pub(crate) struct Begin<'a> {
    pub(crate) upload_route: UploadRoute,
    pub(crate) api: &'static Api,
    pub(crate) operation: &'static str,
    pub(crate) parts: &'a Parts,
    /// Path and query, and headers, without credentials.
    pub(crate) kept: (String, HeaderMap),
    pub(crate) body: Bytes,
    pub(crate) principal: &'a Principal,
    /// Public base URL, if it is configured.
    pub(crate) public: Option<&'a str>,
}

/// Starts a resumable upload: the response has the URL for the chunks.
pub(crate) async fn start(
    sessions: &dyn UploadSessions,
    begin: Begin<'_>,
    limits: &Limits,
) -> Result<Response<Body>, Error> {
    let Begin { upload_route, api, operation, parts, kept: (target, headers), body, principal, public } = begin;
    let said = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let length = match said("x-upload-content-length") {
        Some(length) => Some(number(length).ok_or_else(|| {
            Error::bad_request("must be a number of bytes").at(At::Header("X-Upload-Content-Length".into()))
        })?),
        None => None,
    };
    let media_type = said("x-upload-content-type").unwrap_or("application/octet-stream");
    check(media_type, length, upload_route.media, limits)?;
    let session = Session {
        operation,
        subject: principal.subject().to_owned(),
        target,
        headers,
        body,
        content_type: media_type.to_owned(),
        length,
        arrived: 0,
        answer: None,
    };
    let name = sessions.begin(session).await?;
    let mut response = Response::new(Body::empty());
    let address = address::of_session(api, parts, public, &upload_id(upload_route, &name));
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
        return Ok(ChunkOutcome::Response(status(StatusCode::NO_CONTENT)));
    }
    if let Some(answer) = session.answer {
        let mut response = Response::new(Body::from(answer.body));
        (*response.status_mut(), *response.headers_mut()) = (answer.status, answer.headers);
        return Ok(ChunkOutcome::Response(response));
    }
    let piece = Chunk::of(&parts.headers)?;
    let mut total = piece.total().or(session.length);
    check(&session.content_type, total, upload_route.media, limits)?;
    check_length(&session, total, &piece)?;
    if let (None, Some(length), false) = (session.length, total, piece.is_whole()) {
        sessions.announce(name, length).await?;
    }
    if let Chunk::Bytes { first, last, .. } = piece {
        let most = upload_route.media.max_bytes.map_or(limits.media_bytes, |most| most.min(limits.media_bytes));
        let end = last.map_or(total.unwrap_or(most), |last| last.saturating_add(1));
        let (arrived, behind) =
            append(&**sessions, name, (first, session.arrived, end.min(most)), body, limits).await?;
        session.arrived = arrived;
        if piece.is_whole() {
            // If the length is unknown, the end of the chunk determines it.
            total = total.or(Some(behind)).filter(|total| *total == behind);
        }
    }
    if total == Some(session.arrived) {
        session.length = total;
        if let Some(media) = sessions.take(name).await? {
            return Ok(ChunkOutcome::Complete(Box::new(session), media));
        }
    }
    Ok(ChunkOutcome::Response(incomplete(session.arrived)))
}

/// Checks that the length that a chunk declares is consistent with the upload, and with the bytes that have arrived.
fn check_length(session: &Session, total: Option<u64>, piece: &Chunk) -> Result<(), Error> {
    let wrong = |message| Err(Error::bad_request(message).at(At::Header("Content-Range".into())));
    match (session.length, total) {
        (Some(length), Some(total)) if length != total => {
            wrong("the total length differs from that at the start of the upload")
        }
        (_, Some(total)) if session.arrived > total && !piece.is_whole() => {
            wrong("the server has received more bytes than that")
        }
        _ => Ok(()),
    }
}

/// Number of bytes that are stored at once: small chunks are combined, because each has an overhead.
const AT_ONCE: usize = 64 << 10;

/// Stores the new bytes of a body; a body that starts after a gap is ignored. Returns the number of stored bytes, and
/// the offset at which the body ends.
async fn append(
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
        let piece = match next(&mut body, limits).await {
            Ok(Some(piece)) => piece,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let behind = at + gathered.len() as u64 + piece.len() as u64;
        if behind > end {
            break Err(too_long(end));
        }
        gathered.extend_from_slice(&piece);
        if gathered.len() >= AT_ONCE {
            keep(sessions, name, (&mut at, &mut arrived), &mut gathered).await?;
            if at > arrived {
                // Others have sent the rest, and it is being processed.
                return Ok((arrived, at));
            }
        }
    };
    // A body that breaks off is stored as far as it arrived.
    keep(sessions, name, (&mut at, &mut arrived), &mut gathered).await?;
    ended.map(|()| (arrived, at))
}

/// Stores those of the bytes that are new.
async fn keep(
    sessions: &dyn UploadSessions,
    name: &str,
    (at, arrived): (&mut u64, &mut u64),
    gathered: &mut BytesMut,
) -> Result<(), Error> {
    let piece = gathered.split().freeze();
    let behind = *at + piece.len() as u64;
    // Others may send the same bytes concurrently, some of which are stored already.
    while behind > *arrived {
        let known = usize::try_from(*arrived - *at).unwrap_or(usize::MAX).min(piece.len());
        let kept = sessions.append(name, *arrived, piece.slice(known..)).await?;
        if kept <= *arrived {
            break;
        }
        *arrived = kept;
    }
    *at = behind;
    Ok(())
}

/// Creates the response that requests more chunks.
fn incomplete(arrived: u64) -> Response<Body> {
    let mut response = status(StatusCode::PERMANENT_REDIRECT);
    if let Some(last) = arrived.checked_sub(1)
        && let Ok(range) = HeaderValue::from_str(&format!("bytes=0-{last}"))
    {
        response.headers_mut().insert(header::RANGE, range);
    }
    response
}

fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

impl Session {
    /// Restores the request that started the upload.
    pub(crate) fn restored(&self, mut parts: Parts, method: &str) -> Result<Parts, Error> {
        parts.uri = self.target.parse::<Uri>().map_err(Error::internal)?;
        parts.method = method.parse().map_err(|_| Error::not_implemented("of that method"))?;
        parts.headers = self.headers.clone();
        Ok(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_part_a_piece_is() {
        let read = |text: &'static str| {
            let headers = [(header::CONTENT_RANGE, HeaderValue::from_static(text))];
            Chunk::of(&headers.into_iter().collect()).ok()
        };
        let bytes = |first, last, total| Some(Chunk::Bytes { first, last: Some(last), total });
        assert_eq!(read("bytes 0-42/43"), bytes(0, 42, Some(43)));
        assert_eq!(read("bytes 5-5/*"), bytes(5, 5, None));
        assert_eq!(read("bytes */100"), Some(Chunk::None { total: Some(100) }));
        assert_eq!(read("bytes */*"), Some(Chunk::None { total: None }));
        for wrong in
            ["", "bytes", "bytes 5-4/9", "bytes 0-9/9", "bytes 0-/9", "bytes -1-2/3", "bytes=0-1/2", "bytes 0-1"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let whole = [(header::CONTENT_LENGTH, HeaderValue::from_static("7"))].into_iter().collect();
        assert_eq!(Chunk::of(&whole).ok(), Some(Chunk::Bytes { first: 0, last: None, total: Some(7) }));
    }
}
