//! Calendars, their settings and shares.

use crate::backend::Backend;
use crate::calendar::{Calendar, CalendarAccess, NewCalendar, Role, Share};
use crate::domain::calendar::{add, calendar_from_row, find, load, lock, role, role_from_number, serialize};
use crate::domain::{sql, texts, user, user_removal, visible_calendars};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{CalendarNumber, Calendars, Error, Mailbox, Millis, Result};

/// Maximum length of a calendar identifier, in bytes.
const MAX_IDENTIFIER_LENGTH: usize = 1_024;

/// Adds a calendar, with a random identifier unless one is given.
struct AddCalendar(NewCalendar, Millis);

impl Operation for AddCalendar {
    type Output = Calendar;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Calendar> {
        user::require(session, self.0.owner).await?;
        let id = match &self.0.id {
            Some(id) => texts::check_name("identifier of a calendar", id, MAX_IDENTIFIER_LENGTH)?,
            None => format!("{:032x}", rand::random::<u128>()),
        };
        let number = add(session, &id, &self.0, self.1).await?;
        load(session, number).await
    }
}

/// Changes a calendar with a function, in one transaction.
struct UpdateCalendar<F>(CalendarNumber, F, Millis);

impl<F: FnOnce(&mut Calendar) + Send + 'static> Operation for UpdateCalendar<F> {
    type Output = Calendar;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Calendar> {
        let before = lock(session, self.0).await?;
        let mut after = before.clone();
        (self.1)(&mut after);
        let values = [
            self.0.0.into(),
            texts::replace_nul(after.summary).into(),
            serialize(&after.settings)?,
            (before.history.0 + 1).cast_signed().into(),
            before.modified.max(self.2).0.into(),
            texts::replace_nul(after.time_zone).into(),
        ];
        session.run(sql::CALENDAR_SET, &values).await?;
        load(session, self.0).await
    }
}

/// Lists the calendars of an owner, or all calendars.
pub(super) struct ListCalendars(pub(super) Option<Mailbox>);

impl Operation for ListCalendars {
    type Output = Vec<Calendar>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Calendar>> {
        let mut rows = match self.0 {
            Some(owner) => session.rows(sql::CALENDARS_OF, &[owner.0.into()]).await?,
            None => session.rows(sql::CALENDARS, &[]).await?,
        };
        rows.iter_mut().map(calendar_from_row).collect()
    }
}

/// Hides a calendar until cleanup removes it, and deletes its watch channels. Refuses a user's primary calendar.
struct HideCalendar(String);

impl Operation for HideCalendar {
    type Output = CalendarNumber;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<CalendarNumber> {
        let mut rows = session.rows(sql::CALENDAR, &[texts::replace_nul(self.0.clone()).into()]).await?;
        let found = calendar_from_row(rows.first_mut().ok_or_else(|| Error::not_found("calendar", &self.0))?)?;
        if user::require(session, found.owner).await?.address == found.id {
            return Err(Error::Refused(format!(
                "the calendar `{}` belongs to the user of that address, and is removed with that user",
                found.id
            )));
        }
        lock(session, found.number).await?;
        session.run(sql::CALENDAR_HIDE, &[found.id.into()]).await?;
        session.run(sql::CHANNELS_DROP, &[found.number.0.into()]).await?;
        Ok(found.number)
    }
}

/// Query for calendars by their ids, with the user's role on each.
struct FindCalendars {
    ids: Vec<String>,
    user: Mailbox,
}

impl Operation for FindCalendars {
    type Output = Vec<CalendarAccess>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let mut found = Vec::with_capacity(self.ids.len());
        for id in &self.ids {
            found.push(match find(session, id).await? {
                Some(calendar) => {
                    let role = role(session, &calendar, self.user).await?;
                    Some((calendar, role))
                }
                None => None,
            });
        }
        Ok(found)
    }
}

/// Sets the role of a user on a calendar; `None` ends the sharing and the user's watch channels.
struct SetShare(CalendarNumber, Mailbox, Option<Role>);

impl Operation for SetShare {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let calendar = lock(session, self.0).await?;
        user::require(session, self.1).await?;
        if calendar.owner == self.1 {
            return Err(Error::Refused("a calendar cannot be shared with its owner".to_owned()));
        }
        let key = [self.0.0.into(), self.1.0.into()];
        match self.2 {
            Some(role) => {
                let [calendar, user] = key;
                session.run(sql::SHARE_SET, &[calendar, user, role.to_stored().into()]).await?
            }
            None => {
                session.run(sql::CHANNELS_SHARED_DROP, &key).await?;
                session.run(sql::SHARE_DROP, &key).await?
            }
        };
        Ok(())
    }
}

struct ListCalendarShares(CalendarNumber);

impl Operation for ListCalendarShares {
    type Output = Vec<Share>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Share>> {
        let share = |row: &mut Row| {
            Ok(Share { user: Mailbox(row.int(0)?), address: row.text(1)?, role: role_from_number(row.int(2)?)? })
        };
        session.rows(sql::SHARES, &[self.0.0.into()]).await?.iter_mut().map(share).collect()
    }
}

impl<B: Backend> Calendars for B {
    async fn add_calendar(&self, calendar: NewCalendar, now: Millis) -> Result<Calendar> {
        self.perform(AddCalendar(calendar, now)).await
    }

    async fn calendars(&self, owner: Option<Mailbox>) -> Result<Vec<Calendar>> {
        self.perform(ListCalendars(owner)).await
    }

    async fn find_calendars(&self, ids: Vec<String>, user: Mailbox) -> Result<Vec<CalendarAccess>> {
        self.perform(FindCalendars { ids, user }).await
    }

    async fn visible_calendars(&self, user: Mailbox) -> Result<Vec<(Calendar, Role)>> {
        self.perform(visible_calendars::ListVisibleCalendars(user)).await
    }

    async fn update_calendar<F>(&self, calendar: CalendarNumber, change: F, now: Millis) -> Result<Calendar>
    where
        F: FnOnce(&mut Calendar) + Send + 'static,
    {
        self.perform(UpdateCalendar(calendar, change, now)).await
    }

    async fn remove_calendar(&self, id: &str) -> Result<()> {
        let number = self.perform(HideCalendar(id.to_owned())).await?;
        while self.perform(user_removal::ClearCalendar(number)).await? {}
        Ok(())
    }

    async fn share_calendar(&self, calendar: CalendarNumber, user: Mailbox, role: Option<Role>) -> Result<()> {
        self.perform(SetShare(calendar, user, role)).await
    }

    async fn calendar_shares(&self, calendar: CalendarNumber) -> Result<Vec<Share>> {
        self.perform(ListCalendarShares(calendar)).await
    }
}
