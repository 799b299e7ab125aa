//! Messages are read.

use crate::domain::record::{labels, message_id, numbers, stored, thread_id};
use crate::domain::{mailbox, sql};
use crate::operation::{Access, Operation};
use crate::session::{BlobColumn, Row, Session};
use crate::{Error, Label, Mailbox, Message, MessageId, Millis, Result};

/// The labels of a message as they are stored: their numbers, as JSON.
pub(super) fn written(labels: &[Label]) -> String {
    let numbers: Vec<String> = numbers(labels).iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// What [`written`] has written.
pub(super) fn read_labels(stored: &str) -> Result<Vec<Label>> {
    let fault = |error| Error::Fault(format!("the labels of a message cannot be read: {error}"));
    labels(serde_json::from_str(stored).map_err(fault)?)
}

/// A message out of the row that `sql::MESSAGE` answers.
pub(super) fn message(row: &mut Row) -> Result<Message> {
    Ok(Message {
        id: message_id(row.int(0)?.cast_unsigned())?,
        thread: thread_id(row.int(1)?.cast_unsigned())?,
        labels: read_labels(&row.text(2)?)?,
        history: mailbox::number(row.int(3)?)?,
        date: Millis(row.int(4)?),
        size: row.int(5)?.cast_unsigned(),
        snippet: row.text(6)?,
    })
}

pub(super) struct GetMessage {
    pub(super) of: Mailbox,
    pub(super) id: MessageId,
}

impl Operation for GetMessage {
    type Output = Message;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Message> {
        let mut rows = session.rows(sql::MESSAGE, &[self.of.0.into(), stored(self.id.number()).into()]).await?;
        message(rows.first_mut().ok_or_else(|| Error::absent("message", self.id))?)
    }
}

/// What messages were stored as.
pub(super) const RAW: BlobColumn = BlobColumn { table: "texts", column: "raw", key: "mailbox = ?1 AND id = ?2" };

/// A part of what a message was stored as.
pub(super) struct GetPart {
    pub(super) of: GetMessage,
    pub(super) from: u64,
    pub(super) most: usize,
}

impl Operation for GetPart {
    type Output = Vec<u8>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<u8>> {
        let GetMessage { of, id } = self.of;
        let found = session.blob(RAW, &[of.0.into(), stored(id.number()).into()], self.from, self.most).await?;
        found.ok_or_else(|| Error::absent("message", id))
    }
}

/// The whole of a message can be megabytes.
pub(super) struct GetWhole(pub(super) GetMessage);

impl Operation for GetWhole {
    type Output = (Message, Vec<u8>);
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<(Message, Vec<u8>)> {
        let GetMessage { of, id } = self.0;
        let message = GetMessage { of, id }.run(session).await?;
        let mut rows = session.rows(sql::MESSAGE_RAW, &[of.0.into(), stored(id.number()).into()]).await?;
        let row = rows.first_mut().ok_or_else(|| Error::Fault(format!("the message `{id}` has no text")))?;
        Ok((message, row.blob(0)?))
    }
}
