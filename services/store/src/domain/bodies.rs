//! Large messages are stored in pieces, a transaction each: others write between them.
//!
//! A body is loose until its message is stored, and again once that is deleted. Loose bodies are removed piece by piece:
//! some with every piece that is written, so that their room is used again, and the rest from time to time.

use std::time::Duration;

use bytes::Bytes;

use crate::backend::Backend;
use crate::domain::record::stored;
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Error, Mailbox, MessageId, Millis, Result, Trouble};

/// What a message of more bytes was stored as is in pieces.
pub(super) const LARGE: usize = 256 << 10;
/// The bytes of a piece, but for the last one. Migrations have the same number.
pub(super) const PIECE: usize = 512 << 10;
/// So many pieces are removed with one that is written.
const REMOVED_BESIDE: i64 = 2;
/// So many pieces are removed at once.
const REMOVED: i64 = 16;
/// A body that was begun so long ago gets no message any more: whoever wrote it has stopped.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// A body whose pieces are all stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    number: i64,
    pub(super) size: u64,
}

/// Stores the pieces of what a message is stored as.
pub(super) async fn write<B: Backend>(store: &B, raw: Vec<u8>, now: Millis) -> Result<Body> {
    let body = Body { number: rand::random_range(1..=i64::MAX), size: raw.len() as u64 };
    let mut rest = Bytes::from(raw);
    for number in 0.. {
        let data = rest.split_to(PIECE.min(rest.len()));
        store.perform(AddPiece { body: body.number, number, data, now }).await?;
        if rest.is_empty() {
            break;
        }
    }
    Ok(body)
}

struct AddPiece {
    body: i64,
    number: i64,
    /// A part of the message, which is copied once it is its turn: what waits takes no memory of its own.
    data: Bytes,
    now: Millis,
}

impl Operation for AddPiece {
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
        remove(session, Millis(1), REMOVED_BESIDE).await.map(drop)
    }
}

/// Gives a body to a message.
///
/// # Errors
/// That the body was removed meanwhile.
pub(super) async fn attach<S: Session>(session: &mut S, body: Body, of: Mailbox, id: Value) -> Result<()> {
    match session.run(sql::BODY_ATTACH, &[body.number.into(), of.0.into(), id]).await? {
        0 => Err(Error::Unavailable(Trouble::Busy)),
        _ => Ok(()),
    }
}

/// Reads from the byte `from` of the body of a message on, up to `most` bytes and to the end of a piece. None where the
/// message has no body.
pub(super) async fn read<S: Session>(
    session: &mut S,
    of: Mailbox,
    id: MessageId,
    from: u64,
    most: usize,
) -> Result<Option<Vec<u8>>> {
    let found = session.rows(sql::BODY, &[of.0.into(), stored(id.number()).into()]).await?;
    let Some(row) = found.first() else { return Ok(None) };
    let (number, within) = (from / PIECE as u64, (from % PIECE as u64) as usize);
    let mut pieces = session.rows(sql::PIECE, &[row.int(0)?.into(), stored(number).into()]).await?;
    let mut piece = pieces.first_mut().map(|row| row.blob(0)).transpose()?.unwrap_or_default();
    piece.drain(..within.min(piece.len()));
    piece.truncate(most);
    Ok(Some(piece))
}

/// Reads the whole body of a message of that size.
pub(super) async fn read_whole<S: Session>(session: &mut S, of: Mailbox, id: MessageId, size: u64) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    while (whole.len() as u64) < size {
        match read(session, of, id, whole.len() as u64, PIECE).await? {
            Some(piece) if !piece.is_empty() => whole.extend_from_slice(&piece),
            _ => return Err(Error::Fault(format!("the message `{id}` is shorter than it was stored"))),
        }
    }
    Ok(whole)
}

/// Removes some pieces of bodies that no message has any more; answers whether there may be more.
pub(super) struct RemoveLoose(pub(super) Millis);

impl Operation for RemoveLoose {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        remove(session, self.0.before(ABANDONED).max(Millis(1)), REMOVED).await
    }
}

/// Removes some pieces of the body that has been loose for the longest time, if that is before a time.
async fn remove<S: Session>(session: &mut S, before: Millis, most: i64) -> Result<bool> {
    let found = session.rows(&format!("{}{}", sql::BODY_LOOSE, S::DIALECT.skip_locked), &[before.0.into()]).await?;
    let Some(row) = found.first() else { return Ok(false) };
    let body = row.int(0)?;
    let pieces: Vec<_> = session.rows(sql::PIECES, &[body.into(), most.into()]).await?;
    let all = (pieces.len() as i64) < most;
    let keys: Vec<_> = pieces.into_iter().map(|row| row.0).collect();
    session.run_each(sql::PIECE_DROP, &keys).await?;
    if all {
        session.run(sql::BODY_DROP, &[body.into()]).await?;
    }
    Ok(true)
}
