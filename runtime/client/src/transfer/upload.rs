//! Calls that upload media.

use std::fmt;
use std::sync::Arc;

use http::HeaderName;
use wireform_runtime::operation::{Role, UploadEndpoint};
use wireform_runtime::{Request, RequestError, Upload, WireBody, WireRequest};

use crate::call::{Call, ReplyFuture, SendFuture, erase_request, reply_future};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::media::{ChunkReader, Media, MediaBody, MediaError, MediaErrorKind, Progress, Protocol, related_body};
use crate::options::CallOptions;
use crate::send::{Exchange, Extras, OutgoingRequest, ResumableUpload, UndecodedResponse, dispatch, upload_resumable};

/// Size in bytes of which all chunks but the last are a multiple.
const CHUNK_ALIGNMENT: usize = 256 * 1024;

/// Default size of a chunk in bytes, which is kept in memory.
const DEFAULT_CHUNK_BYTES: usize = 8 * 1024 * 1024;

/// Maximum number of bytes that are uploaded as a single request if both protocols are available: sending them again
/// costs little more than querying the progress.
const MAX_SINGLE_REQUEST_BYTES: u64 = 5 * 1024 * 1024;

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
    chunk_bytes: usize,
    progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl<R: Upload> Call<R> {
    /// Adds media, which are uploaded with the request.
    pub fn upload(self, media: Media) -> UploadCall<R> {
        let (client, request, options) = self.into_parts();
        UploadCall { client, request, options, media, protocol: None, chunk_bytes: DEFAULT_CHUNK_BYTES, progress: None }
    }
}

impl<R: Request> Call<R> {
    /// Sends media as a body that is not JSON, as a stream, and returns the value of the response.
    pub fn send_media(self, media: Media) -> SendFuture<R> {
        let (client, request, options) = self.into_parts();
        let names = client.naming();
        let mut begun = erase_request(&client, request, options, None, &|request: &R| request.to_wire(names));
        begun.extras.media = Some(Arc::new(MediaBody::new(media, None, None)));
        reply_future(client, |client| dispatch(client, begun)).into_value_future()
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
        self.chunk_bytes = bytes.max(1).div_ceil(CHUNK_ALIGNMENT).saturating_mul(CHUNK_ALIGNMENT);
        self
    }

    /// Sets a callback for progress that the server confirms during an upload in chunks. It should return quickly.
    pub fn on_progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Sends the request and the media and returns the value of the response.
    pub fn send(self) -> SendFuture<R> {
        self.perform().into_value_future()
    }

    /// Sends the request and the media and returns the response.
    pub fn perform(self) -> ReplyFuture<R> {
        let client = self.client.clone();
        reply_future(client, |client| match self.prepare() {
            Ok((outgoing, None)) => dispatch(client, outgoing),
            Ok((outgoing, Some(upload))) => upload_resumable(client, outgoing, upload),
            Err(failed) => media_error_future::<R>(*failed),
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

    /// Encodes the request with its media, or the request that starts a resumable upload, separate from its media.
    fn prepare(self) -> Result<(OutgoingRequest, Option<ResumableUpload>), Box<MediaError>> {
        check_media::<R>(&self.media)?;
        let (protocol, way) = self.select_endpoint()?;
        let Self { client, request, options, media, chunk_bytes: chunk, progress, .. } = self;
        let names = client.naming();
        let write = |request: &R| -> Result<WireRequest, RequestError> { request.to_wire_with_media(names, way) };
        let parameter = R::API.parameter(Role::UploadType).map(|parameter| parameter.name.name_in(names));
        let kind = |value| parameter.into_iter().map(|name| (name, value)).collect();
        let mut begun = erase_request(&client, request, options, None, &write);
        let limit = R::MEDIA.max_bytes;
        let wire = begun.wire.as_mut().ok();
        if protocol == Protocol::Resumable {
            let mut headers = vec![(HeaderName::from_static("x-upload-content-type"), media.content_type().to_owned())];
            let length = media.length().map(|length| length.to_string());
            headers.extend(length.map(|length| (HeaderName::from_static("x-upload-content-length"), length)));
            let query = kind(R::API.role_values.resumable);
            // An unused session has no effect, so the request that starts it may be repeated.
            begun.extras = Extras { query, headers, repeatable: true, ..Extras::default() };
            begun.ignores_body = true;
            let reader = ChunkReader::new(media, limit);
            let upload =
                ResumableUpload { reader, chunk_bytes: chunk, progress, ignores_body: R::Response::ALLOWS_EMPTY };
            return Ok((begun, Some(upload)));
        }
        let json = wire.and_then(|wire| wire.body.take());
        let parts = json.map(|json| related_body(begun.content_type, &json, media.content_type()));
        let value = if parts.is_some() { R::API.role_values.multipart } else { R::API.role_values.simple };
        let sent = Some(Arc::new(MediaBody::new(media, parts, limit)));
        begun.extras = Extras { query: kind(value), media: sent, ..Extras::default() };
        Ok((begun, None))
    }

    /// Returns the requested protocol, or the best one that the operation supports.
    fn select_endpoint(&self) -> Result<(Protocol, &'static UploadEndpoint), Box<MediaError>> {
        let simple = R::MEDIA.simple.as_ref().filter(|way| way.multipart || !self.has_body());
        // A transport of typed requests handles single requests, not sessions.
        let typed = self.client.inner.transport.wants_typed();
        let at_once = typed || self.media.length().is_some_and(|length| length <= MAX_SINGLE_REQUEST_BYTES);
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
        let missing =
            || MediaError::new(MediaErrorKind::UnsupportedProtocol(self.protocol.unwrap_or(Protocol::Simple)));
        way.ok_or_else(|| Box::new(missing()))
    }

    /// Returns whether the request encodes to a body besides the media.
    fn has_body(&self) -> bool {
        self.request.to_wire(self.client.naming()).is_ok_and(|wire| wire.body.is_some())
    }
}

/// Checks the type and the size of the media.
fn check_media<R: Upload>(media: &Media) -> Result<(), Box<MediaError>> {
    let taken = R::MEDIA.types;
    let refuse = |kind| Err(Box::new(MediaError::new(kind)));
    if !wireform_runtime::media::is_accepted(media.content_type(), taken) {
        return refuse(MediaErrorKind::UnsupportedType {
            content_type: media.content_type().to_owned(),
            accepted: taken,
        });
    }
    match R::MEDIA.max_bytes.filter(|limit| media.length().is_some_and(|length| length > *limit)) {
        Some(limit) => refuse(MediaErrorKind::TooLong { limit }),
        None => Ok(()),
    }
}

/// Returns a future that is ready with an error of the media.
fn media_error_future<R: Upload>(failed: MediaError) -> Exchange<UndecodedResponse> {
    Box::pin(std::future::ready(Err(Error::new(R::OPERATION, ErrorKind::Media(failed)))))
}

/// Awaiting a call sends it: `.await` is short for `.send().await`.
impl<R: Upload> IntoFuture for UploadCall<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;
    type IntoFuture = SendFuture<R>;

    fn into_future(self) -> SendFuture<R> {
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
