//! Commands of calendars.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Listing;
use crate::settings::{calendar, value};

#[derive(Subcommand)]
pub enum Calendars {
    /// Add a calendar.
    Add {
        /// What it is called.
        summary: String,
        /// Whose it is.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// What clients ask for it by (default: made up).
        #[arg(long)]
        id: Option<String>,
        /// Its time zone, such as Europe/Berlin.
        #[arg(long, default_value = "UTC", value_parser = value::time_zone, value_name = "ZONE")]
        time_zone: String,
    },
    /// List the calendars.
    List {
        /// Only those of a user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change what is set about a calendar. What is not given stays.
    Set {
        /// What clients ask for it by.
        id: String,
        /// What it is called.
        #[arg(long)]
        summary: Option<String>,
        /// What it is for.
        #[arg(long)]
        description: Option<String>,
        /// Its time zone: days begin in it, and events that last whole days stay on theirs.
        #[arg(long, value_parser = value::time_zone, value_name = "ZONE")]
        time_zone: Option<String>,
        /// The default reminders of its events, such as popup:10 for ten minutes before; `none` for none.
        #[arg(long, value_delimiter = ',', value_parser = calendar::reminder, value_name = "HOW:MINUTES")]
        reminder: Vec<calendar::Reminder>,
        /// The labels that its events can have, such as work=Work=#16a765; `none` for none.
        #[arg(long, value_delimiter = ',', value_parser = calendar::label, value_name = "ID=NAME=COLOUR")]
        label: Vec<calendar::Label>,
        /// When its owner works, in its time zone, such as mon-fri=09:00-17:00; `none` for nothing said.
        #[arg(long, value_delimiter = ',', value_parser = calendar::hours, value_name = "DAYS=FROM-UNTIL")]
        working_hours: Vec<calendar::Hours>,
    },
    /// Share a calendar with a user.
    Share {
        /// What clients ask for it by.
        id: String,
        /// With whom.
        #[arg(long = "with", value_name = "ADDRESS")]
        user: String,
        /// What they may do: freeBusyReader, reader, writer or owner; `none` ends it.
        #[arg(long, value_parser = calendar::role)]
        role: calendar::ShareRole,
    },
    /// List the users that a calendar is shared with.
    Shares {
        /// What clients ask for it by.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Remove a calendar; a user's own, named by their address, goes with the user alone.
    Remove {
        /// What clients ask for it by.
        id: String,
    },
}

#[derive(Subcommand)]
pub enum Channels {
    /// List the channels with what was sent on them last, without their tokens.
    List {
        /// Only those of a user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
}

#[derive(Subcommand)]
pub enum Birthdays {
    /// Special days of contacts from a file of vCard: the same file again changes nothing.
    Import {
        /// The file.
        file: PathBuf,
        #[command(flatten)]
        into: CalendarOf,
    },
}

#[derive(Subcommand)]
pub enum Export {
    /// The events of a calendar, as iCalendar.
    Ics {
        /// The file, which does not exist yet; `-` for the standard output.
        file: PathBuf,
        #[command(flatten)]
        from: CalendarOf,
    },
}

#[derive(Args)]
pub struct ImportEvents {
    /// The file, or the folder.
    pub path: PathBuf,
    #[command(flatten)]
    pub into: CalendarOf,
}

/// A calendar, as a user sees it.
#[derive(Args)]
pub struct CalendarOf {
    /// Who uses the calendar.
    #[arg(long, value_name = "ADDRESS")]
    pub user: String,
    /// What clients ask for the calendar by (default: the user's own).
    #[arg(long, value_name = "ID")]
    pub calendar: Option<String>,
}
