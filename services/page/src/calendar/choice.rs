//! Selection of a calendar page: user, calendars, view and date.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{Person, Services, VisibleCalendar, WorkingHours};

/// Maximum number of calendars that are shown at once; the others can be selected.
const MAX_CALENDARS: usize = 12;

/// View of calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Week,
    Day,
    Month,
    Busy,
    BusyDay,
}

impl View {
    /// All views with their names in URLs and their labels.
    pub(super) const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Week, "week", "Week"),
        (Self::Day, "day", "Day"),
        (Self::Month, "month", "Month"),
        (Self::Busy, "busy", "Free and busy: week"),
        (Self::BusyDay, "busy-day", "Free and busy: day"),
    ];

    /// Returns the name in URLs.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(view, ..)| *view == self).map_or("week", |(_, name, _)| name)
    }
}

/// Selection of a page.
pub(super) struct Choice {
    pub(super) people: Vec<Person>,
    pub(super) person: usize,
    /// Calendars that the user sees, with whether each is shown.
    pub(super) calendars: Vec<(VisibleCalendar, bool)>,
    /// True if the URL names calendars.
    pub(super) is_selection: bool,
    pub(super) view: View,
    /// Words of a search, whose results are shown instead of the view; possibly empty.
    pub(super) search: String,
    pub(super) date: Date,
    pub(super) zone: TimeZone,
    pub(super) zone_name: String,
    /// Local time in the zone of the page.
    pub(super) now: DateTime,
}

impl Choice {
    /// Reads the selection from the parameters. Times are in the zone of the first shown calendar.
    pub(super) async fn read<O: Services>(pages: &BrowsePages<O>, parameters: &Parameters) -> Result<Self, Failure> {
        let (people, person) = pages.people(parameters.get("user")).await?;
        let user = people.get(person).map(|person| person.address.clone()).unwrap_or_default();
        let visible = pages.page.source.calendars(&user).await.map_err(Failure::Unavailable)?;
        let names: Vec<&str> = parameters.all("calendar").filter(|name| !name.is_empty()).collect();
        if let Some(unknown) = names.iter().find(|name| !visible.iter().any(|calendar| calendar.id == **name)) {
            return Err(Failure::NotFound(format!("Calendar `{unknown}` not found, or not visible to {user}.")));
        }
        let calendars = mark_shown(visible, &names);
        let first = calendars.iter().find(|(_, shown)| *shown).map(|(calendar, _)| calendar.time_zone.clone());
        let zone_name = first.unwrap_or_else(|| "UTC".to_owned());
        let zone = TimeZone::get(&zone_name).unwrap_or(TimeZone::UTC);
        let now = zone.to_datetime(pages.page.source.now());
        let view = match parameters.get("view") {
            None => View::Week,
            Some(name) => View::ALL
                .into_iter()
                .find(|(_, known, _)| *known == name)
                .map(|(view, ..)| view)
                .ok_or_else(|| Failure::BadRequest(format!("View `{name}` not found.")))?,
        };
        let date = parameters.get("date").map(parse_date).transpose()?.unwrap_or(now.date());
        let is_selection = !names.is_empty();
        let search = parameters.get("q").map(|search| search.trim().to_owned()).unwrap_or_default();
        Ok(Self { people, person, calendars, is_selection, view, search, date, zone, zone_name, now })
    }

    /// Returns the address of the user.
    pub(super) fn user(&self) -> &str {
        self.people.get(self.person).map_or("", |person| &person.address)
    }

    /// Returns the working hours of the first shown calendar, whose zone is that of the page.
    pub(super) fn working_hours(&self) -> &[WorkingHours] {
        self.shown_calendars().next().map_or(&[], |(_, calendar)| &calendar.working_hours)
    }

    /// Returns the shown calendars, with their indices among all.
    pub(super) fn shown_calendars(&self) -> impl Iterator<Item = (usize, &VisibleCalendar)> {
        let all = self.calendars.iter().enumerate();
        all.filter(|(_, (_, shown))| *shown).map(|(place, (calendar, _))| (place, calendar))
    }

    /// Returns the first shown day, and the day after the last one.
    pub(super) fn range(&self) -> (Date, Date) {
        match self.view {
            View::Week | View::Busy => {
                let monday = monday_of(self.date);
                (monday, add_days(monday, 7))
            }
            View::Month => (monday_of(self.date.first_of_month()), add_days(monday_of(self.date.last_of_month()), 7)),
            View::Day | View::BusyDay => (self.date, add_days(self.date, 1)),
        }
    }

    /// Returns the shown days.
    pub(super) fn days(&self) -> Vec<Date> {
        let (first, end) = self.range();
        first.series(Span::new().days(1)).take_while(|day| *day < end).collect()
    }

    /// Returns the instant at which a day begins.
    pub(super) fn instant(&self, day: Date) -> Timestamp {
        let midnight = self.zone.to_ambiguous_timestamp(day.to_datetime(Time::midnight()));
        midnight.compatible().unwrap_or(Timestamp::MAX)
    }

    /// Returns a link to another view or date of the same calendars.
    pub(super) fn link(&self, view: View, date: Date) -> Link {
        let mut link = Link::new("/calendar").with("user", self.user());
        if self.is_selection {
            for (_, calendar) in self.shown_calendars() {
                link = link.with("calendar", &calendar.id);
            }
        }
        link.with("view", view.name()).with("date", date)
    }

    /// Returns the dates of the previous and the next page of the view.
    pub(super) fn neighbors(&self) -> (Date, Date) {
        let span = match self.view {
            View::Week | View::Busy => Span::new().days(7),
            View::Month => Span::new().months(1),
            View::Day | View::BusyDay => Span::new().days(1),
        };
        let date = if self.view == View::Month { self.date.first_of_month() } else { self.date };
        (date.saturating_sub(span), date.saturating_add(span))
    }

    /// Returns the heading of the page.
    pub(super) fn title(&self) -> String {
        let (first, end) = self.range();
        let last = end.yesterday().unwrap_or(first);
        match self.view {
            _ if !self.search.is_empty() => format!("Events with “{}”", self.search),
            View::Month => self.date.strftime("%B %Y").to_string(),
            View::Day | View::BusyDay => self.date.strftime("%A, %-d %B %Y").to_string(),
            _ if first.month() == last.month() => format!("{} – {}", first.day(), last.strftime("%-d %B %Y")),
            _ if first.year() == last.year() => {
                format!("{} – {}", first.strftime("%-d %B"), last.strftime("%-d %B %Y"))
            }
            _ => format!("{} – {}", first.strftime("%-d %B %Y"), last.strftime("%-d %B %Y")),
        }
    }
}

/// Marks the named calendars as shown, or all if none is named, up to [`MAX_CALENDARS`].
fn mark_shown(visible: Vec<VisibleCalendar>, names: &[&str]) -> Vec<(VisibleCalendar, bool)> {
    let mut room = MAX_CALENDARS;
    let mut marked = Vec::with_capacity(visible.len());
    for calendar in visible {
        let wanted = names.is_empty() || names.contains(&calendar.id.as_str());
        let shown = wanted && room > 0;
        room -= usize::from(shown);
        marked.push((calendar, shown));
    }
    marked
}

fn parse_date(text: &str) -> Result<Date, Failure> {
    let date = text.parse::<Date>().ok().filter(|date| (1..=9_998).contains(&date.year()));
    date.ok_or_else(|| Failure::BadRequest(format!("`{text}` is not a day such as 2026-03-02.")))
}

fn monday_of(date: Date) -> Date {
    date.saturating_sub(Span::new().days(date.weekday().to_monday_zero_offset()))
}

pub(super) fn add_days(date: Date, days: i64) -> Date {
    date.saturating_add(Span::new().days(days))
}
