//! The row of a mailbox: where its history stands.

use crate::domain::{epoch, sql};
use crate::session::Session;
use crate::{Epoch, Error, HistoryId, Label, Mailbox, Millis, Result};

/// The next number of a history is greater by one and at most so much.
const GAP: i64 = 60;

/// Where a mailbox stands. A write locks it first: until the write has ended, nobody else changes the mailbox, so that
/// numbers grow in the order in which they are committed.
pub(super) struct Head {
    pub(super) mailbox: Mailbox,
    history: i64,
    oldest: i64,
    touched: i64,
    pub(super) epoch: Epoch,
    pub(super) next_label: i64,
}

impl Head {
    /// Reads it.
    pub(super) async fn read<S: Session>(session: &mut S, of: Mailbox) -> Result<Self> {
        Self::by(session, of, sql::MAILBOX).await
    }

    /// Reads it and keeps others from writing to the mailbox.
    pub(super) async fn lock<S: Session>(session: &mut S, of: Mailbox) -> Result<Self> {
        if S::DIALECT.for_update.is_empty() {
            return Self::by(session, of, sql::MAILBOX).await;
        }
        Self::by(session, of, &format!("{}{}", sql::MAILBOX, S::DIALECT.for_update)).await
    }

    async fn by<S: Session>(session: &mut S, of: Mailbox, sql: &str) -> Result<Self> {
        let rows = session.rows(sql, &[of.0.into()]).await?;
        let row = rows.first().ok_or_else(|| Error::absent("user", of.0))?;
        let (history, oldest, touched, next_label) = (row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)?);
        Ok(Self { mailbox: of, history, oldest, touched, next_label, epoch: epoch::from_column(row, 4)? })
    }

    /// The last number that was issued.
    pub(super) fn history(&self) -> Result<HistoryId> {
        number(self.history)
    }

    /// What lies before it is forgotten.
    pub(super) fn oldest(&self) -> Result<HistoryId> {
        number(self.oldest)
    }

    /// Whether there is such a label or was one, which the history may tell of.
    pub(super) fn ever_had(&self, label: Label) -> bool {
        match label {
            Label::System(_) => true,
            Label::User(number) => (1..self.next_label).contains(&i64::from(number)),
        }
    }

    /// When the next record is made: never before the one before it, whatever the clock does.
    pub(super) fn made(&self, now: Millis) -> i64 {
        now.0.max(self.touched)
    }

    /// The number of the next record.
    pub(super) fn issue(&mut self) -> Result<HistoryId> {
        self.history += 1 + rand::random_range(0..GAP);
        number(self.history)
    }

    /// Stores the numbers that were issued.
    pub(super) async fn moved<S: Session>(&self, session: &mut S, now: Millis) -> Result<()> {
        let values = [self.mailbox.0.into(), self.history.into(), self.made(now).into()];
        session.run(sql::MAILBOX_MOVE, &values).await?;
        Ok(())
    }
}

pub(super) fn number(stored: i64) -> Result<HistoryId> {
    u64::try_from(stored).map(HistoryId).map_err(|_| Error::Fault("a number of the history is negative".to_owned()))
}
