//! Seeds: files that describe the initial contents of a store. A seed is read and its values are validated before
//! anything is written; the contents of events and scripts, and the users of shares, are checked when they are written.
//! The store records the progress, so that a partial seed is never taken for a complete one.

mod compose;
mod days;
mod format;
mod labels;
mod plan;
mod scripts;
#[cfg(test)]
mod tests;
mod values;

use std::path::Path;

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};
use wireform_calendar::{BirthdayReport, CalendarService};
use wireform_script::ScriptService;
use wireform_server::tokens::TokenSealer;
use wireform_store::{Calendar, Clock, NewCalendar, NewToken, Store, User, hex};

use self::plan::{CalendarPlan, ContentsPlan, Plan, UserPlan};
use self::scripts::ScriptPlan;
use crate::accounts;
use crate::settings;

/// Key of the note in the store that records its seed.
const SEED_NOTE: &str = "seed";

/// Number of messages that are stored at once.
const BATCH: usize = 500;

/// Fills an empty store from a seed file. Returns whether it was filled now, and not by an earlier call.
///
/// # Errors
/// Returns an error if the file cannot be read or is invalid, with the location, if its contents cannot be written, or
/// if the store is not empty or only partly filled.
pub async fn fill<S: Store>(store: &S, clock: &Clock, file: &Path) -> anyhow::Result<bool> {
    let text = fs_err::read_to_string(file).context("the seed cannot be read")?;
    let plan = Plan::validate(settings::yaml(file, &text)?).with_context(|| file.display().to_string())?;
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
    if !store.set_note(SEED_NOTE, None, &begun).await.context("the store cannot be written")? {
        bail!("another program is seeding the store");
    }
    write(store, clock, plan).await.context(
        "the seed was not written completely; help: remove the store and seed \
     again",
    )?;
    store.set_note(SEED_NOTE, Some(&begun), &done).await.context("the store cannot be written")?;
    tracing::info!(seed = %file.display(), "the store is filled");
    Ok(true)
}

/// Writes everything in the plan, in an order in which all references exist.
async fn write<S: Store>(store: &S, clock: &Clock, plan: Plan) -> anyhow::Result<()> {
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
    let key = store.sealing_key().await?;
    for (owner, script) in scripts {
        let title = script.title.clone();
        write_script(store, clock, key, &owner, script).await.with_context(|| format!("the script `{title}`"))?;
    }
    let service = CalendarService::new(store.clone(), TokenSealer::new(key), clock.clone());
    for (owner, calendar, contents) in contents {
        let calendars = store.find_calendars(vec![calendar.clone()], owner.mailbox).await?;
        let Some((found, _)) = calendars.into_iter().next().flatten() else { continue };
        for (address, role) in contents.shares {
            let with = accounts::user(store, &address).await?.mailbox;
            store.share_calendar(found.number, with, Some(role)).await?;
        }
        let added = service.add_days(&owner, &calendar, contents.days, &mut BirthdayReport::default()).await;
        added.map_err(|error| anyhow::anyhow!("the special days of {calendar}: {}", error.message()))?;
        for event in contents.events {
            let title = event.summary.clone().unwrap_or_default();
            let added = service.add_event(&owner, &calendar, event).await;
            added.map_err(|error| anyhow::anyhow!("the event `{title}` of {calendar}: {}", error.message()))?;
        }
    }
    Ok(())
}

/// Writes a script project. The functions that its files define are found when a client first reads them.
async fn write_script<S: Store>(
    store: &S,
    clock: &Clock,
    key: [u8; 32],
    owner: &str,
    plan: ScriptPlan,
) -> anyhow::Result<()> {
    let user = accounts::user(store, owner).await?;
    let service = ScriptService::new(store.clone(), TokenSealer::new(key), clock.clone());
    let added = service.add_project(&user, &plan.title, plan.files, plan.deployed).await;
    let project = added.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
    for (function, schedule) in plan.triggers {
        let added = service.add_trigger_as(&user, &project.id, &function, schedule).await;
        added.map_err(|error| anyhow::anyhow!("the trigger of `{function}`: {}", error.message()))?;
    }
    for (address, role) in plan.shares {
        let with = accounts::user(store, &address).await?.mailbox;
        store.share_project(project.number, with, Some(role), clock.now()).await?;
    }
    Ok(())
}

/// Writes a user. Returns the contents of the user's calendars.
async fn write_user<S: Store>(
    store: &S,
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
