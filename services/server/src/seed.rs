//! Seeds: a file that says what a store holds to begin with. All of it is read and looked at before anything is
//! written; what is written is marked, so that half of it is never taken for the whole.

mod compose;
mod format;
mod plan;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};
use wireform_store::{Clock, NewCalendar, NewToken, Store};

use self::plan::{Plan, UserPlan};
use crate::settings;

/// What the store remembers of its seed.
const NOTE: &str = "seed";

/// So many messages are stored at once.
const BATCH: usize = 500;

/// Fills an empty store with what the file describes; answers whether it did, and not an earlier call.
///
/// # Errors
/// What is wrong with the file and where, and that the store is not empty or was filled by half.
pub async fn plant<S: Store>(store: &S, clock: &Clock, file: &Path) -> anyhow::Result<bool> {
    let text = fs_err::read_to_string(file).context("the seed cannot be read")?;
    let plan = Plan::of(settings::yaml(file, &text)?).with_context(|| file.display().to_string())?;
    let hash = Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    let (begun, done) = (format!("begun {hash}"), format!("done {hash}"));
    match store.note(NOTE).await.context("the store cannot be read")? {
        Some(note) if note == done => {
            tracing::info!(seed = %file.display(), "the store was filled with this seed before");
            return Ok(false);
        }
        Some(note) if note.starts_with("done") => bail!(
            "the store was filled with another seed, or this one has changed since: take an empty store for {}",
            file.display()
        ),
        Some(_) => bail!(
            "an earlier seeding did not come to its end, so the store holds a part of the seed: remove the store, \
             and seed again"
        ),
        None => {}
    }
    if !store.users().await.context("the store cannot be read")?.is_empty() {
        bail!("a seed fills an empty store alone, and this one has users: take another folder or database");
    }
    if !store.set_note(NOTE, None, &begun).await.context("the store cannot be written")? {
        bail!("another program seeds the store at the moment");
    }
    write(store, clock, plan).await.context("the seed was not written to its end: remove the store, and seed again")?;
    store.set_note(NOTE, Some(&begun), &done).await.context("the store cannot be written")?;
    tracing::info!(seed = %file.display(), "the store is filled");
    Ok(true)
}

async fn write<S: Store>(store: &S, clock: &Clock, plan: Plan) -> anyhow::Result<()> {
    if let Some(retention) = plan.retention {
        store.set_retention(retention).await?;
    }
    for user in plan.users {
        let address = user.address.clone();
        write_user(store, clock, user).await.with_context(|| format!("of the user {address}"))?;
    }
    Ok(())
}

async fn write_user<S: Store>(store: &S, clock: &Clock, plan: UserPlan) -> anyhow::Result<()> {
    let now = clock.now();
    let user = store.add_user(&plan.address, &plan.name, now).await?.mailbox;
    let mut labels = Vec::new();
    for settings in plan.labels {
        labels.push(store.add_label(user, settings).await?.label);
    }
    let mut messages = plan.messages.into_iter().map(|message| message.prepare(&labels)).peekable();
    while messages.peek().is_some() {
        store.insert_all(user, messages.by_ref().take(BATCH).collect(), now).await?;
    }
    for calendar in plan.calendars {
        let (id, summary, time_zone) = (calendar.id, calendar.summary, calendar.time_zone);
        store.add_calendar(NewCalendar { id, owner: user, summary, time_zone }).await?;
    }
    for token in plan.tokens {
        let (scopes, expires, note) = (token.scopes, token.expires, token.note);
        store.add_token(NewToken { user, hash: token.hash, scopes, expires, note, now }).await?;
    }
    Ok(())
}
