//! Row of a mailbox, with its current history number.

use crate::domain::{epoch, sql};
use crate::session::Session;
use crate::{Epoch, Error, HistoryId, Label, Mailbox, Millis, Result};

/// Maximum step from a history number to the next one; steps are random.
const MAX_INCREMENT: i64 = 60;

/// State of a mailbox. A write locks it first: until the write has ended, no other write changes the mailbox, so that
/// history numbers grow in commit order.
pub(super) struct MailboxState {
    pub(super) mailbox: Mailbox,
    history: i64,
    oldest: i64,
    modified: i64,
    pub(super) epoch: Epoch,
    pub(super) next_label: i64,
}

impl MailboxState {
    /// Reads the state.
    pub(super) async fn read<S: Session>(session: &mut S, of: Mailbox) -> Result<Self> {
        Self::query(session, of, sql::MAILBOX).await
    }

    /// Reads the state and locks the mailbox against other writers.
    pub(super) async fn lock<S: Session>(session: &mut S, of: Mailbox) -> Result<Self> {
        if S::DIALECT.for_update.is_empty() {
            return Self::query(session, of, sql::MAILBOX).await;
        }
        Self::query(session, of, &format!("{}{}", sql::MAILBOX, S::DIALECT.for_update)).await
    }

    /// Reads the state with this statement; fails if the user does not exist.
    async fn query<S: Session>(session: &mut S, of: Mailbox, sql: &str) -> Result<Self> {
        let rows = session.rows(sql, &[of.0.into()]).await?;
        let row = rows.first().ok_or_else(|| Error::not_found("user", of.0))?;
        let (history, oldest, touched, next_label) = (row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)?);
        Ok(Self { mailbox: of, history, oldest, modified: touched, next_label, epoch: epoch::from_column(row, 4)? })
    }

    /// Returns the last issued history number.
    pub(super) fn history(&self) -> Result<HistoryId> {
        history_id_from_stored(self.history)
    }

    /// Returns the history number before which everything was deleted.
    pub(super) fn oldest(&self) -> Result<HistoryId> {
        history_id_from_stored(self.oldest)
    }

    /// Returns whether a label exists or once existed, so that the history may contain it.
    pub(super) fn label_ever_existed(&self, label: Label) -> bool {
        match label {
            Label::System(_) => true,
            Label::User(number) => (1..self.next_label).contains(&i64::from(number)),
        }
    }

    /// Returns the time of the next record, which is never before that of the previous one, even if the clock goes
    /// back.
    pub(super) fn record_time(&self, now: Millis) -> i64 {
        now.0.max(self.modified)
    }

    /// Issues the number of the next record.
    pub(super) fn issue_number(&mut self) -> Result<HistoryId> {
        self.history += 1 + rand::random_range(0..MAX_INCREMENT);
        history_id_from_stored(self.history)
    }

    /// Stores the issued numbers.
    pub(super) async fn store<S: Session>(&self, session: &mut S, now: Millis) -> Result<()> {
        let values = [self.mailbox.0.into(), self.history.into(), self.record_time(now).into()];
        session.run(sql::MAILBOX_MOVE, &values).await?;
        Ok(())
    }
}

pub(super) fn history_id_from_stored(stored: i64) -> Result<HistoryId> {
    u64::try_from(stored).map(HistoryId).map_err(|_| Error::Internal("a stored history number is negative".to_owned()))
}
