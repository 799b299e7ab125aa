//! Epochs of the store.
//!
//! A store that is restored from a backup diverges from its previous history since the backup. Clients may hold history
//! numbers and list positions from the lost history, which are invalid in the restored store and must not be confused
//! with valid ones. So a new epoch begins:
//!
//! * The histories of all mailboxes and calendars jump to the number of the epoch, and no earlier number is accepted as
//!   a start any more. No other history of the store has issued that number: its upper bits are the day by the system
//!   clock, or a later one if the store knows later numbers, and the others are random, because the same backup can be
//!   restored twice on a day.
//! * Watchers of a calendar are notified of a change, in messages with numbers above those that they may have seen.
//! * A list position contains its epoch, which is compared in the transaction that reads the page.

use crate::clock::system_millis;
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{Epoch, Error, Result, Unavailable};

/// Number of bits of the numbers within a day. Together with the day, numbers are exact as floating-point numbers, as
/// scripts keep them, for eighty years.
const DAY_BITS: u32 = 38;
/// Epochs begin in the first half of the numbers of a day; the second half is left to changes.
const RANDOM_RANGE: std::ops::Range<i64> = 0..1 << (DAY_BITS - 1);
/// Day zero, 2020-01-01, in milliseconds since 1970.
const FIRST_DAY: i64 = 1_577_836_800_000;
/// Length of a day, in milliseconds.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// Returns the number of an epoch that begins on a day, where `greatest` is the greatest number known to be in use.
fn next_epoch(today: i64, greatest: i64) -> Result<i64> {
    let day = today.max((greatest >> DAY_BITS) + 1);
    if day >= i64::MAX >> DAY_BITS {
        return Err(Error::Internal("no epoch number is left".to_owned()));
    }
    Ok((day << DAY_BITS) + rand::random_range(RANDOM_RANGE))
}

/// Returns the current day of the system clock, counted from [`FIRST_DAY`].
fn today() -> i64 {
    ((system_millis() - FIRST_DAY) / DAY_MILLIS).max(0)
}

/// Returns the first history number of a mailbox created in an epoch. It is random, because an earlier mailbox with the
/// same address may have issued numbers that a client still holds.
pub(super) fn first_number(epoch: Epoch) -> i64 {
    ((epoch.stored() >> DAY_BITS) << DAY_BITS) + rand::random_range(RANDOM_RANGE)
}

/// Returns the epoch in a column, which is null if the store was restored and its new epoch has not begun yet.
pub(super) fn from_column(row: &Row, column: usize) -> Result<Epoch> {
    row.optional_int(column)?.map(Epoch::from_stored).ok_or(Error::Unavailable(Unavailable::Restored))
}

/// Returns the current epoch.
pub(super) async fn current<S: Session>(session: &mut S) -> Result<Epoch> {
    let rows = session.rows(sql::EPOCH, &[]).await?;
    rows.first().map_or(Err(Error::Unavailable(Unavailable::Restored)), |row| from_column(row, 0))
}

/// Checks that a list position is of the current epoch.
pub(super) fn require_current(current: Epoch, held: Epoch) -> Result<()> {
    if current == held { Ok(()) } else { Err(Error::EpochEnded) }
}

/// Reads the current epoch of the store.
pub(super) struct ReadEpoch;

impl Operation for ReadEpoch {
    type Output = Epoch;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Epoch> {
        current(session).await
    }
}

/// Begins a new epoch. Nobody else may write to mailboxes until the transaction has ended.
pub(crate) struct BeginEpoch {
    /// Identity of the database; `None` to keep the stored one.
    pub(crate) identity: Option<String>,
    /// Number known to be in use, regardless of the contents of the database.
    pub(crate) greatest_known: i64,
}

impl Operation for BeginEpoch {
    type Output = Epoch;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Epoch> {
        let mut stored = session.rows(sql::EPOCH_STORED, &[]).await?;
        let (before, place) = match stored.first_mut() {
            Some(row) => (row.int(0)?, row.text(1)?),
            None => (0, String::new()),
        };
        let mut issued = 0;
        for greatest in [sql::HISTORY_GREATEST, sql::CALENDAR_HISTORY_GREATEST] {
            let rows = session.rows(greatest, &[]).await?;
            issued = issued.max(rows.first().map_or(Ok(0), |row| row.int(0))?);
        }
        let number = next_epoch(today(), before.max(issued).max(self.greatest_known))?;
        session.run(sql::EPOCH_DROP, &[]).await?;
        session.run(sql::EPOCH_ADD, &[number.into(), self.identity.unwrap_or(place).into()]).await?;
        session.run(sql::MAILBOXES_JUMP, &[number.into()]).await?;
        session.run(sql::CALENDARS_JUMP, &[number.into()]).await?;
        session.run(sql::CHANNELS_JUMP, &[number.into()]).await?;
        Ok(Epoch::from_stored(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_epoch_exceeds_all_known_numbers() {
        for today in [0, 1, 2_517, 40_000] {
            for greatest in [0, 99_999, 1 << DAY_BITS, (2_517 << DAY_BITS) + 5, (2_600 << DAY_BITS) - 1] {
                let number = next_epoch(today, greatest).unwrap();
                assert!(number > greatest && number >= today << DAY_BITS, "{today} {greatest} {number}");
            }
        }
    }

    #[test]
    fn two_epochs_of_a_day_differ() {
        let numbers: std::collections::BTreeSet<i64> = (0..1_000).map(|_| next_epoch(2_517, 77).unwrap()).collect();
        assert_eq!(numbers.len(), 1_000);
    }

    #[test]
    fn exhausted_numbers_are_an_error() {
        assert!(next_epoch(0, i64::MAX).is_err());
        assert!(next_epoch(i64::MAX, 0).is_err());
    }

    #[test]
    fn current_numbers_are_exact_in_floating_point() {
        assert!(next_epoch(today(), 0).unwrap() < 1 << 53);
    }
}
