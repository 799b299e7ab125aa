//! Row of a calendar, and roles of users on it.

use crate::calendar::{Calendar, CalendarSettings, NewCalendar, Role};
use crate::domain::{epoch, mailbox, sql, texts};
use crate::session::{Row, Session, Value};
use crate::{CalendarNumber, Error, Mailbox, Millis, Result};

/// Reads the calendar in a row of `sql::CALENDAR`.
pub(super) fn calendar_from_row(row: &mut Row) -> Result<Calendar> {
    Ok(Calendar {
        number: CalendarNumber(row.int(0)?),
        id: row.text(1)?,
        owner: Mailbox(row.int(2)?),
        summary: row.text(3)?,
        time_zone: row.text(4)?,
        settings: parse(&row.text(5)?)?,
        history: mailbox::history_id_from_stored(row.int(6)?)?,
        oldest_change: mailbox::history_id_from_stored(row.int(7)?)?,
        modified: Millis(row.int(8)?),
        pruned_until: Millis(row.int(9)?),
        epoch: epoch::from_column(row, 10)?,
    })
}

/// Parses the stored settings of a calendar.
fn parse(settings: &str) -> Result<CalendarSettings> {
    serde_json::from_str(settings)
        .map_err(|error| Error::Internal(format!("cannot parse the settings of a calendar: {error}")))
}

/// Serializes the settings of a calendar for its row.
pub(super) fn serialize(settings: &CalendarSettings) -> Result<Value> {
    let text = serde_json::to_string(settings);
    text.map(Value::from)
        .map_err(|error| Error::Internal(format!("cannot serialize the settings of a calendar: {error}")))
}

/// Reads a calendar.
pub(super) async fn load<S: Session>(session: &mut S, number: CalendarNumber) -> Result<Calendar> {
    let mut rows = session.rows(sql::CALENDAR_AT, &[number.0.into()]).await?;
    calendar_from_row(rows.first_mut().ok_or_else(|| Error::not_found("calendar", number.0))?)
}

/// Reads a calendar and locks it against other writers.
pub(super) async fn lock<S: Session>(session: &mut S, number: CalendarNumber) -> Result<Calendar> {
    if S::DIALECT.for_update.is_empty() {
        return load(session, number).await;
    }
    let mut rows = session.rows(&format!("{}{}", sql::CALENDAR_AT, S::DIALECT.for_update), &[number.0.into()]).await?;
    calendar_from_row(rows.first_mut().ok_or_else(|| Error::not_found("calendar", number.0))?)
}

/// Finds a calendar by identifier; that of a user also by their address without regard to case.
pub(super) async fn find<S: Session>(session: &mut S, id: &str) -> Result<Option<Calendar>> {
    let mut rows = session.rows(sql::CALENDAR, &[texts::replace_nul(id.to_owned()).into()]).await?;
    if rows.is_empty() {
        rows = session.rows(sql::CALENDAR_OF_USER, &[texts::lookup_key(id).into()]).await?;
    }
    rows.first_mut().map(calendar_from_row).transpose()
}

/// Adds a calendar and returns its number.
pub(super) async fn add<S: Session>(
    session: &mut S,
    id: &str,
    new: &NewCalendar,
    now: Millis,
) -> Result<CalendarNumber> {
    let first = epoch::first_number(epoch::current(session).await?);
    let values = [
        id.into(),
        new.owner.0.into(),
        texts::replace_nul(new.summary.clone()).into(),
        texts::replace_nul(new.time_zone.clone()).into(),
        serialize(&new.settings)?,
        first.into(),
        now.0.into(),
    ];
    let rows = session.rows(sql::CALENDAR_ADD, &values).await?;
    rows.first().ok_or_else(|| Error::already_exists("calendar", id))?.int(0).map(CalendarNumber)
}

/// Returns the role of a user on a calendar.
pub(super) async fn role<S: Session>(session: &mut S, calendar: &Calendar, user: Mailbox) -> Result<Option<Role>> {
    if calendar.owner == user {
        return Ok(Some(Role::Owner));
    }
    let rows = session.rows(sql::SHARE, &[calendar.number.0.into(), user.0.into()]).await?;
    rows.first().map(|row| role_from_number(row.int(0)?)).transpose()
}

pub(super) fn role_from_number(number: i64) -> Result<Role> {
    Role::from_stored(number).ok_or_else(|| Error::Internal(format!("unknown role number {number}")))
}
