//! Calendars: their names and owners.

use crate::account::{Calendar, NewCalendar};
use crate::domain::{accounts, sql, texts};
use crate::operation::{Access, Backend, Operation};
use crate::session::{Row, Session};
use crate::{Calendars, Error, Mailbox, Result};

/// Identifiers of calendars have at most so many bytes.
const IDENTIFIER: usize = 1_024;

struct AddCalendar(NewCalendar);

impl Operation for AddCalendar {
    type Output = Calendar;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Calendar> {
        let NewCalendar { id, owner, summary, time_zone } = self.0;
        accounts::require(session, owner).await?;
        let id = match id {
            Some(id) => texts::name("calendar", &id, IDENTIFIER)?,
            None => format!("{:032x}", rand::random::<u128>()),
        };
        let (summary, time_zone) = (texts::clean(summary), texts::clean(time_zone));
        let values = [id.clone().into(), owner.0.into(), summary.clone().into(), time_zone.clone().into()];
        match session.run(sql::CALENDAR_ADD, &values).await? {
            0 => Err(Error::present("calendar", id)),
            _ => Ok(Calendar { id, owner, summary, time_zone }),
        }
    }
}

pub(super) struct ListCalendars(pub(super) Option<Mailbox>);

impl Operation for ListCalendars {
    type Output = Vec<Calendar>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Calendar>> {
        let mut rows = match self.0 {
            Some(owner) => session.rows(sql::CALENDARS_OF, &[owner.0.into()]).await?,
            None => session.rows(sql::CALENDARS, &[]).await?,
        };
        rows.iter_mut().map(calendar).collect()
    }
}

struct RemoveCalendar(String);

impl Operation for RemoveCalendar {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let mut rows = session.rows(sql::CALENDAR, &[texts::clean(self.0.clone()).into()]).await?;
        let found = calendar(rows.first_mut().ok_or_else(|| Error::absent("calendar", &self.0))?)?;
        if accounts::require(session, found.owner).await?.address == found.id {
            return Err(Error::Refused(format!("the calendar `{}` is removed with its owner alone", found.id)));
        }
        session.run(sql::CALENDAR_DROP, &[found.id.into()]).await?;
        Ok(())
    }
}

fn calendar(row: &mut Row) -> Result<Calendar> {
    Ok(Calendar { id: row.text(0)?, owner: Mailbox(row.int(1)?), summary: row.text(2)?, time_zone: row.text(3)? })
}

impl<B: Backend> Calendars for B {
    async fn add_calendar(&self, calendar: NewCalendar) -> Result<Calendar> {
        self.perform(AddCalendar(calendar)).await
    }

    async fn calendars(&self, owner: Option<Mailbox>) -> Result<Vec<Calendar>> {
        self.perform(ListCalendars(owner)).await
    }

    async fn remove_calendar(&self, id: &str) -> Result<()> {
        self.perform(RemoveCalendar(id.to_owned())).await
    }
}
