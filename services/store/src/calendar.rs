//! Calendars, their settings and access roles.

use serde_derive::{Deserialize, Serialize};

use crate::{Epoch, HistoryId, Mailbox, Millis};

/// Key of a calendar in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarNumber(pub i64);

/// Calendar to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCalendar {
    /// Identifier; `None` to generate one.
    pub id: Option<String>,
    /// Its owner.
    pub owner: Mailbox,
    /// Title.
    pub summary: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Its settings.
    pub settings: CalendarSettings,
}

/// Settings of a calendar that its events refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CalendarSettings {
    /// Description of the calendar.
    pub description: String,
    /// Default reminders of events without reminders of their own.
    pub reminders: Vec<CalendarReminder>,
    /// Labels for events.
    pub labels: Vec<CalendarLabel>,
    /// Working hours of the owner, in the calendar's time zone; empty if unknown.
    pub working_hours: Vec<WorkingHours>,
}

/// Working hours of the owner of a calendar on a day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WorkingHours {
    /// Day from 1 for Monday to 7 for Sunday.
    pub day: u8,
    /// First minute of the day.
    pub from: u16,
    /// Minute of the day at which the hours end; 1,440 is midnight.
    pub until: u16,
}

/// Default reminder of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarReminder {
    /// Reminder method: `email` or `popup`.
    pub method: String,
    /// Number of minutes before the start.
    pub minutes: i32,
}

/// Label of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarLabel {
    /// Identifier by which events refer to it.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Color as `#rrggbb`.
    pub color: String,
}

/// Stored calendar. Every user has one whose identifier is their address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// Key in the store.
    pub number: CalendarNumber,
    /// Public identifier.
    pub id: String,
    /// Its owner.
    pub owner: Mailbox,
    /// Title.
    pub summary: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Its settings.
    pub settings: CalendarSettings,
    /// History number of the last change.
    pub history: HistoryId,
    /// History number up to which changes may have been deleted.
    pub oldest_change: HistoryId,
    /// Time of the last change.
    pub modified: Millis,
    /// Time up to which removed entries may have been deleted.
    pub pruned_until: Millis,
    /// Epoch of the store.
    pub epoch: Epoch,
}

/// Access role of a user on a calendar, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees when the calendar is busy.
    FreeBusyReader = 1,
    /// Reads it, without the details of private events.
    Reader = 2,
    /// Reads and changes it.
    Writer = 3,
    /// Reads and changes it, and manages access.
    Owner = 4,
}

impl Role {
    /// All roles, the lowest first.
    pub const ALL: [Self; 4] = [Self::FreeBusyReader, Self::Reader, Self::Writer, Self::Owner];

    /// Returns the name in the public API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FreeBusyReader => "freeBusyReader",
            Self::Reader => "reader",
            Self::Writer => "writer",
            Self::Owner => "owner",
        }
    }

    /// Returns the role with a name in the public API.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    pub(crate) fn to_stored(self) -> i64 {
        self as i64
    }

    pub(crate) fn from_stored(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.to_stored() == number)
    }
}

/// User that a calendar is shared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The user.
    pub user: Mailbox,
    /// Mail address of the user.
    pub address: String,
    /// Role of the user.
    pub role: Role,
}

/// Result of a calendar lookup, with the user's role; `None` if the calendar does not exist.
pub type CalendarAccess = Option<(Calendar, Option<Role>)>;
