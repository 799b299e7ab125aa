//! Chunked reading of media, which keeps only those bytes whose arrival is not confirmed.

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;

use super::{Media, MediaError, MediaErrorKind, Pieces};

/// Reader of media in chunks.
pub(crate) struct Reader {
    media: Media,
    limit: Option<u64>,
    pieces: Option<Pieces>,
    /// Next chunk to be sent.
    chunk: Bytes,
    /// Offset of the chunk.
    at: u64,
    /// Bytes after the chunk that were read already.
    ahead: Bytes,
    /// True if the media end after what was read.
    ended: bool,
}

impl Reader {
    /// Creates a reader at the first byte; `limit` is the maximum size of the media in bytes.
    pub(crate) fn new(media: Media, limit: Option<u64>) -> Self {
        Self { media, limit, pieces: None, chunk: Bytes::new(), at: 0, ahead: Bytes::new(), ended: false }
    }

    /// Returns the media.
    pub(crate) fn media(&self) -> &Media {
        &self.media
    }

    /// Returns the offset of the chunk.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the offset after the chunk.
    pub(crate) fn end(&self) -> u64 {
        self.at + self.chunk.len() as u64
    }

    /// Returns the total number of bytes, if it is known.
    pub(crate) fn total(&self) -> Option<u64> {
        if self.ended && self.ahead.is_empty() { Some(self.end()) } else { self.media.length() }
    }

    /// Reads the chunk at the current offset: `size` bytes, or fewer at the end of the media. The reader knows
    /// afterwards whether it is the last one.
    pub(crate) async fn fill(&mut self, size: usize) -> Result<Bytes, MediaError> {
        if self.chunk.len() < size && !(self.ended && self.ahead.is_empty()) {
            let mut gathered = BytesMut::new();
            let mut whole = std::mem::take(&mut self.chunk);
            loop {
                let piece = self.ahead.split_to(self.ahead.len().min(size - whole.len() - gathered.len()));
                // A chunk that arrives in one piece is not copied.
                if whole.is_empty() && gathered.is_empty() {
                    whole = piece;
                } else {
                    if !whole.is_empty() {
                        gathered.extend_from_slice(&std::mem::take(&mut whole));
                    }
                    gathered.extend_from_slice(&piece);
                }
                let more = self.ahead.is_empty() && !self.read_ahead().await?;
                if more || whole.len() + gathered.len() >= size {
                    break;
                }
            }
            self.chunk = if gathered.is_empty() { whole } else { gathered.freeze() };
        }
        self.check_length()?;
        Ok(self.chunk.clone())
    }

    /// Reads the next piece. Returns whether there is one.
    async fn read_ahead(&mut self) -> Result<bool, MediaError> {
        if self.ended {
            return Ok(false);
        }
        if self.pieces.is_none() {
            self.pieces = self.media.pieces(self.at);
        }
        let Some(pieces) = &mut self.pieces else { return Err(MediaError::new(MediaErrorKind::ReadOnce)) };
        while let Some(piece) = pieces.next().await {
            self.ahead = piece.map_err(MediaError::unreadable)?;
            if !self.ahead.is_empty() {
                return Ok(true);
            }
        }
        self.ended = true;
        Ok(false)
    }

    fn check_length(&self) -> Result<(), MediaError> {
        let seen = self.end() + self.ahead.len() as u64;
        if let Some(limit) = self.limit.filter(|limit| seen > *limit) {
            return Err(MediaError::new(MediaErrorKind::TooLong { limit }));
        }
        match self.media.length() {
            Some(said) if seen > said || self.ended && seen < said => {
                Err(MediaError::new(MediaErrorKind::OtherLength { said }))
            }
            _ => Ok(()),
        }
    }

    /// Continues at an offset: the bytes before it have arrived, those after it have not.
    ///
    /// # Errors
    /// Returns an error if the offset is before the bytes that are kept, and cannot read the media again.
    pub(crate) fn go_on(&mut self, from: u64) -> Result<(), MediaError> {
        if from < self.at {
            let Some(pieces) = self.media.pieces(from) else {
                return Err(MediaError::new(MediaErrorKind::ReadOnce));
            };
            self.pieces = Some(pieces);
            self.chunk = Bytes::new();
            self.ahead = Bytes::new();
            self.ended = false;
        } else {
            let arrived = usize::try_from(from - self.at).unwrap_or(usize::MAX).min(self.chunk.len());
            self.chunk = self.chunk.slice(arrived..);
        }
        self.at = from;
        Ok(())
    }
}
