//! Storage of large messages in chunks, one transaction each, so that other writes can run in between.
//!
//! A body is unattached until its message is stored, and again after the message is deleted. Unattached bodies are
//! removed chunk by chunk: some with every chunk that is written, so that their space is reused, and the rest by
//! cleanup.

use std::time::Duration;

use bytes::Bytes;

use crate::backend::Backend;
use crate::domain::record::to_stored;
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Error, Mailbox, MessageId, Millis, Result, Unavailable};

/// Size in bytes above which the content of a message is stored in chunks.
pub(super) const MIN_CHUNKED_SIZE: usize = 256 << 10;
/// Size in bytes of every chunk but the last. The migrations contain the same number.
pub(super) const CHUNK_SIZE: usize = 512 << 10;
/// Number of chunks removed with each chunk that is written.
const CHUNKS_REMOVED_PER_WRITE: i64 = 2;
/// Number of chunks removed per cleanup step.
const CHUNKS_REMOVED_PER_STEP: i64 = 16;
/// Age after which an unattached body counts as abandoned by its writer.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Body whose chunks are all stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    number: i64,
    pub(super) size: u64,
}

/// Stores the content of a message in chunks.
pub(super) async fn write<B: Backend>(store: &B, raw: Vec<u8>, now: Millis) -> Result<Body> {
    let body = Body { number: rand::random_range(1..=i64::MAX), size: raw.len() as u64 };
    let mut rest = Bytes::from(raw);
    for number in 0.. {
        let data = rest.split_to(CHUNK_SIZE.min(rest.len()));
        store.perform(AddChunk { body: body.number, number, data, now }).await?;
        if rest.is_empty() {
            break;
        }
    }
    Ok(body)
}

/// Stores the chunk with a number of a body.
struct AddChunk {
    body: i64,
    number: i64,
    /// Slice of the message, copied only when the operation runs, so that queued operations need no memory of their
    /// own.
    data: Bytes,
    now: Millis,
}

impl Operation for AddChunk {
    type Output = ();
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        self.data.len()
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self { body, number, data, now } = self;
        if number == 0 {
            session.run(sql::BODY_ADD, &[body.into(), now.0.max(1).into()]).await?;
        }
        session.run(sql::PIECE_ADD, &[body.into(), number.into(), data.to_vec().into()]).await?;
        remove(session, Millis(1), CHUNKS_REMOVED_PER_WRITE).await.map(drop)
    }
}

/// Attaches a body to a message.
///
/// # Errors
/// Returns an error if the body was removed in the meantime.
pub(super) async fn attach<S: Session>(session: &mut S, body: Body, of: Mailbox, id: Value) -> Result<()> {
    match session.run(sql::BODY_ATTACH, &[body.number.into(), of.0.into(), id]).await? {
        0 => Err(Error::Unavailable(Unavailable::Busy)),
        _ => Ok(()),
    }
}

/// Reads the body of a message from the byte `from` on, up to `max` bytes and not beyond the end of a chunk. Returns
/// `None` if the message has no body.
pub(super) async fn read<S: Session>(
    session: &mut S,
    of: Mailbox,
    id: MessageId,
    from: u64,
    max: usize,
) -> Result<Option<Vec<u8>>> {
    let found = session.rows(sql::BODY, &[of.0.into(), to_stored(id.number()).into()]).await?;
    let Some(row) = found.first() else { return Ok(None) };
    let (number, offset) = (from / CHUNK_SIZE as u64, (from % CHUNK_SIZE as u64) as usize);
    let mut chunks = session.rows(sql::PIECE, &[row.int(0)?.into(), to_stored(number).into()]).await?;
    let mut chunk = chunks.first_mut().map(|row| row.blob(0)).transpose()?.unwrap_or_default();
    chunk.drain(..offset.min(chunk.len()));
    chunk.truncate(max);
    Ok(Some(chunk))
}

/// Reads the whole body of a message of the given size.
pub(super) async fn read_whole<S: Session>(session: &mut S, of: Mailbox, id: MessageId, size: u64) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    while (whole.len() as u64) < size {
        match read(session, of, id, whole.len() as u64, CHUNK_SIZE).await? {
            Some(chunk) if !chunk.is_empty() => whole.extend_from_slice(&chunk),
            _ => return Err(Error::Internal(format!("the content of the message `{id}` is incomplete"))),
        }
    }
    Ok(whole)
}

/// Removes some chunks of unattached bodies; returns whether there may be more.
pub(super) struct RemoveUnattached(pub(super) Millis);

impl Operation for RemoveUnattached {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        remove(session, self.0.saturating_sub(ABANDONED_AFTER).max(Millis(1)), CHUNKS_REMOVED_PER_STEP).await
    }
}

/// Removes some chunks of the body that has been unattached the longest, if that is since before a time.
async fn remove<S: Session>(session: &mut S, before: Millis, max: i64) -> Result<bool> {
    let found = session.rows(&format!("{}{}", sql::BODY_LOOSE, S::DIALECT.skip_locked), &[before.0.into()]).await?;
    let Some(row) = found.first() else { return Ok(false) };
    let body = row.int(0)?;
    let chunks: Vec<_> = session.rows(sql::PIECES, &[body.into(), max.into()]).await?;
    let all = (chunks.len() as i64) < max;
    let keys: Vec<_> = chunks.into_iter().map(|row| row.0).collect();
    session.run_each(sql::PIECE_DROP, &keys).await?;
    if all {
        session.run(sql::BODY_DROP, &[body.into()]).await?;
    }
    Ok(true)
}
