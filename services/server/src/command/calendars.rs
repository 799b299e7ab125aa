//! Commands of calendars.

use anyhow::Context as _;
use serde_json::json;
use wireform_store::{Calendar, CalendarSettings, Clock, Error, Mailbox, NewCalendar, Role, Store};

use crate::accounts;
use crate::cli::{CalendarChanges, Calendars};
use crate::output;
use crate::settings::calendar as parse;

/// Runs a command of calendars.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Calendars) -> anyhow::Result<()> {
    match command {
        Calendars::Add { summary, user, id, time_zone } => {
            let owner = accounts::user(store, &user).await?.mailbox;
            let settings = CalendarSettings::default();
            let calendar = NewCalendar { id, owner, summary, time_zone, settings };
            let calendar = store.add_calendar(calendar, clock.now()).await?;
            output::write_line(&calendar.id)
        }
        Calendars::List { user, listing } => list(store, user, listing.json).await,
        Calendars::Set { id, changes } => set(store, clock, &id, *changes).await,
        Calendars::Share { id, user, role } => {
            let calendar = find(store, &id).await?;
            let with = accounts::user(store, &user).await?.mailbox;
            store.share_calendar(calendar.number, with, role).await?;
            let role = role.map_or("none", Role::as_str);
            output::write_line(&format!("the calendar {id} is shared with {user}: {role}"))
        }
        Calendars::Shares { id, listing } => {
            let calendar = find(store, &id).await?;
            let shares = store.calendar_shares(calendar.number).await?.into_iter();
            let items: Vec<_> =
                shares.map(|share| json!({ "user": share.address, "role": share.role.as_str() })).collect();
            output::write_list(listing.json, ["user", "role"], &items)
        }
        Calendars::Remove { id } => {
            store.remove_calendar(&id).await?;
            output::write_line(&format!("the calendar {id} is removed"))
        }
    }
}

/// Lists the calendars, or those of a user.
async fn list<S: Store>(store: &S, user: Option<String>, as_json: bool) -> anyhow::Result<()> {
    let of = match user {
        Some(address) => Some(accounts::user(store, &address).await?.mailbox),
        None => None,
    };
    let address = accounts::addresses(store).await?;
    let row = |calendar: Calendar| {
        json!({
            "id": calendar.id,
            "owner": address(calendar.owner),
            "summary": calendar.summary,
            "timeZone": calendar.time_zone,
            "workingHours": parse::format_hours(&calendar.settings.working_hours),
        })
    };
    let items: Vec<_> = store.calendars(of).await?.into_iter().map(row).collect();
    output::write_list(as_json, ["id", "owner", "summary", "timeZone", "workingHours"], &items)
}

/// Changes the settings of a calendar.
async fn set<S: Store>(store: &S, clock: &Clock, id: &str, changes: CalendarChanges) -> anyhow::Result<()> {
    let CalendarChanges { summary, description, time_zone, reminder, label, working_hours } = changes;
    let calendar = find(store, id).await?;
    let hours = parse::sorted_hours(working_hours.iter().flatten().flatten().copied().collect());
    let hours = hours.map_err(|error| anyhow::anyhow!("--working-hours: {error}"))?;
    let change = move |calendar: &mut Calendar| {
        let settings = &mut calendar.settings;
        calendar.summary = summary.unwrap_or_else(|| std::mem::take(&mut calendar.summary));
        settings.description = description.unwrap_or_else(|| std::mem::take(&mut settings.description));
        if !reminder.is_empty() {
            settings.reminders = reminder.into_iter().flatten().collect();
        }
        if !label.is_empty() {
            settings.labels = label.into_iter().flatten().collect();
        }
        if !working_hours.is_empty() {
            settings.working_hours = hours;
        }
    };
    store.update_calendar(calendar.number, change, clock.now()).await?;
    if let Some(zone) = time_zone {
        let changed = super::events::service(store, clock).await?.set_time_zone(calendar.number, &zone).await;
        let early = "the time zone is set, but not all events are adjusted yet; help: run the same command again";
        changed.map_err(super::events::to_anyhow).context(early)?;
    }
    output::write_line(&format!("the calendar {id} is changed"))
}

/// Returns the calendar with an identifier.
pub(super) async fn find<S: Store>(store: &S, id: &str) -> anyhow::Result<Calendar> {
    let found = store.find_calendars(vec![id.to_owned()], Mailbox(0)).await?.pop().flatten();
    Ok(found.map(|(calendar, _)| calendar).ok_or_else(|| Error::not_found("calendar", id))?)
}
