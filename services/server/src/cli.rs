//! The command line.

mod calendars;
mod scripts;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use self::calendars::{Birthdays, CalendarOf, Calendars, Channels, Export, ImportEvents};
pub use self::scripts::Scripts;
use crate::settings::value::{self, Until};
use crate::settings::{Layer, Level, ServeFlags, StoreFlags};

/// All three APIs on one port: mail, calendar and script projects, on a store of their own.
///
/// Without a command it serves. The commands below work on the same store, also while a server runs.
///
/// Every setting has a flag, a variable of the environment and a key in the file of settings (the flag's name without
/// the hyphens in front); a flag counts before the environment, and that before the file.
#[derive(Parser)]
#[command(name = "wireform-services", version, max_term_width = 120)]
pub struct Cli {
    /// A file of settings, in YAML.
    #[arg(long, global = true, env = "WIREFORM_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Store")]
    pub store: StoreFlags,
    #[command(flatten, next_help_heading = "Serving")]
    pub serve: ServeFlags,
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What flags and environment say about where the store is, the nearer first.
    #[arg(skip)]
    pub places: Vec<Layer>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Answer requests until interrupted: what happens without a command.
    Serve(Box<ServeFlags>),
    /// Users: each has a mailbox and a calendar.
    #[command(subcommand)]
    Users(Users),
    /// Tokens, which clients show to be let in.
    #[command(subcommand)]
    Tokens(Tokens),
    /// Calendars, their settings, and whom they are shared with.
    #[command(subcommand)]
    Calendars(Calendars),
    /// Special days of contacts, which become events of calendars.
    #[command(subcommand)]
    Birthdays(Birthdays),
    /// Script projects, their executions, and whom they are shared with.
    #[command(subcommand)]
    Scripts(Scripts),
    /// Channels, on which changes of calendars are announced.
    #[command(subcommand)]
    Channels(Channels),
    /// Mailboxes, their labels and how many messages there are.
    #[command(subcommand)]
    Mailboxes(Mailboxes),
    /// Bring in mail and events that exist: what is there already is passed over, so that it can be started again.
    #[command(subcommand)]
    Import(Import),
    /// Write events to a file.
    #[command(subcommand)]
    Export(Export),
    /// How long the history of mailboxes is kept.
    #[command(subcommand)]
    Retention(Retention),
    /// Write a copy of the store, as it is at one moment, to a file that does not exist yet.
    Backup {
        /// The file.
        file: PathBuf,
    },
    /// Make a store out of a copy. Tokens that were revoked since the copy was made are valid again, and clients read
    /// everything anew.
    Restore {
        /// The file that `backup` has written.
        file: PathBuf,
        /// Replace the store that is there.
        #[arg(long)]
        overwrite: bool,
    },
    /// End what clients hold of the store: they read everything anew. For a copy that came back in a way that the store
    /// does not notice, such as a snapshot of a disk or of a whole machine.
    NewEpoch,
    /// Fill an empty store with what a file describes.
    Seed {
        /// The file, in YAML.
        file: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Users {
    /// Add a user.
    Add {
        /// Their mail address.
        address: String,
        /// What people call them.
        #[arg(long, default_value = "", hide_default_value = true)]
        name: String,
        /// The time zone of their calendar, such as Europe/Berlin.
        #[arg(long, default_value = "UTC", value_parser = crate::settings::value::time_zone, value_name = "ZONE")]
        time_zone: String,
    },
    /// List the users.
    List(Listing),
    /// Say what others see of a user in script projects: what is not given is not shown.
    Profile {
        /// Their mail address.
        address: String,
        /// Show nothing of them to others.
        #[arg(long)]
        hidden: bool,
        /// The address of a picture.
        #[arg(long, value_name = "URL")]
        photo: Option<String>,
    },
    /// Remove a user with their mail, their calendars, their scripts and their tokens.
    Remove {
        /// Their mail address.
        address: String,
    },
}

#[derive(Subcommand)]
pub enum Tokens {
    /// Make a token. It is written to the standard output, once: the store keeps its hash.
    Create {
        /// Whose it is.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// What it allows, such as mail.readonly or the full address of a scope; several by commas, or repeated. `all`:
        /// everything.
        #[arg(long, required = true, value_name = "SCOPE", value_delimiter = ',')]
        scope: Vec<String>,
        /// When it ends: after a time such as 12h or 30d, at a time such as 2026-12-31T00:00:00Z, or never.
        #[arg(long, default_value = "30d", value_parser = value::until, value_name = "WHEN")]
        expires: Until,
        /// What it is for.
        #[arg(long, default_value = "", hide_default_value = true)]
        note: String,
        /// It is that of a service account, a program that does not act for a person: it may do what the user may, and add
        /// no attendees to events.
        #[arg(long)]
        service_account: bool,
        /// The user has delegated to the service account what they may do, so that it acts as they do.
        #[arg(long, requires = "service_account")]
        delegated: bool,
    },
    /// List the tokens, without what clients show.
    List {
        /// Only those of a user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a token: it is refused from then on.
    Revoke {
        /// Its number, as in the list.
        #[arg(value_parser = value::token_number)]
        number: i64,
    },
}

#[derive(Subcommand)]
pub enum Mailboxes {
    /// List the mailboxes.
    List(Listing),
    /// Show a mailbox with its labels.
    Show {
        /// The address of its user.
        address: String,
        #[command(flatten)]
        listing: Listing,
    },
}

#[derive(Subcommand)]
pub enum Import {
    /// From a folder in the Maildir format, with its sub-folders as labels.
    Maildir(ImportFrom),
    /// From a file in the mbox format.
    Mbox(ImportFrom),
    /// Events from a file of iCalendar, or from all such files in a folder and those within it.
    Ics(ImportEvents),
}

#[derive(Args, Clone)]
pub struct ImportFrom {
    /// The folder or file.
    pub path: PathBuf,
    /// Into whose mailbox.
    #[arg(long, value_name = "ADDRESS")]
    pub user: String,
    /// A label that all of it is given, by its name; it is made if it is not there.
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// Invitations in it come onto the calendar of the user, as events that are locked; answers to invitations count.
    #[arg(long)]
    pub process_for_calendar: bool,
}

#[derive(Subcommand)]
pub enum Retention {
    /// Show how long history is kept.
    Show(Listing),
    /// Set how long history is kept.
    Set {
        /// At least 1h, such as 30d; or forever.
        #[arg(value_parser = value::retention)]
        time: wireform_store::Retention,
    },
}

#[derive(Args, Clone, Copy)]
pub struct Listing {
    /// As JSON, for programs.
    #[arg(long)]
    pub json: bool,
}

/// Reads the command line and the environment.
///
/// # Errors
/// What clap says, with what it does not know.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments).map_err(name_variable)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(name_variable)?;
    cli.places = vec![
        layer(&matches, &cli.store, ValueSource::CommandLine, Level::Flags),
        layer(&matches, &cli.store, ValueSource::EnvVariable, Level::Environment),
    ];
    let serves = matches!(cli.command, None | Some(Command::Serve(_)));
    if let Some(stray) = ServeFlags::NAMES.iter().find(|name| !serves && is_flag(&matches, name)) {
        let flag = stray.replace('_', "-");
        let said = format!("--{flag} belongs to serving, and this command does not serve");
        return Err(command.error(ErrorKind::ArgumentConflict, said));
    }
    Ok(cli)
}

/// Whether a setting was given as a flag, and not by the environment.
fn is_flag(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// Returns what one level says about where the store is.
fn layer(matches: &ArgMatches, flags: &StoreFlags, source: ValueSource, level: Level) -> Layer {
    let said = |name| matches.value_source(name) == Some(source);
    Layer {
        level,
        data: flags.data.clone().filter(|_| said("data")),
        store: flags.store.clone().filter(|_| said("store")),
    }
}

/// Names the variable of the environment that a bad value came from: clap tells of the flag alone.
fn name_variable(mut error: clap::Error) -> clap::Error {
    let bad = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(flag), Some(value)) = (bad(ContextKind::InvalidArg), bad(ContextKind::InvalidValue)) else {
        return error;
    };
    let flag = flag.split([' ', '=', '[']).next().unwrap_or_default().to_owned();
    let name = flag.trim_start_matches('-').replace('-', "_").to_uppercase();
    let variable = format!("WIREFORM_{name}");
    let said = std::env::args().any(|argument| argument == flag || argument.starts_with(&format!("{flag}=")));
    if !said && std::env::var(&variable).is_ok_and(|found| found == value) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(format!("{variable} (the environment; {flag})")));
    }
    error
}
