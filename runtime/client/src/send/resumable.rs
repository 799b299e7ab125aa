//! Resumable uploads: a request starts a session, whose URL accepts chunks and reports how many bytes have arrived. An
//! upload that breaks off continues from there.

mod session;

use std::sync::Arc;

use bytes::Bytes;
use http::Uri;
use http::header::{self, HeaderMap};
use http::uri::Scheme;
use tracing::{Instrument as _, Span};

use super::message::EncodedRequest;
use super::redirect;
use super::response::SuccessResponse;
use super::retry_loop::RetryLoop;
use super::{Exchange, OutgoingRequest, SendError, UndecodedResponse};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::media::{ChunkReader, Progress};
use crate::observe::{CallObservation, span};
use session::Session;

/// Maximum number of sessions of an upload: a lost session is replaced.
const MAX_SESSIONS: u32 = 3;

/// Resumable upload.
pub(crate) struct ResumableUpload {
    pub(crate) reader: ChunkReader,
    /// Size of a chunk in bytes.
    pub(crate) chunk_bytes: usize,
    pub(crate) progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
    /// True if the body of the last response is ignored; that of the first response always is.
    pub(crate) ignores_body: bool,
}

/// Sends media in chunks. `begin` starts a session. Nothing happens before the future is polled.
pub(crate) fn upload_resumable(
    client: Client,
    begin: OutgoingRequest,
    upload: ResumableUpload,
) -> Exchange<UndecodedResponse> {
    let span = span(begin.operation);
    Box::pin(upload_observed(client, begin, upload, span.clone()).instrument(span))
}

/// Sends the media as [`upload_resumable`] does, and records the call in the metrics.
async fn upload_observed(
    client: Client,
    mut begin: OutgoingRequest,
    mut upload: ResumableUpload,
    span: Span,
) -> Result<UndecodedResponse, Error<Bytes>> {
    let mut watch = CallObservation::new(client.inner.metrics.clone(), begin.operation, span);
    #[cfg(feature = "validation")]
    if let Some(violations) = begin.invalid.take() {
        return Err(watch.fail(ErrorKind::Invalid(violations)));
    }
    match send_in_sessions(&client, &mut begin, &mut upload, &mut watch).await {
        Ok(response) => {
            watch.record_sent(upload.reader.end_offset());
            Ok(UndecodedResponse::new(response, watch))
        }
        Err(failed) => Err(watch.fail(*failed)),
    }
}

/// Sends the media, from the start again if a session is lost.
async fn send_in_sessions(
    client: &Client,
    begin: &mut OutgoingRequest,
    upload: &mut ResumableUpload,
    watch: &mut CallObservation,
) -> Result<SuccessResponse, SendError> {
    let message = EncodedRequest::new(&client.inner, begin)?;
    let mut left = MAX_SESSIONS;
    loop {
        let begun = RetryLoop::new(&client.inner, begin, &message).run(watch).await?;
        let address = session_url(message.uri(), begun.headers())?;
        let session = Session::new(client, begin, &message, address, upload);
        match session.send(watch).await {
            Err(failed) if left > 1 && is_session_lost(&failed) => {
                left -= 1;
                upload.reader.resume_at(0).map_err(ErrorKind::Media)?;
            }
            ended => return ended,
        }
    }
}

/// Returns whether the server does not know the session any more.
fn is_session_lost(failed: &SendError) -> bool {
    matches!(&**failed, ErrorKind::Status(response) if matches!(response.status, 404 | 410))
}

/// Returns the URL of the session. Tokens are sent to it, so it must have the origin of the API.
fn session_url(from: &Uri, headers: &HeaderMap) -> Result<Uri, SendError> {
    let refuse = |what: &str| ErrorKind::Protocol(format!("the server started an upload, but {what}"));
    let Some(location) = headers.get(header::LOCATION) else {
        return Err(refuse("returned no upload URL").into());
    };
    let Ok(text) = std::str::from_utf8(location.as_bytes()) else {
        return Err(refuse("the upload URL has another origin").into());
    };
    // A server behind a TLS-terminating proxy may not know that the client uses https.
    let encrypted = text.strip_prefix("http:").filter(|_| from.scheme() == Some(&Scheme::HTTPS));
    let address = match encrypted {
        Some(rest) => redirect::resolve_same_origin(from, &format!("https:{rest}")),
        None => redirect::resolve_same_origin(from, text),
    };
    Ok(address.ok_or_else(|| refuse("the upload URL has another origin"))?)
}
