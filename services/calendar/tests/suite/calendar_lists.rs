//! Tests of calendar lists, metadata of calendars, colors and settings.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, CalendarSettings, Calendars as _, NewCalendar, Role};

use crate::desk::{TestService, ids};

const LIST: &str = "/calendar/v3/users/me/calendarList";
const SETTINGS: &str = "/calendar/v3/users/me/settings";

/// Adds a calendar of a user, with a label.
async fn add_calendar(desk: &TestService, id: &str, owner: &str) {
    let owner = desk.store.user(owner).await.unwrap().mailbox;
    let label = json!({ "id": "mill", "name": "The mill", "color": "#16a765" });
    let hours = json!({ "day": 1, "from": 540, "until": 1020 });
    let settings: CalendarSettings = serde_json::from_value(json!({
        "description": "Who does what", "labels": [label], "working_hours": [hours],
        "reminders": [{ "method": "popup", "minutes": 10 }],
    }))
    .unwrap();
    let (id, time_zone) = (Some(id.to_owned()), "Europe/London".to_owned());
    let calendar = NewCalendar { id, owner, summary: "Team".to_owned(), time_zone, settings };
    desk.store.add_calendar(calendar, desk.clock.now()).await.unwrap();
}

/// Ana has two calendars, and Ben has shared his with her.
async fn with_calendars() -> TestService {
    let desk = TestService::open().await;
    add_calendar(&desk, "team", "ana@example.com").await;
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let found = desk.store.find_calendars(vec!["ben@example.com".to_owned()], ana).await.unwrap();
    desk.store.share_calendar(found[0].as_ref().unwrap().0.number, ana, Some(Role::Reader)).await.unwrap();
    desk
}

async fn list(desk: &TestService, query: &str) -> Value {
    desk.get(&format!("{LIST}?{query}")).await.ok().clone()
}

fn listed(page: &Value) -> Vec<String> {
    ids(page["items"].as_array().unwrap())
}

#[tokio::test]
async fn a_calendar_list_has_every_calendar_of_the_user() {
    let desk = with_calendars().await;
    let page = list(&desk, "").await;
    assert_eq!(listed(&page), ["Ana@Example.com", "team", "ben@example.com"]);
    assert_eq!(page["kind"], "calendar#calendarList");
    let [own, team, shared] = page["items"].as_array().unwrap().clone().try_into().unwrap();
    assert_eq!(
        (&own["primary"], &own["accessRole"], &own["defaultReminders"]),
        (&json!(true), &json!("owner"), &json!([]))
    );
    assert_eq!(
        (&team["primary"], &team["dataOwner"], &team["timeZone"]),
        (&json!(null), &json!("Ana@Example.com"), &json!("Europe/London"))
    );
    assert_eq!(team["defaultReminders"], json!([{ "method": "popup", "minutes": 10 }]));
    assert_eq!(
        (&shared["accessRole"], &shared["primary"], &shared["selected"]),
        (&json!("reader"), &json!(null), &json!(true))
    );
    let colors = desk.get("/calendar/v3/colors").await.ok().clone();
    for entry in [own, team, shared] {
        assert_eq!(entry["kind"], "calendar#calendarListEntry");
        let color = &colors["calendar"][entry["colorId"].as_str().unwrap()];
        assert_eq!(
            (&color["background"], &color["foreground"]),
            (&entry["backgroundColor"], &entry["foregroundColor"])
        );
        let got = desk.get(&format!("{LIST}/{}", entry["id"].as_str().unwrap())).await;
        assert_eq!((got.ok(), got.headers["etag"].to_str().unwrap()), (&entry, entry["etag"].as_str().unwrap()));
    }
    assert_eq!(desk.get(&format!("{LIST}/primary")).await.ok()["id"], "Ana@Example.com");
    desk.get(&format!("{LIST}/cy@example.com")).await.assert_error(404, "notFound");
    // A user without shared calendars has their own.
    assert_eq!(listed(&list(&desk.cy(), "").await), ["cy@example.com"]);
}

#[tokio::test]
async fn a_calendar_list_is_filtered_by_role() {
    let desk = with_calendars().await;
    for (role, count) in [
        ("freeBusyReader", 3),
        ("reader", 3),
        ("writerWithoutPrivateAccess", 2),
        ("writer", 2),
        ("owner", 2),
        ("none", 3),
    ] {
        assert_eq!(listed(&list(&desk, &format!("minAccessRole={role}")).await).len(), count, "{role}");
    }
    desk.get(&format!("{LIST}?minAccessRole=king")).await.assert_error(400, "invalidParameter");
    // There are no hidden and no removed calendars, and no organizations.
    for query in ["showHidden=true", "showDeleted=true", "showOwnOrganizationOnly=true"] {
        assert_eq!(listed(&list(&desk, query).await).len(), 3, "{query}");
    }
    desk.get(&format!("{LIST}?syncToken=a&minAccessRole=owner")).await.assert_error(400, "invalidParameter");
}

#[tokio::test]
async fn lists_have_pages_tags_and_sync_tokens() {
    let desk = with_calendars().await;
    for (path, count) in [(LIST, 3), (SETTINGS, 12)] {
        let (mut all, mut token) = (Vec::new(), String::new());
        let last = loop {
            let page = desk.get(&format!("{path}?maxResults=2{token}")).await.ok().clone();
            assert!(page["items"].as_array().unwrap().len() <= 2, "{page}");
            all.extend(listed(&page));
            match page["nextPageToken"].as_str() {
                Some(next) => token = format!("&pageToken={next}"),
                None => break page,
            }
        };
        assert_eq!(all.len(), count, "{path}");
        assert_eq!(listed(desk.get(path).await.ok()), all);
        let first = desk.get(path).await;
        let tag = first.headers["etag"].to_str().unwrap().to_owned();
        assert_eq!(first.ok()["etag"], tag);
        assert_eq!(desk.send("GET", path, None, &[("if-none-match", &tag)]).await.status, 304);
        // Without a change a sync has no entries, and another token.
        let sync = last["nextSyncToken"].as_str().unwrap();
        let page = desk.get(&format!("{path}?syncToken={sync}")).await.ok().clone();
        assert_eq!((&page["items"], page["nextSyncToken"].is_string()), (&json!([]), true));

        let half = desk.get(&format!("{path}?maxResults=1")).await.ok()["nextPageToken"].as_str().unwrap().to_owned();
        let zone = if path == LIST { "Asia/Kathmandu" } else { "Europe/Paris" };
        let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
        let own = desk.store.find_calendars(vec!["ana@example.com".to_owned()], ana).await.unwrap();
        let change = move |calendar: &mut wireform_store::Calendar| zone.clone_into(&mut calendar.time_zone);
        let number = own[0].as_ref().unwrap().0.number;
        desk.store.update_calendar(number, change, desk.clock.now()).await.unwrap();
        let synced = desk.get(&format!("{path}?syncToken={sync}")).await;
        synced.assert_error(410, "fullSyncRequired");
        synced.assert_location("syncToken");
        desk.get(&format!("{path}?maxResults=1&pageToken={half}")).await.assert_error(410, "pageTokenExpired");
        assert_eq!(desk.send("GET", path, None, &[("if-none-match", &tag)]).await.status, 200);
        desk.get(&format!("{path}?syncToken=none")).await.assert_error(410, "fullSyncRequired");
        desk.get(&format!("{path}?pageToken=none")).await.assert_error(400, "invalid");
    }
}

#[tokio::test]
async fn metadata_of_a_calendar() {
    let desk = with_calendars().await;
    let team = desk.get("/calendar/v3/calendars/team").await;
    let expected = json!({
        "kind": "calendar#calendar", "etag": team.body["etag"], "id": "team", "summary": "Team",
        "description": "Who does what", "timeZone": "Europe/London", "dataOwner": "Ana@Example.com",
        "conferenceProperties": { "allowedConferenceSolutionTypes": ["hangoutsMeet"] },
        "labelProperties": { "eventLabels": [{ "id": "mill", "name": "The mill", "backgroundColor": "#16a765" }] },
        "workingHours": {
            "workingHoursEnabled": true,
            "availableTimes": [{ "dayOfWeek": "monday", "periodStart": 540, "periodEnd": 1020 }],
        },
    });
    assert_eq!(team.ok(), &expected);
    let tag = team.headers["etag"].to_str().unwrap();
    assert_eq!(desk.send("GET", "/calendar/v3/calendars/team", None, &[("if-none-match", tag)]).await.status, 304);
    assert_eq!(desk.get("/calendar/v3/calendars/primary").await.ok()["id"], "Ana@Example.com");
    desk.ben().get("/calendar/v3/calendars/team").await.assert_error(404, "notFound");
    // A reader of busy times reads no descriptions.
    let ben = desk.store.user("ben@example.com").await.unwrap().mailbox;
    let number = desk.store.find_calendars(vec!["team".to_owned()], ben).await.unwrap()[0].as_ref().unwrap().0.number;
    desk.store.share_calendar(number, ben, Some(Role::FreeBusyReader)).await.unwrap();
    let seen = desk.ben().get("/calendar/v3/calendars/team").await.ok().clone();
    assert_eq!(
        (&seen["summary"], &seen["description"], &seen["labelProperties"]),
        (&json!("Team"), &json!(null), &json!(null))
    );
    assert_eq!(desk.ben().get(&format!("{LIST}/team")).await.ok()["description"], json!(null));
}

#[tokio::test]
async fn colors_and_settings() {
    let desk = TestService::open().await;
    let colors = desk.get("/calendar/v3/colors").await.ok().clone();
    assert_eq!(
        (colors["kind"].as_str(), colors["updated"].as_str()),
        (Some("calendar#colors"), Some("2012-02-14T00:00:00Z"))
    );
    assert_eq!((colors["calendar"].as_object().unwrap().len(), colors["event"].as_object().unwrap().len()), (24, 11));
    assert_eq!(colors["event"]["11"], json!({ "background": "#dc2127", "foreground": "#1d1d1d" }));
    let zone = desk.get(&format!("{SETTINGS}/timezone")).await;
    assert_eq!((&zone.ok()["value"], &zone.body["kind"]), (&json!("UTC"), &json!("calendar#setting")));
    assert_eq!(desk.get(&format!("{SETTINGS}/weekStart")).await.ok()["value"], "1");
    let missing = desk.get(&format!("{SETTINGS}/mood")).await;
    missing.assert_error(404, "notFound");
    missing.assert_location("setting");
}

/// Each operation with the scopes that are sufficient and those that are not.
#[tokio::test]
async fn tokens_need_the_scopes_of_the_public_service() {
    let desk = TestService::open().await;
    let busy =
        json!({ "timeMin": "2026-03-02T00:00:00Z", "timeMax": "2026-03-03T00:00:00Z", "items": [{ "id": "primary" }] });
    for (path, sufficient, hidden, missing) in [
        (LIST.to_owned(), "calendar.calendarlist.readonly", None, "calendar.app.created"),
        (format!("{LIST}/primary"), "calendar.calendarlist", Some("calendar.app.created"), "calendar.calendars"),
        (
            "/calendar/v3/calendars/primary".to_owned(),
            "calendar.calendars.readonly",
            Some("calendar.app.created"),
            "calendar.events",
        ),
        ("/calendar/v3/colors".to_owned(), "calendar.app.created", None, "calendar.events"),
        (SETTINGS.to_owned(), "calendar.settings.readonly", None, "calendar.events"),
        (format!("{SETTINGS}/locale"), "calendar.settings", None, "calendar.calendarlist"),
        ("/calendar/v3/freeBusy".to_owned(), "calendar.freebusy", None, "calendar.events.readonly"),
    ] {
        let call = async |scope: &str| {
            let body = path.ends_with("freeBusy").then(|| busy.clone());
            let method = if body.is_some() { "POST" } else { "GET" };
            desk.with_token(&format!("ana/{scope}")).send(method, &path, body, &[]).await
        };
        for scope in [sufficient, "calendar.readonly", "calendar"] {
            call(scope).await.ok();
        }
        call(missing).await.assert_error(403, "insufficientPermissions");
        if let Some(hidden) = hidden {
            call(hidden).await.assert_error(404, "notFound");
        }
    }
}
