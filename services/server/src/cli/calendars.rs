//! Commands of calendars.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Listing;
use crate::settings::{calendar, value};

#[derive(Subcommand)]
pub enum Calendars {
    /// Add a calendar.
    Add {
        /// Title of the calendar.
        summary: String,
        /// Owner of the calendar.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// Identifier that clients use (default: generated).
        #[arg(long)]
        id: Option<String>,
        /// Time zone of the calendar, such as Europe/Berlin.
        #[arg(long, default_value = "UTC", value_parser = value::time_zone, value_name = "ZONE")]
        time_zone: String,
    },
    /// List the calendars.
    List {
        /// List only the calendars of this user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change the settings of a calendar; omitted settings stay as they are.
    Set {
        /// Identifier of the calendar.
        id: String,
        #[command(flatten)]
        changes: Box<CalendarChanges>,
    },
    /// Share a calendar with a user.
    Share {
        /// Identifier of the calendar.
        id: String,
        /// User to share the calendar with.
        #[arg(long = "with", value_name = "ADDRESS")]
        user: String,
        /// Role of the user: freeBusyReader, reader, writer or owner; `none` ends the sharing.
        #[arg(long, value_parser = calendar::role)]
        role: calendar::ShareRole,
    },
    /// List the users that a calendar is shared with.
    Shares {
        /// Identifier of the calendar.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Remove a calendar. A user's primary calendar is removed only with the user.
    Remove {
        /// Identifier of the calendar.
        id: String,
    },
}

/// Changes of the settings of a calendar.
#[derive(Args)]
pub struct CalendarChanges {
    /// Title of the calendar.
    #[arg(long)]
    pub summary: Option<String>,
    /// Description of the calendar.
    #[arg(long)]
    pub description: Option<String>,
    /// Time zone of the calendar. All-day events keep their dates.
    #[arg(long, value_parser = value::time_zone, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// Default reminders of its events, such as popup:10 for ten minutes before, in place of all others; `none` removes
    /// them.
    #[arg(long, value_delimiter = ',', value_parser = calendar::reminder, value_name = "HOW:MINUTES")]
    pub reminder: Vec<calendar::Reminder>,
    /// Labels available to its events, such as work=Work=#16a765, in place of all others; `none` removes them.
    #[arg(long, value_delimiter = ',', value_parser = calendar::label, value_name = "ID=NAME=COLOR")]
    pub label: Vec<calendar::Label>,
    /// Working hours of the owner, in the calendar's time zone, such as mon-fri=09:00-17:00, in place of all others;
    /// `none` removes them.
    #[arg(long, value_delimiter = ',', value_parser = calendar::hours, value_name = "DAYS=FROM-UNTIL")]
    pub working_hours: Vec<calendar::Hours>,
}

#[derive(Subcommand)]
pub enum Channels {
    /// List the channels with the last notification sent on each, without their tokens.
    List {
        /// List only the channels of this user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
}

#[derive(Subcommand)]
pub enum Birthdays {
    /// Import special days of contacts from a vCard file. Importing the same file again changes nothing.
    Import {
        /// The vCard file.
        file: PathBuf,
        #[command(flatten)]
        into: CalendarOf,
    },
}

#[derive(Subcommand)]
pub enum Export {
    /// Export the events of a calendar as iCalendar.
    Ics {
        /// Output file, which must not exist yet; `-` for the standard output.
        file: PathBuf,
        #[command(flatten)]
        from: CalendarOf,
    },
}

#[derive(Args)]
pub struct ImportEvents {
    /// iCalendar file, or a folder of such files.
    pub path: PathBuf,
    #[command(flatten)]
    pub into: CalendarOf,
}

/// Calendar in the view of a user.
#[derive(Args)]
pub struct CalendarOf {
    /// User of the calendar.
    #[arg(long, value_name = "ADDRESS")]
    pub user: String,
    /// Identifier of the calendar (default: the user's primary calendar).
    #[arg(long, value_name = "ID")]
    pub calendar: Option<String>,
}
