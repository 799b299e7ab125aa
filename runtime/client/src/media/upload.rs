//! Calls that upload media.

use std::fmt;
use std::sync::Arc;

use http::HeaderName;
use wireform_runtime::operation::{Role, UploadWay};
use wireform_runtime::{Answer, Request, RequestError, Upload, WireRequest};

use super::{Media, MediaError, MediaErrorKind, Reader, Sent, related};
use crate::call::{Call, Performing, Sending, outgoing, performing};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::options::CallOptions;
use crate::send::{Exchange, Extras, Outgoing, Resumable, UndecodedResponse, dispatch, resumable};

/// Size in bytes of which all chunks but the last are a multiple.
const GRAIN: usize = 256 * 1024;

/// Default size of a chunk in bytes, which is kept in memory.
const CHUNK: usize = 8 * 1024 * 1024;

/// Maximum number of bytes that are uploaded as a single request if both protocols are available: sending them again
/// costs little more than querying the progress.
const AT_ONCE: u64 = 5 * 1024 * 1024;

/// Upload protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// One request; the JSON body of the operation is the first part of a `multipart/related`.
    Simple,
    /// Chunks, of which those that have not arrived are sent again.
    Resumable,
}

impl Protocol {
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Simple => "media in one request together with this body",
            Self::Resumable => "media in pieces",
        }
    }
}

/// Progress of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of bytes that have arrived.
    pub arrived: u64,
    /// Total number of bytes, if it is known.
    pub total: Option<u64>,
}

/// Call that uploads media.
///
/// Unless [`protocol`](Self::protocol) is set, media of more than 5 MiB or of unknown length are uploaded in chunks if
/// the operation supports that.
#[must_use = "a call does nothing until it is sent"]
pub struct UploadCall<R: Upload> {
    client: Client,
    request: R,
    options: CallOptions,
    media: Media,
    protocol: Option<Protocol>,
    chunk: usize,
    progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl<R: Upload> Call<R> {
    /// Adds media to the request.
    pub fn upload(self, media: Media) -> UploadCall<R> {
        let (client, request, options) = self.into_parts();
        UploadCall { client, request, options, media, protocol: None, chunk: CHUNK, progress: None }
    }
}

impl<R: Request> Call<R> {
    /// Sends media as a body that is not JSON, as a stream, and returns the value of the response.
    pub fn send_media(self, media: Media) -> Sending<R> {
        let (client, request, options) = self.into_parts();
        let names = client.names();
        let mut begun = outgoing(&client, request, options, None, &|request: &R| request.to_wire(names));
        begun.extras.media = Some(Arc::new(Sent::new(media, None, None)));
        performing(client, |client| dispatch(client, begun)).value()
    }
}

impl<R: Upload> UploadCall<R> {
    /// Sets the upload protocol.
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.protocol = Some(protocol);
        self
    }

    /// Sets the size of a chunk in bytes, rounded up to a multiple of 256 KiB. The default is 8 MiB. One chunk is kept
    /// in memory at a time.
    pub fn chunk_bytes(mut self, bytes: usize) -> Self {
        self.chunk = bytes.max(1).div_ceil(GRAIN).saturating_mul(GRAIN);
        self
    }

    /// Sets a callback for progress that the server confirms during an upload in chunks. It should return quickly.
    pub fn on_progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Sends the request and the media and returns the value of the response.
    pub fn send(self) -> Sending<R> {
        self.perform().value()
    }

    /// Sends the request and the media and returns the response.
    pub fn perform(self) -> Performing<R> {
        let client = self.client.clone();
        performing(client, |client| match self.begin() {
            Ok((outgoing, None)) => dispatch(client, outgoing),
            Ok((outgoing, Some(upload))) => resumable(client, outgoing, upload),
            Err(failed) => refused::<R>(*failed),
        })
    }

    /// Sends the request and the media and blocks until the value of the response has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking(self) -> Result<R::Response, Error<R::ErrorBody>> {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }

    fn begin(self) -> Result<(Outgoing, Option<Resumable>), Box<MediaError>> {
        check::<R>(&self.media)?;
        let (protocol, way) = self.way()?;
        let Self { client, request, options, media, chunk, progress, .. } = self;
        let names = client.names();
        let write = |request: &R| -> Result<WireRequest, RequestError> { request.to_wire_with_media(names, way) };
        let parameter = R::API.parameter(Role::UploadType).map(|parameter| parameter.name.spelled(names));
        let kind = |value| parameter.into_iter().map(|name| (name, value)).collect();
        let mut begun = outgoing(&client, request, options, None, &write);
        let limit = R::MEDIA.max_bytes;
        let wire = begun.wire.as_mut().ok();
        if protocol == Protocol::Resumable {
            let mut headers = vec![(HeaderName::from_static("x-upload-content-type"), media.content_type().to_owned())];
            let length = media.length().map(|length| length.to_string());
            headers.extend(length.map(|length| (HeaderName::from_static("x-upload-content-length"), length)));
            let query = kind(R::API.values.resumable);
            // An unused session has no effect, so the request that starts it may be repeated.
            begun.extras = Extras { query, headers, repeatable: true, ..Extras::default() };
            begun.ignores_body = true;
            let reader = Reader::new(media, limit);
            let upload = Resumable { reader, chunk, progress, ignores_body: R::Response::EMPTY };
            return Ok((begun, Some(upload)));
        }
        let json = wire.and_then(|wire| wire.body.take());
        let parts = json.map(|json| related(begun.content_type, &json, media.content_type()));
        let value = if parts.is_some() { R::API.values.multipart } else { R::API.values.simple };
        let sent = Some(Arc::new(Sent::new(media, parts, limit)));
        begun.extras = Extras { query: kind(value), media: sent, ..Extras::default() };
        Ok((begun, None))
    }

    /// Returns the requested protocol, or the best one that the operation supports.
    fn way(&self) -> Result<(Protocol, &'static UploadWay), Box<MediaError>> {
        let simple = R::MEDIA.simple.as_ref().filter(|way| way.multipart || !self.has_body());
        // A transport of typed requests handles single requests, not sessions.
        let typed = self.client.inner.transport.wants_typed();
        let at_once = typed || self.media.length().is_some_and(|length| length <= AT_ONCE);
        let (simple, pieces) = (
            simple.map(|way| (Protocol::Simple, way)),
            R::MEDIA.resumable.as_ref().map(|way| (Protocol::Resumable, way)),
        );
        let way = match self.protocol {
            Some(Protocol::Simple) => simple,
            Some(Protocol::Resumable) if !typed => pieces,
            _ if at_once => simple.or(pieces),
            _ => pieces.or(simple),
        };
        let missing = || MediaError::new(MediaErrorKind::NoProtocol(self.protocol.unwrap_or(Protocol::Simple)));
        way.ok_or_else(|| Box::new(missing()))
    }

    fn has_body(&self) -> bool {
        self.request.to_wire(self.client.names()).is_ok_and(|wire| wire.body.is_some())
    }
}

/// Checks the type and the size of the media.
fn check<R: Upload>(media: &Media) -> Result<(), Box<MediaError>> {
    let taken = R::MEDIA.types;
    let refuse = |kind| Err(Box::new(MediaError::new(kind)));
    if !wireform_runtime::media::is_taken(media.content_type(), taken) {
        return refuse(MediaErrorKind::Type { content_type: media.content_type().to_owned(), taken });
    }
    match R::MEDIA.max_bytes.filter(|limit| media.length().is_some_and(|length| length > *limit)) {
        Some(limit) => refuse(MediaErrorKind::TooLong { limit }),
        None => Ok(()),
    }
}

fn refused<R: Upload>(failed: MediaError) -> Exchange<UndecodedResponse> {
    Box::pin(std::future::ready(Err(Error::new(R::OPERATION, ErrorKind::Media(failed)))))
}

/// Awaiting a call sends it: `.await` is short for `.send().await`.
impl<R: Upload> IntoFuture for UploadCall<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;
    type IntoFuture = Sending<R>;

    fn into_future(self) -> Sending<R> {
        self.send()
    }
}

impl<R: Upload> fmt::Debug for UploadCall<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UploadCall")
            .field("operation", &R::OPERATION.name)
            .field("request", &self.request)
            .field("media", &self.media)
            .field("protocol", &self.protocol)
            .finish_non_exhaustive()
    }
}
