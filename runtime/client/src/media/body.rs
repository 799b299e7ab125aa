//! Media as the body of a single request.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};

use super::{ByteStream, Media, MediaError, MediaErrorKind, RelatedBody};
use crate::transport::{BoxError, RequestBody};

/// Body made of media, with the bytes before and after them.
pub(crate) struct MediaBody {
    media: Mutex<Media>,
    related: Option<RelatedBody>,
    content_type: String,
    length: Option<u64>,
    repeatable: bool,
    limit: Option<u64>,
    /// Error of reading the media: a transport only reports that the body broke off.
    read_error: Arc<Mutex<Option<MediaError>>>,
}

impl MediaBody {
    /// Creates a body of the media alone, or as the second of two parts; `limit` is the maximum size of the media in
    /// bytes.
    pub(crate) fn new(media: Media, related: Option<RelatedBody>, limit: Option<u64>) -> Self {
        let around = related.as_ref().map_or(0, |related| related.prefix.len() + related.suffix.len());
        let content_type = related.as_ref().map_or_else(|| media.content_type(), |related| &related.content_type);
        Self {
            content_type: content_type.to_owned(),
            length: media.length().map(|length| length + around as u64),
            repeatable: media.is_repeatable(),
            media: Mutex::new(media),
            related,
            limit,
            read_error: Arc::default(),
        }
    }

    /// Returns the content type of the body.
    pub(crate) fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Returns the length of the body in bytes, if it is known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns whether the body can be sent again.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.repeatable
    }

    /// Returns the body.
    pub(crate) fn body(&self) -> Result<RequestBody, MediaError> {
        let (pieces, declared) = {
            let mut media = lock(&self.media);
            let declared = media.length();
            (media.open_at(0).ok_or_else(|| MediaError::new(MediaErrorKind::ReadOnce))?, declared)
        };
        let checked = LengthChecked {
            stream: pieces,
            seen: 0,
            declared,
            limit: self.limit,
            read_error: Arc::clone(&self.read_error),
        };
        let media = stream::unfold(Some(checked), |checked| async { checked?.next().await });
        let (before, after) = self.related.as_ref().map(|it| (it.prefix.clone(), it.suffix.clone())).unzip();
        let fixed = |piece: Option<Bytes>| stream::iter(piece.map(Ok::<_, BoxError>));
        Ok(RequestBody::new(fixed(before).chain(media).chain(fixed(after)), self.length))
    }

    /// Takes the error of reading the media.
    pub(crate) fn take_error(&self) -> Option<MediaError> {
        lock(&self.read_error).take()
    }
}

/// Media whose length is checked against the declared one.
struct LengthChecked {
    stream: ByteStream,
    seen: u64,
    declared: Option<u64>,
    limit: Option<u64>,
    read_error: Arc<Mutex<Option<MediaError>>>,
}

impl LengthChecked {
    async fn next(mut self) -> Option<(Result<Bytes, BoxError>, Option<Self>)> {
        let failed = match self.stream.next().await {
            Some(Ok(piece)) => {
                self.seen += piece.len() as u64;
                let too_long = self.limit.filter(|limit| self.seen > *limit);
                match (too_long, self.declared) {
                    (Some(limit), _) => MediaError::new(MediaErrorKind::TooLong { limit }),
                    (None, Some(declared)) if self.seen > declared => {
                        MediaError::new(MediaErrorKind::LengthMismatch { declared })
                    }
                    _ => return Some((Ok(piece), Some(self))),
                }
            }
            Some(Err(cause)) => MediaError::unreadable(cause),
            None => match self.declared.filter(|declared| self.seen < *declared) {
                Some(declared) => MediaError::new(MediaErrorKind::LengthMismatch { declared }),
                None => return None,
            },
        };
        *lock(&self.read_error) = Some(failed);
        Some((Err("unexpected end of the media".into()), None))
    }
}

/// Locks a mutex. A panic while it is held leaves no inconsistent state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
