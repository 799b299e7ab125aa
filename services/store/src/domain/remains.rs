//! Removal of users: hides them at once, then deletes their data in steps.

use crate::domain::mailbox::Head;
use crate::domain::{forget, scripts, sql, user};
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{CalendarNumber, Mailbox, Result};

/// Maximum number of rows removed per step; fewer of messages, which can be large.
const ROWS: i64 = 2_000;
const MESSAGES: i64 = 200;

/// Data of a mailbox: a query for some rows of a table, the statement to delete them, and the maximum number per step.
const REMAINS: [(&str, &str, i64); 8] = [
    (sql::REMAINS_MESSAGES, sql::MESSAGE_DROP, MESSAGES),
    (sql::REMAINS_BODIES, sql::BODY_DETACH, ROWS),
    (sql::REMAINS_TEXTS, sql::TEXT_DROP, MESSAGES),
    (sql::REMAINS_LABELLED, sql::MESSAGE_LABEL_DROP, ROWS),
    (sql::REMAINS_THREADS, sql::THREAD_COUNTS_DROP, ROWS),
    (sql::REMAINS_COUNTS, sql::COUNTS_DROP, ROWS),
    (sql::REMAINS_RECORDS, sql::RECORD_DROP, ROWS),
    (sql::REMAINS_MARKS, sql::MARK_DROP, ROWS),
];

/// Hides a user: they are not found any more and cannot authenticate, and their mailbox cannot be written to.
pub(super) struct Hide(pub(super) Mailbox);

impl Operation for Hide {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let of = self.0;
        user::require(session, of).await?;
        Head::lock(session, of).await?;
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
        scripts::remains::hide_user(session, of).await
    }
}

/// Deletes some data of a hidden user; returns whether there is more.
pub(super) struct Clear(pub(super) Mailbox);

impl Operation for Clear {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let of = self.0;
        for (find, remove, limit) in REMAINS {
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
        if scripts::remains::clear_user(session, of).await? {
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
        let rows = session.rows(sql::REMAINS_ENTRIES, &[of.into(), MESSAGES.into()]).await?;
        if rows.is_empty() {
            session.run(sql::SHARES_DROP, &[of.into()]).await?;
            session.run(sql::CHANNELS_DROP, &[of.into()]).await?;
            session.run(sql::CALENDAR_DROP, &[of.into()]).await?;
            return Ok(false);
        }
        forget::entries(session, rows).await?;
        Ok(true)
    }
}

/// Finds a calendar whose removal was interrupted.
pub(super) struct HiddenCalendar;

impl Operation for HiddenCalendar {
    type Output = Option<CalendarNumber>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<CalendarNumber>> {
        let rows = session.rows(sql::CALENDARS_HIDDEN, &[]).await?;
        rows.first().map(|row| row.int(0).map(CalendarNumber)).transpose()
    }
}

/// Finds a user whose removal was interrupted.
pub(super) struct HiddenUser;

impl Operation for HiddenUser {
    type Output = Option<Mailbox>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Mailbox>> {
        let rows = session.rows(sql::USERS_HIDDEN, &[]).await?;
        rows.first().map(|row| row.int(0).map(Mailbox)).transpose()
    }
}
