//! Reading messages.

use std::collections::HashSet;

use crate::domain::record::{label_numbers, labels_from_numbers, message_id, thread_id, to_stored};
use crate::domain::{bodies, mailbox, sql};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{Error, Label, Mailbox, Message, MessageId, Millis, Result};

/// Serializes the labels of a message as a JSON array of numbers.
pub(super) fn serialize_labels(labels: &[Label]) -> String {
    let numbers: Vec<String> = label_numbers(labels).iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// Parses the output of [`serialize_labels`].
pub(super) fn parse_labels(stored: &str) -> Result<Vec<Label>> {
    let fault = |error| Error::Internal(format!("cannot parse the labels of a message: {error}"));
    labels_from_numbers(serde_json::from_str(stored).map_err(fault)?)
}

/// Reads the message in a row of `sql::MESSAGE`.
pub(super) fn message_from_row(row: &mut Row) -> Result<Message> {
    Ok(Message {
        id: message_id(row.int(0)?.cast_unsigned())?,
        thread: thread_id(row.int(1)?.cast_unsigned())?,
        labels: parse_labels(&row.text(2)?)?,
        history: mailbox::history_id_from_stored(row.int(3)?)?,
        date: Millis(row.int(4)?),
        size: row.int(5)?.cast_unsigned(),
        snippet: row.text(6)?,
    })
}

/// Reads a message without its content.
pub(super) struct GetMessage {
    pub(super) of: Mailbox,
    pub(super) id: MessageId,
}

impl Operation for GetMessage {
    type Output = Message;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Message> {
        let mut rows = session.rows(sql::MESSAGE, &[self.of.0.into(), to_stored(self.id.number()).into()]).await?;
        message_from_row(rows.first_mut().ok_or_else(|| Error::not_found("message", self.id))?)
    }
}

/// Reads a part of the raw content of a message.
pub(super) struct GetMessagePart {
    pub(super) of: GetMessage,
    pub(super) from: u64,
    pub(super) max: usize,
}

impl Operation for GetMessagePart {
    type Output = Vec<u8>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<u8>> {
        let GetMessage { of, id } = self.of;
        if let Some(found) = bodies::read(session, of, id, self.from, self.max).await? {
            return Ok(found);
        }
        let mut rows = session.rows(sql::MESSAGE_RAW, &[of.0.into(), to_stored(id.number()).into()]).await?;
        let mut raw = rows.first_mut().ok_or_else(|| Error::not_found("message", id))?.blob(0)?;
        raw.drain(..usize::try_from(self.from).unwrap_or(usize::MAX).min(raw.len()));
        raw.truncate(self.max);
        Ok(raw)
    }
}

/// Reads a message with its raw content, which can be megabytes.
pub(super) struct GetWholeMessage(pub(super) GetMessage);

impl Operation for GetWholeMessage {
    type Output = (Message, Vec<u8>);
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<(Message, Vec<u8>)> {
        let GetMessage { of, id } = self.0;
        let message = GetMessage { of, id }.run(session).await?;
        let mut rows = session.rows(sql::MESSAGE_RAW, &[of.0.into(), to_stored(id.number()).into()]).await?;
        let row =
            rows.first_mut().ok_or_else(|| Error::Internal(format!("the text of the message `{id}` is missing")))?;
        let raw = row.blob(0)?;
        let is_chunked = (raw.len() as u64) < message.size;
        let raw = if is_chunked { bodies::read_whole(session, of, id, message.size).await? } else { raw };
        Ok((message, raw))
    }
}

/// Finds the `Message-ID` hashes that the mailbox has messages for.
pub(super) struct FindKnownIdentifiers {
    pub(super) of: Mailbox,
    pub(super) identifiers: Vec<i64>,
}

impl Operation for FindKnownIdentifiers {
    type Output = Vec<i64>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<i64>> {
        let mut seen = HashSet::new();
        let distinct: Vec<i64> = self.identifiers.into_iter().filter(|hash| seen.insert(*hash)).collect();
        let keys: Vec<Vec<Value>> = distinct.iter().map(|hash| vec![self.of.0.into(), (*hash).into()]).collect();
        let found = session.rows_of_each(sql::MESSAGE_IDENTIFIED, &keys).await?;
        Ok(distinct.into_iter().zip(found).filter(|(_, rows)| !rows.is_empty()).map(|(hash, _)| hash).collect())
    }
}
