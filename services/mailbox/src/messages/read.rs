//! Large messages are read in pieces, while they are sent.

use std::ops::Range;
use std::sync::Arc;

use futures_util::{Stream, stream};
use mailbox_server::Error;
use mailbox_server::runtime::axum::body::Bytes;
use mailbox_server::runtime::{ResponseStreams, wireform_runtime};
use tokio::sync::Mutex;
use wireform_store::{Mailbox, MessageId, Store};

use crate::fault;
use crate::mail::{Decoder, PartData};

/// How many bytes are read at once: what the store keeps in one piece.
pub(super) const PIECE: usize = 512 << 10;

/// The memory that a response takes whose message is read in pieces: the piece, what is decoded of it, what waits for
/// being sent.
pub(super) const SENDING: u64 = 2 * PIECE as u64 + (512 << 10);

/// Reads a message in pieces. Clones share the piece that was read last: parts stand one behind the other.
pub(super) struct Reader<S> {
    store: S,
    of: Mailbox,
    id: MessageId,
    last: Arc<Mutex<(u64, Bytes)>>,
}

impl<S: Store> Clone for Reader<S> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone(), of: self.of, id: self.id, last: Arc::clone(&self.last) }
    }
}

impl<S: Store> Reader<S> {
    pub(super) fn new(store: &S, of: Mailbox, id: MessageId) -> Self {
        Self { store: store.clone(), of, id, last: Arc::default() }
    }

    /// Drops the piece that was read last.
    pub(super) fn reset(self) -> Self {
        Self { last: Arc::default(), ..self }
    }

    /// Reads some bytes from that one on, up to `end`.
    pub(super) async fn read(&self, from: u64, end: u64) -> Result<Bytes, Error> {
        let mut last = self.last.lock().await;
        let within = |(start, piece): &(u64, Bytes)| {
            let skipped = usize::try_from(from.checked_sub(*start)?).ok().filter(|skipped| *skipped < piece.len())?;
            Some(piece.slice(skipped..))
        };
        let piece = match within(&last) {
            Some(piece) => piece,
            None => {
                // The piece before goes first.
                last.1 = Bytes::new();
                let read = self.store.message_part(self.of, self.id, from, PIECE).await.map_err(fault::answer)?;
                *last = (from, read.into());
                last.1.clone()
            }
        };
        let most = usize::try_from(end.saturating_sub(from)).unwrap_or(usize::MAX).min(piece.len());
        Ok(piece.slice(..most))
    }

    /// Reads all of a message at once, for which there must be room.
    pub(super) async fn whole(&self, size: u64) -> Result<Vec<u8>, Error> {
        let mut whole = Vec::new();
        whole.reserve_exact(usize::try_from(size).unwrap_or_default());
        while (whole.len() as u64) < size {
            let piece = self.store.message_part(self.of, self.id, whole.len() as u64, PIECE).await;
            let piece = piece.map_err(fault::answer)?;
            if piece.is_empty() {
                return Err(Error::internal("a message is shorter than it was stored"));
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole)
    }

    /// Returns a member that holds a part of the message, which is read while the response is sent.
    pub(super) fn stream(&self, streams: &ResponseStreams, part: PartData) -> wireform_runtime::Bytes {
        let PartData { range, decoder, length } = part;
        streams.add(length, self.clone().pieces(range, decoder))
    }

    fn pieces(self, range: Range<u64>, decoder: Decoder) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
        stream::try_unfold((self, range, decoder), |(reader, mut range, mut decoder)| async move {
            if range.is_empty() {
                return Ok(None);
            }
            let piece = reader.read(range.start, range.end).await?;
            if piece.is_empty() {
                return Err(Error::internal("a message is shorter than it was stored"));
            }
            range.start += piece.len() as u64;
            let data = match &mut decoder {
                Decoder::None => piece,
                decoder => decoder.push(&piece, range.is_empty()).into(),
            };
            Ok(Some((data, (reader, range, decoder))))
        })
    }
}
