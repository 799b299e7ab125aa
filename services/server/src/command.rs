//! Commands other than `serve`.

mod backup;
mod birthdays;
mod calendars;
mod channels;
mod events;
mod import;
mod mailboxes;
mod progress;
mod retention;
mod scripts;
mod tokens;
mod users;

use std::path::Path;

use anyhow::{Context as _, ensure};
use wireform_store::{AnyStore, Clock, Maintenance as _, Sqlite, Store};

use crate::cli::Command;
use crate::output;
use crate::settings::StoreLocation;

/// Runs a command.
pub async fn run(location: &StoreLocation, clock: &Clock, command: Command) -> anyhow::Result<()> {
    if let Command::Restore { file, overwrite } = &command {
        return backup::restore(location, file, *overwrite);
    }
    if let (Command::Backup { .. }, StoreLocation::Folder(folder)) = (&command, location) {
        // A mistyped folder would otherwise get a new, empty store and a backup of it.
        ensure!(Sqlite::exists(folder), "no store in {} to back up; help: check --data", folder.display());
    }
    let store = location.open().await?;
    let done = dispatch(&store, location, clock, command).await;
    store.close().await;
    done
}

/// Runs a command that uses an open store.
async fn dispatch(store: &AnyStore, location: &StoreLocation, clock: &Clock, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Users(users) => users::run(store, clock, users).await,
        Command::Tokens(tokens) => tokens::run(store, clock, tokens).await,
        Command::Calendars(calendars) => calendars::run(store, clock, calendars).await,
        Command::Birthdays(birthdays) => birthdays::run(store, clock, birthdays).await,
        Command::Scripts(scripts) => scripts::run(store, clock, scripts).await,
        Command::Channels(channels) => channels::run(store, clock, channels).await,
        Command::Mailboxes(mailboxes) => mailboxes::run(store, mailboxes).await,
        Command::Import(import) => import::run(store, clock, import).await,
        Command::Export(export) => events::export(store, clock, export).await,
        Command::Retention(retention) => retention::run(store, retention).await,
        Command::Backup { file } => backup::write(store, location, &file).await,
        Command::NewEpoch => new_epoch(store).await,
        Command::Seed { file } => seed(store, clock, &file).await,
        // Handled elsewhere: these do not use an open store.
        Command::Serve(_) | Command::Restore { .. } => Ok(()),
    }
}

async fn new_epoch<S: Store>(store: &S) -> anyhow::Result<()> {
    store.begin_epoch().await.context("the new epoch of the store could not be started")?;
    output::write_line("started a new epoch of the store: clients will resynchronize")
}

/// Fills the store from a seed file, and prints whether it was filled before.
async fn seed(store: &AnyStore, clock: &Clock, file: &Path) -> anyhow::Result<()> {
    let filled = crate::seed::fill(store, clock, file).await?;
    let file = file.display();
    output::write_line(&if filled {
        format!("the store is filled with {file}")
    } else {
        format!("the store was filled with {file} before: nothing is changed")
    })
}
