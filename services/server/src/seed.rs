//! Seeds: files that describe the initial contents of a store. A seed is validated before anything is written: first its
//! values, and then all that a service checks, by writing it into a temporary store. All errors are reported together. The
//! store records the progress, so that a partial seed is never taken for a complete one.

mod compose;
mod days;
mod format;
mod labels;
mod plan;
mod relative;
mod scripts;
#[cfg(test)]
mod tests;
mod values;

use std::path::Path;

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_saphyr::Location;
use sha2::{Digest as _, Sha256};
use wireform_calendar::{BirthdayReport, CalendarService};
use wireform_engine::{Pool, Settings as PoolSettings};
use wireform_script::ScriptService;
use wireform_script::pool::PoolEngine;
use wireform_server::tokens::TokenSealer;
use wireform_store::{
    Accounts as _, AnyStore, Calendar, Calendars as _, Clock, Mailboxes as _, Maintenance as _, NewCalendar, NewToken,
    Scripts as _, Sqlite, SqliteOptions, User, hex,
};

use self::plan::{CalendarPlan, ContentsPlan, Plan, UserPlan};
use self::relative::SeedText;
use self::scripts::ScriptPlan;
use self::values::Errors;
use crate::{accounts, settings};

/// Key of the note in the store that records its seed.
const SEED_NOTE: &str = "seed";

/// Number of messages that are stored at once.
const BATCH: usize = 500;

/// Fills an empty store from a seed file. Returns whether it was filled now, and not by an earlier call.
///
/// # Errors
/// Returns an error if the file cannot be read or is invalid, with all locations, if its contents cannot be written, or
/// if the store is not empty or only partly filled.
pub async fn fill(store: &AnyStore, clock: &Clock, file: &Path) -> anyhow::Result<bool> {
    let text = fs_err::read_to_string(file).context("the seed cannot be read")?;
    let today = Timestamp::from_millisecond(clock.now().0).unwrap_or_default().to_zoned(TimeZone::UTC).date();
    let seed = SeedText::resolve(file, &text, today);
    let hash = hex(&Sha256::digest(text.as_bytes()));
    let (begun, done) = (format!("begun {hash}"), format!("done {hash}"));
    match store.note(SEED_NOTE).await.context("the store cannot be read")? {
        Some(note) if note == done => {
            tracing::info!(seed = %file.display(), "the store was filled with this seed before");
            return Ok(false);
        }
        Some(note) if note.starts_with("done") => bail!(
            "the store was filled with another seed, or this one has changed since; help: use an empty store for \
             {}",
            file.display()
        ),
        Some(_) => bail!(
            "an earlier seeding was not completed, so the store holds only a part of the seed; help: remove the \
             store and seed again"
        ),
        None => {}
    }
    if !store.users().await.context("the store cannot be read")?.is_empty() {
        bail!("only an empty store can be seeded, but this store has users; help: use another folder or database");
    }
    rehearse(clock, &seed).await?;
    let plan = plan(&seed)?;
    if !store.set_note(SEED_NOTE, None, &begun).await.context("the store cannot be written")? {
        bail!("another program is seeding the store");
    }
    let key = store.sealing_key().await?;
    let scripts = ScriptService::new(store.clone(), TokenSealer::new(key), clock.clone());
    let mut errors = Errors::default();
    let written = write(store, clock, &scripts, plan, &mut errors).await.and_then(|()| errors.into_result(&seed));
    written.context("the seed was not written completely; help: remove the store and seed again")?;
    store.set_note(SEED_NOTE, Some(&begun), &done).await.context("the store cannot be written")?;
    tracing::info!(seed = %file.display(), "the store is filled");
    Ok(true)
}

/// Validates the values of a seed.
fn plan(seed: &SeedText<'_>) -> anyhow::Result<Plan> {
    let mut errors = Errors::default();
    let plan = Plan::validate(settings::yaml(seed.text(), |at| seed.place(at))?, &mut errors);
    errors.into_result(seed).map(|()| plan)
}

/// Validates a seed by writing it into a temporary store, with an engine that knows which functions scripts have.
async fn rehearse(clock: &Clock, seed: &SeedText<'_>) -> anyhow::Result<()> {
    let plan = plan(seed)?;
    let folder = tempfile::tempdir().context("the seed cannot be checked")?;
    let store = AnyStore::Sqlite(Sqlite::open(folder.path(), SqliteOptions::default())?);
    let scripts = ScriptService::new(store.clone(), TokenSealer::new(store.sealing_key().await?), clock.clone());
    let mut errors = Errors::default();
    let written = if plan.users.iter().any(|user| user.scripts.iter().any(|script| !script.triggers.is_empty())) {
        let command = PoolSettings::current_program(settings::script::SCRIPT_PROCESS)?;
        let pool = Pool::new(PoolSettings { idle: 1, ..command });
        let written = write(&store, clock, &scripts.with_engine(PoolEngine(pool.clone())), plan, &mut errors).await;
        pool.close().await;
        written
    } else {
        write(&store, clock, &scripts, plan, &mut errors).await
    };
    store.close().await;
    written.and_then(|()| errors.into_result(seed))
}

/// Writes everything in the plan, in an order in which all references exist. Adds the errors of contents that a service
/// refuses.
async fn write(
    store: &AnyStore,
    clock: &Clock,
    projects: &ScriptService<AnyStore>,
    plan: Plan,
    errors: &mut Errors,
) -> anyhow::Result<()> {
    if let Some(retention) = plan.retention {
        store.set_retention(retention).await?;
    }
    let mut contents = Vec::new();
    let mut scripts = Vec::new();
    for mut user in plan.users {
        let address = user.address.clone();
        let own = std::mem::take(&mut user.scripts);
        scripts.extend(own.into_iter().map(|script| (address.clone(), script)));
        let written = write_user(store, clock, user).await.with_context(|| format!("user {address}"))?;
        contents.extend(written);
    }
    // Guests must exist before they are invited.
    for (owner, script) in scripts {
        write_script(store, clock, projects, &owner, script, errors).await?;
    }
    let service = CalendarService::new(store.clone(), TokenSealer::new(store.sealing_key().await?), clock.clone());
    for (owner, calendar, contents) in contents {
        write_contents(store, &service, (&owner, &calendar), contents, errors).await?;
    }
    Ok(())
}

/// Writes the contents and the shares of a calendar.
async fn write_contents(
    store: &AnyStore,
    service: &CalendarService<AnyStore>,
    (owner, calendar): (&User, &str),
    contents: ContentsPlan,
    errors: &mut Errors,
) -> anyhow::Result<()> {
    let calendars = store.find_calendars(vec![calendar.to_owned()], owner.mailbox).await?;
    let Some((found, _)) = calendars.into_iter().next().flatten() else { return Ok(()) };
    for (at, address, role) in contents.shares {
        match accounts::user(store, &address).await {
            Ok(user) => store.share_calendar(found.number, user.mailbox, Some(role)).await?,
            Err(error) => errors.add(at, error),
        }
    }
    let added = service.add_days(owner, calendar, contents.days, &mut BirthdayReport::default()).await;
    if let Err(error) = added {
        let at = contents.days_at.unwrap_or(Location::UNKNOWN);
        refused(error, at, "the special days", errors)?;
    }
    for (at, event) in contents.events {
        let title = event.summary.clone().unwrap_or_default();
        if let Err(error) = service.add_event(owner, calendar, event).await {
            refused(error, at, &format!("the event `{title}`"), errors)?;
        }
    }
    Ok(())
}

/// Writes a script project. The functions that its files define are found when a client first reads them.
async fn write_script(
    store: &AnyStore,
    clock: &Clock,
    service: &ScriptService<AnyStore>,
    owner: &str,
    plan: ScriptPlan,
    errors: &mut Errors,
) -> anyhow::Result<()> {
    let user = accounts::user(store, owner).await?;
    let project = match service.add_project(&user, &plan.title, plan.files, plan.deployed).await {
        Ok(project) => project,
        Err(error) => return refused(error, plan.at, &format!("the script `{}`", plan.title), errors),
    };
    for (at, function, schedule) in plan.triggers {
        if let Err(error) = service.add_trigger_as(&user, &project.id, &function, schedule).await {
            refused(error, at, &format!("the trigger of `{function}`"), errors)?;
        }
    }
    for (at, address, role) in plan.shares {
        match accounts::user(store, &address).await {
            Ok(with) => store.share_project(project.number, with.mailbox, Some(role), clock.now()).await?,
            Err(error) => errors.add(at, error),
        }
    }
    Ok(())
}

/// Adds the error of contents that a service refuses; returns that of a store which is not available.
fn refused(error: wireform_server::Error, at: Location, what: &str, errors: &mut Errors) -> anyhow::Result<()> {
    if error.status().is_server_error() {
        anyhow::bail!("{what}: {}", error.message());
    }
    errors.add(at, format_args!("{what}: {}", error.message()));
    Ok(())
}

/// Writes a user. Returns the contents of the user's calendars.
async fn write_user(
    store: &AnyStore,
    clock: &Clock,
    plan: UserPlan,
) -> anyhow::Result<Vec<(User, String, ContentsPlan)>> {
    let now = clock.now();
    let owner = store.add_user(&plan.address, &plan.name, now).await?;
    let user = owner.mailbox;
    if let Some(own) = store.calendars(Some(user)).await?.into_iter().next() {
        let UserPlan { time_zone, settings, .. } = &plan;
        let (time_zone, settings) = (time_zone.clone(), settings.clone());
        let change = move |calendar: &mut Calendar| (calendar.time_zone, calendar.settings) = (time_zone, settings);
        store.update_calendar(own.number, change, now).await?;
    }
    let mut contents = vec![(owner.clone(), plan.address, plan.own)];
    let mut labels = Vec::new();
    for settings in plan.labels {
        labels.push(store.add_label(user, settings).await?.label);
    }
    let mut messages = plan.messages.into_iter().map(|message| message.prepare(&labels)).peekable();
    while messages.peek().is_some() {
        store.insert_messages(user, messages.by_ref().take(BATCH).collect(), now).await?;
    }
    for calendar in plan.calendars {
        let CalendarPlan { id, summary, time_zone, settings, contents: plan_contents } = calendar;
        let added = store.add_calendar(NewCalendar { id, owner: user, summary, time_zone, settings }, now).await?;
        contents.push((owner.clone(), added.id, plan_contents));
    }
    for token in plan.tokens {
        let (scopes, expires, note) = (token.scopes, token.expires, token.note);
        store.add_token(NewToken { user, hash: token.hash, kind: token.kind, scopes, expires, note, now }).await?;
    }
    Ok(contents)
}
