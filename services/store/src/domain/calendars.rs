//! Calendars, their settings and shares.

use crate::calendar::{Calendar, CalendarSettings, FoundCalendar, NewCalendar, Role, Share};
use crate::domain::{accounts, epoch, mailbox, sql, texts};
use crate::operation::{Access, Backend, Operation};
use crate::session::{Row, Session, Value};
use crate::{CalendarNumber, Calendars, Error, Mailbox, Millis, Result};

/// Maximum length of a calendar identifier, in bytes.
const MAX_IDENTIFIER_LENGTH: usize = 1_024;

/// Reads the calendar in a row of `sql::CALENDAR`.
pub(super) fn calendar(row: &mut Row) -> Result<Calendar> {
    Ok(Calendar {
        number: CalendarNumber(row.int(0)?),
        id: row.text(1)?,
        owner: Mailbox(row.int(2)?),
        summary: row.text(3)?,
        time_zone: row.text(4)?,
        settings: parse(&row.text(5)?)?,
        history: mailbox::number(row.int(6)?)?,
        oldest: mailbox::number(row.int(7)?)?,
        touched: Millis(row.int(8)?),
        forgotten: Millis(row.int(9)?),
        epoch: epoch::from_column(row, 10)?,
    })
}

fn parse(settings: &str) -> Result<CalendarSettings> {
    serde_json::from_str(settings)
        .map_err(|error| Error::Fault(format!("cannot parse the settings of a calendar: {error}")))
}

fn serialize(settings: &CalendarSettings) -> Result<Value> {
    let text = serde_json::to_string(settings);
    text.map(Value::from).map_err(|error| Error::Fault(format!("cannot serialize the settings of a calendar: {error}")))
}

/// Reads a calendar.
pub(super) async fn at<S: Session>(session: &mut S, number: CalendarNumber) -> Result<Calendar> {
    let mut rows = session.rows(sql::CALENDAR_AT, &[number.0.into()]).await?;
    calendar(rows.first_mut().ok_or_else(|| Error::absent("calendar", number.0))?)
}

/// Reads a calendar and locks it against other writers.
pub(super) async fn lock<S: Session>(session: &mut S, number: CalendarNumber) -> Result<Calendar> {
    if S::DIALECT.for_update.is_empty() {
        return at(session, number).await;
    }
    let mut rows = session.rows(&format!("{}{}", sql::CALENDAR_AT, S::DIALECT.for_update), &[number.0.into()]).await?;
    calendar(rows.first_mut().ok_or_else(|| Error::absent("calendar", number.0))?)
}

/// Finds a calendar by identifier; that of a user also by their address without regard to case.
async fn find<S: Session>(session: &mut S, id: &str) -> Result<Option<Calendar>> {
    let mut rows = session.rows(sql::CALENDAR, &[texts::clean(id.to_owned()).into()]).await?;
    if rows.is_empty() {
        rows = session.rows(sql::CALENDAR_OF_USER, &[texts::key(id).into()]).await?;
    }
    rows.first_mut().map(calendar).transpose()
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
        texts::clean(new.summary.clone()).into(),
        texts::clean(new.time_zone.clone()).into(),
        serialize(&new.settings)?,
        first.into(),
        now.0.into(),
    ];
    let rows = session.rows(sql::CALENDAR_ADD, &values).await?;
    rows.first().ok_or_else(|| Error::present("calendar", id))?.int(0).map(CalendarNumber)
}

struct AddCalendar(NewCalendar, Millis);

impl Operation for AddCalendar {
    type Output = Calendar;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Calendar> {
        accounts::require(session, self.0.owner).await?;
        let id = match &self.0.id {
            Some(id) => texts::name("calendar", id, MAX_IDENTIFIER_LENGTH)?,
            None => format!("{:032x}", rand::random::<u128>()),
        };
        let number = add(session, &id, &self.0, self.1).await?;
        at(session, number).await
    }
}

struct SetCalendar<F>(CalendarNumber, F, Millis);

impl<F: FnOnce(&mut Calendar) + Send + 'static> Operation for SetCalendar<F> {
    type Output = Calendar;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Calendar> {
        let before = lock(session, self.0).await?;
        let mut after = before.clone();
        (self.1)(&mut after);
        let values = [
            self.0.0.into(),
            texts::clean(after.summary).into(),
            serialize(&after.settings)?,
            (before.history.0 + 1).cast_signed().into(),
            before.touched.max(self.2).0.into(),
            texts::clean(after.time_zone).into(),
        ];
        session.run(sql::CALENDAR_SET, &values).await?;
        at(session, self.0).await
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

struct HideCalendar(String);

impl Operation for HideCalendar {
    type Output = CalendarNumber;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<CalendarNumber> {
        let mut rows = session.rows(sql::CALENDAR, &[texts::clean(self.0.clone()).into()]).await?;
        let found = calendar(rows.first_mut().ok_or_else(|| Error::absent("calendar", &self.0))?)?;
        if accounts::require(session, found.owner).await?.address == found.id {
            return Err(Error::Refused(format!("the calendar `{}` is removed with its owner alone", found.id)));
        }
        lock(session, found.number).await?;
        session.run(sql::CALENDAR_HIDE, &[found.id.into()]).await?;
        session.run(sql::CHANNELS_DROP, &[found.number.0.into()]).await?;
        Ok(found.number)
    }
}

/// Finds calendars, with the user's role on each.
struct FindCalendars {
    ids: Vec<String>,
    user: Mailbox,
}

impl Operation for FindCalendars {
    type Output = Vec<FoundCalendar>;
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

/// Returns the role of a user on a calendar.
pub(super) async fn role<S: Session>(session: &mut S, calendar: &Calendar, user: Mailbox) -> Result<Option<Role>> {
    if calendar.owner == user {
        return Ok(Some(Role::Owner));
    }
    let rows = session.rows(sql::SHARE, &[calendar.number.0.into(), user.0.into()]).await?;
    rows.first().map(|row| stored_role(row.int(0)?)).transpose()
}

pub(super) fn stored_role(number: i64) -> Result<Role> {
    Role::from_stored(number).ok_or_else(|| Error::Fault(format!("{number} is not the number of a role")))
}

struct SetShare(CalendarNumber, Mailbox, Option<Role>);

impl Operation for SetShare {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let calendar = lock(session, self.0).await?;
        accounts::require(session, self.1).await?;
        if calendar.owner == self.1 {
            return Err(Error::Refused("the owner of a calendar may do everything with it already".to_owned()));
        }
        let key = [self.0.0.into(), self.1.0.into()];
        match self.2 {
            Some(role) => {
                let [calendar, user] = key;
                session.run(sql::SHARE_SET, &[calendar, user, role.stored().into()]).await?
            }
            None => {
                session.run(sql::CHANNELS_SHARED_DROP, &key).await?;
                session.run(sql::SHARE_DROP, &key).await?
            }
        };
        Ok(())
    }
}

struct ListShares(CalendarNumber);

impl Operation for ListShares {
    type Output = Vec<Share>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Share>> {
        let share = |row: &mut Row| {
            Ok(Share { user: Mailbox(row.int(0)?), address: row.text(1)?, role: stored_role(row.int(2)?)? })
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

    async fn find_calendars(&self, ids: Vec<String>, user: Mailbox) -> Result<Vec<FoundCalendar>> {
        self.perform(FindCalendars { ids, user }).await
    }

    async fn visible_calendars(&self, user: Mailbox) -> Result<Vec<(Calendar, Role)>> {
        self.perform(super::visible::ListVisible(user)).await
    }

    async fn set_calendar<F>(&self, calendar: CalendarNumber, change: F, now: Millis) -> Result<Calendar>
    where
        F: FnOnce(&mut Calendar) + Send + 'static,
    {
        self.perform(SetCalendar(calendar, change, now)).await
    }

    async fn remove_calendar(&self, id: &str) -> Result<()> {
        let number = self.perform(HideCalendar(id.to_owned())).await?;
        while self.perform(super::remains::ClearCalendar(number)).await? {}
        Ok(())
    }

    async fn share_calendar(&self, calendar: CalendarNumber, user: Mailbox, role: Option<Role>) -> Result<()> {
        self.perform(SetShare(calendar, user, role)).await
    }

    async fn calendar_shares(&self, calendar: CalendarNumber) -> Result<Vec<Share>> {
        self.perform(ListShares(calendar)).await
    }
}
