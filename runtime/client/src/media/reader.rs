//! Chunked reading of media, which keeps only those bytes whose arrival is not confirmed.

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;

use super::{ByteStream, Media, MediaError, MediaErrorKind};

/// Reader of media in chunks.
pub(crate) struct ChunkReader {
    media: Media,
    limit: Option<u64>,
    stream: Option<ByteStream>,
    /// Next chunk to be sent.
    chunk: Bytes,
    /// Offset of the chunk.
    offset: u64,
    /// Bytes after the chunk that were read already.
    lookahead: Bytes,
    /// True if the media end after what was read.
    ended: bool,
}

impl ChunkReader {
    /// Creates a reader at the first byte; `limit` is the maximum size of the media in bytes.
    pub(crate) fn new(media: Media, limit: Option<u64>) -> Self {
        Self { media, limit, stream: None, chunk: Bytes::new(), offset: 0, lookahead: Bytes::new(), ended: false }
    }

    /// Returns the media.
    pub(crate) fn media(&self) -> &Media {
        &self.media
    }

    /// Returns the offset of the chunk.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the offset after the chunk.
    pub(crate) fn end_offset(&self) -> u64 {
        self.offset + self.chunk.len() as u64
    }

    /// Returns the total number of bytes, if it is known.
    pub(crate) fn total(&self) -> Option<u64> {
        if self.ended && self.lookahead.is_empty() { Some(self.end_offset()) } else { self.media.length() }
    }

    /// Reads the chunk at the current offset: `size` bytes, or fewer at the end of the media. The reader knows
    /// afterwards whether it is the last one.
    pub(crate) async fn read_chunk(&mut self, size: usize) -> Result<Bytes, MediaError> {
        if self.chunk.len() < size && !(self.ended && self.lookahead.is_empty()) {
            let mut gathered = BytesMut::new();
            let mut whole = std::mem::take(&mut self.chunk);
            loop {
                let piece = self.lookahead.split_to(self.lookahead.len().min(size - whole.len() - gathered.len()));
                // A chunk that arrives in one piece is not copied.
                if whole.is_empty() && gathered.is_empty() {
                    whole = piece;
                } else {
                    if !whole.is_empty() {
                        gathered.extend_from_slice(&std::mem::take(&mut whole));
                    }
                    gathered.extend_from_slice(&piece);
                }
                let more = self.lookahead.is_empty() && !self.read_ahead().await?;
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
        if self.stream.is_none() {
            self.stream = self.media.open_at(self.offset);
        }
        let Some(pieces) = &mut self.stream else { return Err(MediaError::new(MediaErrorKind::ReadOnce)) };
        while let Some(piece) = pieces.next().await {
            self.lookahead = piece.map_err(MediaError::unreadable)?;
            if !self.lookahead.is_empty() {
                return Ok(true);
            }
        }
        self.ended = true;
        Ok(false)
    }

    /// Checks the bytes read so far against the limit, and against the declared length of the media.
    fn check_length(&self) -> Result<(), MediaError> {
        let seen = self.end_offset() + self.lookahead.len() as u64;
        if let Some(limit) = self.limit.filter(|limit| seen > *limit) {
            return Err(MediaError::new(MediaErrorKind::TooLong { limit }));
        }
        match self.media.length() {
            Some(declared) if seen > declared || self.ended && seen < declared => {
                Err(MediaError::new(MediaErrorKind::LengthMismatch { declared }))
            }
            _ => Ok(()),
        }
    }

    /// Continues at an offset: the bytes before it have arrived, those after it have not.
    ///
    /// # Errors
    /// Returns an error if the offset is before the bytes that are kept, and cannot read the media again.
    pub(crate) fn resume_at(&mut self, from: u64) -> Result<(), MediaError> {
        if from < self.offset {
            let Some(pieces) = self.media.open_at(from) else {
                return Err(MediaError::new(MediaErrorKind::ReadOnce));
            };
            self.stream = Some(pieces);
            self.chunk = Bytes::new();
            self.lookahead = Bytes::new();
            self.ended = false;
        } else {
            let arrived = usize::try_from(from - self.offset).unwrap_or(usize::MAX).min(self.chunk.len());
            self.chunk = self.chunk.slice(arrived..);
        }
        self.offset = from;
        Ok(())
    }
}
