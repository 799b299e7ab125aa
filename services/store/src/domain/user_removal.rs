//! Removal of users: hides them at once, then deletes their data in steps.

use crate::domain::mailbox::MailboxState;
use crate::domain::{cleanup, scripts, sql, user};
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{CalendarNumber, Mailbox, Result};

/// Maximum number of rows removed per step.
const MAX_ROWS_PER_STEP: i64 = 2_000;
/// Maximum number of messages removed per step: they can be large.
const MAX_MESSAGES_PER_STEP: i64 = 200;

/// Data of a mailbox: a query for some rows of a table, the statement to delete them, and the maximum number per step.
const USER_DATA: [(&str, &str, i64); 8] = [
    (sql::REMAINS_MESSAGES, sql::MESSAGE_DROP, MAX_MESSAGES_PER_STEP),
    (sql::REMAINS_BODIES, sql::BODY_DETACH, MAX_ROWS_PER_STEP),
    (sql::REMAINS_TEXTS, sql::TEXT_DROP, MAX_MESSAGES_PER_STEP),
    (sql::REMAINS_LABELLED, sql::MESSAGE_LABEL_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_THREADS, sql::THREAD_COUNTS_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_COUNTS, sql::COUNTS_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_RECORDS, sql::RECORD_DROP, MAX_ROWS_PER_STEP),
    (sql::REMAINS_MARKS, sql::MARK_DROP, MAX_ROWS_PER_STEP),
];

/// Hides a user: they are not found any more and cannot authenticate, and their mailbox cannot be written to.
pub(super) struct HideUser(pub(super) Mailbox);

impl Operation for HideUser {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let of = self.0;
        user::require(session, of).await?;
        MailboxState::lock(session, of).await?;
        for sql in [
            sql::TOKENS_OF_DROP,
            sql::SHARES_OF_DROP,
            sql::CHANNELS_OF_DROP,
            sql::CALENDARS_OF_HIDE,
            sql::LABELS_DROP,
            sql::MAILBOX_DROP,
            sql::USER_HIDE,
        ] {
            session.run(sql, &[of.0.into()]).await?;
        }
        scripts::removal::hide_user(session, of).await
    }
}

/// Deletes some data of a hidden user; returns whether there is more.
pub(super) struct ClearUser(pub(super) Mailbox);

impl Operation for ClearUser {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let of = self.0;
        for (find, remove, limit) in USER_DATA {
            let rows = session.rows(find, &[of.0.into(), limit.into()]).await?;
            if !rows.is_empty() {
                let keys: Vec<_> = rows.into_iter().map(|row| row.0).collect();
                session.run_each(remove, &keys).await?;
                return Ok(true);
            }
        }
        // Calendars created for the user while they were being hidden are removed as well.
        session.run(sql::CALENDARS_OF_HIDE, &[of.0.into()]).await?;
        if let Some(row) = session.rows(sql::CALENDARS_OF_LEFT, &[of.0.into()]).await?.first() {
            ClearCalendar(CalendarNumber(row.int(0)?)).run(session).await?;
            return Ok(true);
        }
        if scripts::removal::clear_user(session, of).await? {
            return Ok(true);
        }
        for sql in [sql::TOKENS_OF_DROP, sql::SHARES_OF_DROP, sql::CHANNELS_OF_DROP, sql::USER_DROP] {
            session.run(sql, &[of.0.into()]).await?;
        }
        Ok(false)
    }
}

/// Deletes some entries of a hidden calendar, and finally the calendar; returns whether there is more.
pub(super) struct ClearCalendar(pub(super) CalendarNumber);

impl Operation for ClearCalendar {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let of = self.0.0;
        let rows = session.rows(sql::REMAINS_ENTRIES, &[of.into(), MAX_MESSAGES_PER_STEP.into()]).await?;
        if rows.is_empty() {
            session.run(sql::SHARES_DROP, &[of.into()]).await?;
            session.run(sql::CHANNELS_DROP, &[of.into()]).await?;
            session.run(sql::CALENDAR_DROP, &[of.into()]).await?;
            return Ok(false);
        }
        cleanup::delete_entries(session, rows).await?;
        Ok(true)
    }
}

/// Finds a calendar whose removal was interrupted.
pub(super) struct FindHiddenCalendar;

impl Operation for FindHiddenCalendar {
    type Output = Option<CalendarNumber>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<CalendarNumber>> {
        let rows = session.rows(sql::CALENDARS_HIDDEN, &[]).await?;
        rows.first().map(|row| row.int(0).map(CalendarNumber)).transpose()
    }
}

/// Finds a user whose removal was interrupted.
pub(super) struct FindHiddenUser;

impl Operation for FindHiddenUser {
    type Output = Option<Mailbox>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Mailbox>> {
        let rows = session.rows(sql::USERS_HIDDEN, &[]).await?;
        rows.first().map(|row| row.int(0).map(Mailbox)).transpose()
    }
}
