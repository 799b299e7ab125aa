//! Command line.

mod calendars;
mod scripts;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use self::calendars::{Birthdays, CalendarChanges, CalendarOf, Calendars, Channels, Export, ImportEvents};
pub use self::scripts::Scripts;
use crate::settings::value::{self, Until};
use crate::settings::{Layer, Level, ServeFlags, StoreFlags};

/// Serves the mail, calendar and script APIs on one port, with a store of its own.
///
/// Without a command the program serves. The commands below work on the same store, also while a server runs.
///
/// Every setting has a flag, an environment variable and a key in the settings file (the flag's name without the
/// leading hyphens). Flags take precedence over the environment, and the environment over the file.
#[derive(Parser)]
#[command(name = "wireform-services", version, max_term_width = 120)]
pub struct Cli {
    /// Settings file, in YAML.
    #[arg(long, global = true, env = "WIREFORM_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Store")]
    pub store: StoreFlags,
    #[command(flatten, next_help_heading = "Serving")]
    pub serve: ServeFlags,
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Store locations given by flags and environment, in order of precedence.
    #[arg(skip)]
    pub locations: Vec<Layer>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve requests until interrupted (the default without a command).
    Serve(Box<ServeFlags>),
    /// Manage users: each has a mailbox and a calendar.
    #[command(subcommand)]
    Users(Users),
    /// Manage access tokens.
    #[command(subcommand)]
    Tokens(Tokens),
    /// Manage calendars, their settings and their shares.
    #[command(subcommand)]
    Calendars(Calendars),
    /// Import special days of contacts as calendar events.
    #[command(subcommand)]
    Birthdays(Birthdays),
    /// Manage script projects, their executions and their shares.
    #[command(subcommand)]
    Scripts(Scripts),
    /// Show channels, on which changes of calendars are announced.
    #[command(subcommand)]
    Channels(Channels),
    /// Show mailboxes with their labels and message counts.
    #[command(subcommand)]
    Mailboxes(Mailboxes),
    /// Import existing mail and events. Items that are already stored are skipped, so an import can be repeated.
    #[command(subcommand)]
    Import(Import),
    /// Export events to a file.
    #[command(subcommand)]
    Export(Export),
    /// Show or set how long the history of mailboxes is kept.
    #[command(subcommand)]
    Retention(Retention),
    /// Back up the store, as of one moment, to a new file.
    Backup {
        /// Backup file, which must not exist yet.
        file: PathBuf,
    },
    /// Create a store from a backup. Tokens revoked since the backup are valid again, and clients resynchronize.
    Restore {
        /// File written by `backup`.
        file: PathBuf,
        /// Replace the existing store.
        #[arg(long)]
        overwrite: bool,
    },
    /// Invalidate all sync state of clients, so that they resynchronize. For a store restored in a way that it cannot
    /// notice, such as from a snapshot of a disk or a whole machine.
    NewEpoch,
    /// Fill an empty store from a seed file.
    Seed {
        /// Seed file, in YAML.
        file: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Users {
    /// Add a user.
    Add {
        /// Mail address of the user.
        address: String,
        /// Display name.
        #[arg(long, default_value = "", hide_default_value = true)]
        name: String,
        /// Time zone of the user's calendar, such as Europe/Berlin.
        #[arg(long, default_value = "UTC", value_parser = crate::settings::value::time_zone, value_name = "ZONE")]
        time_zone: String,
    },
    /// List the users.
    List(Listing),
    /// Set the profile that other users see in script projects; omitted values are cleared.
    Profile {
        /// Mail address of the user.
        address: String,
        /// Hide the profile from other users.
        #[arg(long)]
        hidden: bool,
        /// URL of a picture.
        #[arg(long, value_name = "URL")]
        photo: Option<String>,
    },
    /// Remove a user with all mail, calendars, scripts and tokens.
    Remove {
        /// Mail address of the user.
        address: String,
    },
}

#[derive(Subcommand)]
pub enum Tokens {
    /// Create a token. It is printed once to the standard output; the store keeps only its hash.
    Create {
        /// User of the token.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// Scopes of the token, such as mail.readonly or a full scope URL, separated by commas or repeated; `all` for
        /// every scope.
        #[arg(long, required = true, value_name = "SCOPE", value_delimiter = ',')]
        scope: Vec<String>,
        /// Expiry: a duration such as 12h or 30d, a time such as 2026-12-31T00:00:00Z, or never.
        #[arg(long, default_value = "30d", value_parser = value::until, value_name = "WHEN")]
        expires: Until,
        /// Note on the purpose of the token.
        #[arg(long, default_value = "", hide_default_value = true)]
        note: String,
        /// Create the token for a service account, a program that does not act for a person: it has the permissions of
        /// the user, but cannot add attendees to events.
        #[arg(long)]
        service_account: bool,
        /// Delegate the user's authority to the service account, so that it acts as the user.
        #[arg(long, requires = "service_account")]
        delegated: bool,
    },
    /// List the tokens, without their secrets.
    List {
        /// List only the tokens of this user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a token. It is refused from then on.
    Revoke {
        /// Number of the token, as listed by `tokens list`.
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
        /// Mail address of the user.
        address: String,
        #[command(flatten)]
        listing: Listing,
    },
}

#[derive(Subcommand)]
pub enum Import {
    /// Import a folder in the Maildir format, with its subfolders as labels.
    Maildir(ImportFrom),
    /// Import a file in the mbox format.
    Mbox(ImportFrom),
    /// Import events from an iCalendar file, or from all such files in a folder and its subfolders.
    Ics(ImportEvents),
}

#[derive(Args, Clone)]
pub struct ImportFrom {
    /// Folder or file to import.
    pub path: PathBuf,
    /// User whose mailbox receives the mail.
    #[arg(long, value_name = "ADDRESS")]
    pub user: String,
    /// Label for all imported mail, by name; it is created if it does not exist.
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// Add invitations in the mail to the user's calendar, as locked events, and apply replies to invitations.
    #[arg(long)]
    pub process_for_calendar: bool,
}

#[derive(Subcommand)]
pub enum Retention {
    /// Show how long history is kept.
    Show(Listing),
    /// Set how long history is kept.
    Set {
        /// Duration of at least 1h, such as 30d; or forever.
        #[arg(value_parser = value::retention)]
        time: wireform_store::Retention,
    },
}

#[derive(Args, Clone, Copy)]
pub struct Listing {
    /// Print JSON, for programs.
    #[arg(long)]
    pub json: bool,
}

/// Parses the command line and the environment.
///
/// # Errors
/// Returns an error of clap if an argument is unknown or invalid, or if a flag of `serve` is given to another command.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments).map_err(name_variable)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(name_variable)?;
    cli.locations = vec![
        store_layer(&matches, &cli.store, ValueSource::CommandLine, Level::Flags),
        store_layer(&matches, &cli.store, ValueSource::EnvVariable, Level::Environment),
    ];
    let serves = matches!(cli.command, None | Some(Command::Serve(_)));
    if let Some(stray) = ServeFlags::NAMES.iter().find(|name| !serves && is_flag(&matches, name)) {
        let flag = stray.replace('_', "-");
        let message = format!("--{flag} is a flag of `serve`, and this command does not serve");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    Ok(cli)
}

/// Returns whether a setting was given as a flag rather than by the environment.
fn is_flag(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// Returns the store location that one level sets.
fn store_layer(matches: &ArgMatches, flags: &StoreFlags, source: ValueSource, level: Level) -> Layer {
    let is_set = |name| matches.value_source(name) == Some(source);
    Layer {
        level,
        data: flags.data.clone().filter(|_| is_set("data")),
        store: flags.store.clone().filter(|_| is_set("store")),
    }
}

/// Adds the environment variable to the error of a value that came from one: clap names only the flag.
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
    let is_flag = std::env::args().any(|argument| argument == flag || argument.starts_with(&format!("{flag}=")));
    if !is_flag && std::env::var(&variable).is_ok_and(|found| found == value) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(format!("{variable} (the environment; {flag})")));
    }
    error
}
