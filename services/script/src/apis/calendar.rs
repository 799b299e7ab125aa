//! Methods of `CalendarApp`.

use serde_json::{Value, json};
use wireform_store::{Role, Store};

use super::{UserClient, encode, text_field};
use crate::arguments::Arguments;
use crate::authority::missing_scope;
use crate::error::to_script_error;
use crate::pool::unknown_method;

/// Maximum number of pages of events that one call reads.
const MAX_PAGES: usize = 20;

/// Calls a method on the calendars of the client's user.
pub(crate) async fn call<S: Store>(
    store: &S,
    client: &UserClient<'_>,
    method: &str,
    arguments: Value,
) -> Result<Value, String> {
    if method == "calendars.list" {
        return list(store, client).await;
    }
    let arguments = Arguments(arguments);
    let events = format!("/calendar/v3/calendars/{}/events", encode(arguments.text("calendar_id")?));
    match method {
        "events.insert" => {
            let updates = if arguments.value("send_invites") == Value::Bool(true) { "all" } else { "none" };
            client.send("POST", format!("{events}?sendUpdates={updates}"), Some(arguments.value("event"))).await
        }
        "events.quick_add" => {
            let target = format!("{events}/quickAdd?text={}", encode(arguments.text("text")?));
            client.send("POST", target, None).await
        }
        "events.list" => {
            let (from, until) = (encode(arguments.text("time_min")?), encode(arguments.text("time_max")?));
            let mut target =
                format!("{events}?singleEvents=true&orderBy=startTime&maxResults=2500&timeMin={from}&timeMax={until}");
            if let Some(query) = arguments.optional("query") {
                target.push_str(&format!("&q={}", encode(query)));
            }
            client.list(&target, "items", MAX_PAGES).await.map(Value::Array)
        }
        _ => event(client, method, &arguments, events).await,
    }
}

/// Calls a method on one event.
async fn event(client: &UserClient<'_>, method: &str, arguments: &Arguments, events: String) -> Result<Value, String> {
    let target = format!("{events}/{}", encode(arguments.text("event_id")?));
    match method {
        "events.get" => {
            let found = client.find(target).await?;
            Ok(found.filter(|event| text_field(event, "status") != Some("cancelled")).unwrap_or_default())
        }
        "events.patch" => client.send("PATCH", target, Some(arguments.value("event"))).await,
        "events.delete" => client.send("DELETE", target, None).await.map(|_| Value::Null),
        other => Err(unknown_method(other)),
    }
}

/// Scopes that show all calendars.
const ALL: [&str; 4] = ["calendar", "calendar.readonly", "calendar.events", "calendar.events.readonly"];
/// Scopes that show only the user's own calendars.
const OWN: [&str; 2] = ["calendar.events.owned", "calendar.events.owned.readonly"];

/// Lists the calendars that the user sees. Scopes for events suffice here, and not for `calendarList.list`.
async fn list<S: Store>(store: &S, client: &UserClient<'_>) -> Result<Value, String> {
    let user = client.user;
    let all = client.authority.allows(&ALL);
    if !all && !client.authority.allows(&OWN) {
        return Err(missing_scope("to list calendars"));
    }
    let calendars = to_script_error(store.visible_calendars(user.mailbox).await)?;
    let item = |(calendar, role): (wireform_store::Calendar, Role)| {
        let primary = calendar.owner == user.mailbox && calendar.id.eq_ignore_ascii_case(&user.address);
        json!({
            "id": calendar.id, "summary": calendar.summary, "time_zone": calendar.time_zone,
            "description": calendar.settings.description,
            "primary": primary, "owned": role == Role::Owner,
        })
    };
    let visible = calendars.into_iter().filter(|(_, role)| all || *role == Role::Owner);
    Ok(visible.map(item).collect())
}
