//! Search for the start of the last records of a history.

use crate::domain::mailbox::{self, MailboxState};
use crate::domain::record::to_stored;
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{HistoryId, Mailbox, Result};

/// Finds the number that precedes the last records, of all records or of those up to a number.
pub(super) struct FindHistoryStart {
    pub(super) of: Mailbox,
    pub(super) until: Option<HistoryId>,
    pub(super) count: u32,
}

impl Operation for FindHistoryStart {
    type Output = HistoryId;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<HistoryId> {
        let head = MailboxState::read(session, self.of).await?;
        let (oldest, current) = (head.oldest()?, head.history()?);
        let until = self.until.unwrap_or(current).min(current);
        let values = [self.of.0.into(), to_stored(until.0).into(), i64::from(self.count).into()];
        let rows = session.rows(sql::RECORD_BEFORE, &values).await?;
        let found = rows.first().map(|row| mailbox::history_id_from_stored(row.int(0)?)).transpose()?;
        Ok(found.map_or(oldest, |found| found.max(oldest)))
    }
}
