//! Calendars, their settings, and what users may do with them.

use serde_derive::{Deserialize, Serialize};

use crate::{Epoch, HistoryId, Mailbox, Millis};

/// Number of a calendar, which names it in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarNumber(pub i64);

/// A calendar that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCalendar {
    /// Its identifier; `None`: one is made up.
    pub id: Option<String>,
    /// Whose it is.
    pub owner: Mailbox,
    /// What it is called.
    pub summary: String,
    /// Its time zone by its IANA name.
    pub time_zone: String,
    /// Its settings.
    pub settings: CalendarSettings,
}

/// Settings of a calendar that its events refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CalendarSettings {
    /// What the calendar is for.
    pub description: String,
    /// Reminders of events that have none of their own.
    pub reminders: Vec<CalendarReminder>,
    /// Labels that events can have.
    pub labels: Vec<CalendarLabel>,
    /// When its owner works, in its time zone; none where nothing is said.
    pub working_hours: Vec<WorkingHours>,
}

/// Hours of a day of the week in which the owner of a calendar works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WorkingHours {
    /// The day, from 1 for Monday to 7 for Sunday.
    pub day: u8,
    /// Minute of the day at which they begin.
    pub from: u16,
    /// Minute of the day at which they end; 1,440 is midnight.
    pub until: u16,
}

/// Default reminder of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarReminder {
    /// How the user is reminded: `email` or `popup`.
    pub method: String,
    /// How many minutes before the start.
    pub minutes: i32,
}

/// Label of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarLabel {
    /// Identifier that events name it by.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Colour as `#rrggbb`.
    pub color: String,
}

/// A calendar. Every user has one whose identifier is their address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// Its number.
    pub number: CalendarNumber,
    /// Its identifier.
    pub id: String,
    /// Whose it is.
    pub owner: Mailbox,
    /// What it is called.
    pub summary: String,
    /// Its time zone by its IANA name.
    pub time_zone: String,
    /// Its settings.
    pub settings: CalendarSettings,
    /// Number of the last change.
    pub history: HistoryId,
    /// Changes up to this one may be forgotten.
    pub oldest: HistoryId,
    /// When it was changed last.
    pub touched: Millis,
    /// What was removed up to this time may be forgotten.
    pub forgotten: Millis,
    /// The epoch of the store.
    pub epoch: Epoch,
}

/// What a user may do with a calendar, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees when it is busy.
    FreeBusyReader = 1,
    /// Reads it, without the details of private events.
    Reader = 2,
    /// Reads and changes it.
    Writer = 3,
    /// Reads and changes it, and decides who else may.
    Owner = 4,
}

impl Role {
    /// All roles, the least first.
    pub const ALL: [Self; 4] = [Self::FreeBusyReader, Self::Reader, Self::Writer, Self::Owner];

    /// Returns the name as the public API spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FreeBusyReader => "freeBusyReader",
            Self::Reader => "reader",
            Self::Writer => "writer",
            Self::Owner => "owner",
        }
    }

    /// Returns the role of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    pub(crate) fn stored(self) -> i64 {
        self as i64
    }

    pub(crate) fn from_stored(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.stored() == number)
    }
}

/// A user with whom a calendar is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The user.
    pub user: Mailbox,
    /// Their address.
    pub address: String,
    /// What they may do.
    pub role: Role,
}

/// A calendar that was looked for, with what a user may do with it; `None` where there is none.
pub type FoundCalendar = Option<(Calendar, Option<Role>)>;
