//! Streaming of large messages in chunks.

use std::ops::Range;
use std::sync::Arc;

use futures_util::{Stream, stream};
use mailbox_server::Error;
use mailbox_server::runtime::axum::body::Bytes;
use mailbox_server::runtime::{ResponseStreams, wireform_runtime};
use tokio::sync::Mutex;
use wireform_store::{Mailbox, MessageId, Store};

use crate::error;
use crate::mail::{Decoder, PartData};

/// Number of bytes read at once: the chunk size of the store.
pub(crate) const CHUNK_SIZE: usize = 512 << 10;

/// Memory of a response that streams a message: the chunk, its decoded form, and the send buffer.
pub(crate) const STREAM_MEMORY: u64 = 2 * CHUNK_SIZE as u64 + (512 << 10);

/// Reader of a message in chunks. Clones share the last chunk, because parts are consecutive.
pub(crate) struct MessageReader<S> {
    store: S,
    of: Mailbox,
    id: MessageId,
    last: Arc<Mutex<(u64, Bytes)>>,
}

impl<S: Store> Clone for MessageReader<S> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone(), of: self.of, id: self.id, last: Arc::clone(&self.last) }
    }
}

impl<S: Store> MessageReader<S> {
    pub(crate) fn new(store: &S, of: Mailbox, id: MessageId) -> Self {
        Self { store: store.clone(), of, id, last: Arc::default() }
    }

    /// Drops the last chunk.
    pub(crate) fn reset(self) -> Self {
        Self { last: Arc::default(), ..self }
    }

    /// Reads some bytes starting at `from`, up to `end`.
    pub(crate) async fn read(&self, from: u64, end: u64) -> Result<Bytes, Error> {
        let mut last = self.last.lock().await;
        let within = |(start, chunk): &(u64, Bytes)| {
            let skipped = usize::try_from(from.checked_sub(*start)?).ok().filter(|skipped| *skipped < chunk.len())?;
            Some(chunk.slice(skipped..))
        };
        let chunk = match within(&last) {
            Some(chunk) => chunk,
            None => {
                // Frees the previous chunk first.
                last.1 = Bytes::new();
                let read =
                    self.store.message_part(self.of, self.id, from, CHUNK_SIZE).await.map_err(error::from_store)?;
                *last = (from, read.into());
                last.1.clone()
            }
        };
        let most = usize::try_from(end.saturating_sub(from)).unwrap_or(usize::MAX).min(chunk.len());
        Ok(chunk.slice(..most))
    }

    /// Reads the whole message, for which memory must be available.
    pub(crate) async fn whole(&self, size: u64) -> Result<Vec<u8>, Error> {
        let mut whole = Vec::new();
        whole.reserve_exact(usize::try_from(size).unwrap_or_default());
        while (whole.len() as u64) < size {
            let chunk = self.store.message_part(self.of, self.id, whole.len() as u64, CHUNK_SIZE).await;
            let chunk = chunk.map_err(error::from_store)?;
            if chunk.is_empty() {
                return Err(Error::internal("a stored message is shorter than its recorded size"));
            }
            whole.extend_from_slice(&chunk);
        }
        Ok(whole)
    }

    /// Returns a field with a part of the message that is streamed in the response.
    pub(crate) fn stream(&self, streams: &ResponseStreams, part: PartData) -> wireform_runtime::Bytes {
        let PartData { range, decoder, length } = part;
        streams.add(length, self.clone().chunks(range, decoder))
    }

    /// Returns the decoded bytes of a range in chunks, which are read when they are needed.
    fn chunks(self, range: Range<u64>, decoder: Decoder) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
        stream::try_unfold((self, range, decoder), |(reader, mut range, mut decoder)| async move {
            if range.is_empty() {
                return Ok(None);
            }
            let chunk = reader.read(range.start, range.end).await?;
            if chunk.is_empty() {
                return Err(Error::internal("a stored message is shorter than its recorded size"));
            }
            range.start += chunk.len() as u64;
            let data = match &mut decoder {
                Decoder::None => chunk,
                decoder => decoder.push(&chunk, range.is_empty()).into(),
            };
            Ok(Some((data, (reader, range, decoder))))
        })
    }
}
