//! Commands of channels.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde_json::{Value, json};
use wireform_store::{CalendarNumber, Channel, Clock, Store};

use crate::accounts;
use crate::cli::Channels;
use crate::output;
use crate::settings::value::format_instant;

/// Runs a command of channels.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Channels) -> anyhow::Result<()> {
    let Channels::List { user, listing } = command;
    let of = match user {
        Some(address) => Some(accounts::user(store, &address).await?.mailbox),
        None => None,
    };
    let (address, now) = (accounts::addresses(store).await?, clock.now());
    let calendars = store.calendars(None).await.context("the calendars cannot be read")?;
    let names: BTreeMap<CalendarNumber, String> = calendars.into_iter().map(|one| (one.number, one.id)).collect();
    let channels = store.channels(of).await.context("the channels cannot be read")?;
    let items: Vec<Value> = channels
        .iter()
        .filter(|channel| channel.settings.expires > now)
        .map(|channel| {
            let mut item = to_json(channel);
            item["user"] = address(channel.settings.user).into();
            item["calendar"] = names.get(&channel.settings.calendar).cloned().unwrap_or_default().into();
            item
        })
        .collect();
    let columns = ["id", "user", "calendar", "host", "expires", "message", "attempts", "last", "outcome", "next"];
    output::write_list(listing.json, columns, &items)
}

/// Returns the output of a channel. Only the host of its URL is shown, because the rest may hold a secret.
fn to_json(channel: &Channel) -> Value {
    let settings = &channel.settings;
    let host = settings.url.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    json!({
        "id": settings.id,
        "resourceId": settings.resource_id,
        "host": host,
        "opened": format_instant(channel.opened),
        "expires": format_instant(settings.expires),
        "message": channel.message,
        "attempts": channel.attempts,
        "last": channel.last_attempt.as_ref().map(|last| format_instant(last.at)),
        "lastMessage": channel.last_attempt.as_ref().map(|last| last.message),
        "outcome": channel.last_attempt.as_ref().map(|last| last.outcome.clone()),
        "next": channel.due.map(format_instant),
    })
}
