//! Tests of commands and settings of calendars.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::program::{Home, Server};

const EVENTS: &str = "/calendar/v3/calendars/primary/events";

fn lunch() -> Value {
    json!({
        "id": "lunch", "summary": "Lunch",
        "start": { "dateTime": "2026-03-02T12:00:00Z" }, "end": { "dateTime": "2026-03-02T13:00:00Z" },
    })
}

async fn status(server: &Server, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = server.request(method, path).bearer_auth(&server.token).json(body);
    let response = request.send().await.expect("a response");
    (response.status(), response.json().await.unwrap_or_default())
}

#[tokio::test]
async fn point_53_a_quota_is_used_up_by_requests_and_patches_count_thrice() {
    let home = Home::new();
    let server = home.serve(&["--quota", "10"]);
    assert_eq!(server.post(EVENTS, &lunch()).await.0, StatusCode::OK);
    let path = format!("{EVENTS}/lunch");
    let mut accepted = 0;
    let refused = loop {
        let (code, body) = status(&server, Method::PATCH, &path, &json!({ "summary": "Dinner" })).await;
        if code != StatusCode::OK {
            break (code, body);
        }
        accepted += 1;
        assert!(accepted < 10, "nothing is refused");
    };
    // One unit for the event, three for each patch; less than a patch is refilled in the meantime.
    assert_eq!((accepted, refused.0), (3, StatusCode::FORBIDDEN), "{}", refused.1);
    assert_eq!(refused.1["error"]["errors"][0]["reason"], "rateLimitExceeded");
    // Mail has no such quota.
    for _ in 0..20 {
        assert_eq!(server.get("/mail/v1/users/me/profile").await.0, StatusCode::OK);
    }
    server.stop();
    let server = home.serve(&["--quota", "0"]);
    for _ in 0..20 {
        assert_eq!(server.get(&path).await.0, StatusCode::OK);
    }
    server.stop();
}

#[tokio::test]
async fn point_71_tokens_of_service_accounts_are_made_by_command() {
    let home = Home::new();
    let server = home.serve(&[]);
    let create = ["tokens", "create", "--user", "me@localhost", "--scope", "all"];
    let robot = home.run(&[&create[..], &["--service-account"]].concat());
    let delegated = home.run(&[&create[..], &["--service-account", "--delegated"]].concat());
    assert!(home.refused(&[&create[..], &["--delegated"]].concat()).contains("--service-account"));
    let invited = |id: &str| {
        let mut event = lunch();
        event["id"] = json!(id);
        event["attendees"] = json!([{ "email": "far@example.net" }]);
        event
    };
    let post = async |token: &str, body: Value| {
        let request = server.request(Method::POST, EVENTS).bearer_auth(token).json(&body);
        let response = request.send().await.expect("a response");
        (response.status(), response.json::<Value>().await.expect("JSON"))
    };
    let (code, refused) = post(&robot, invited("aaaaa")).await;
    assert_eq!(code, StatusCode::FORBIDDEN, "{refused}");
    assert_eq!(refused["error"]["errors"][0]["reason"], "forbiddenForServiceAccounts");
    assert_eq!(post(&robot, lunch()).await.0, StatusCode::OK);
    assert_eq!(post(&delegated, invited("bbbbb")).await.0, StatusCode::OK);
    let (code, _) = server.get_by(&robot, "/mail/v1/users/me/profile").await;
    assert_eq!(code, StatusCode::OK, "otherwise it is its user");
    let kinds: Vec<Value> =
        home.list(&["tokens", "list"]).as_array().expect("a list").iter().map(|token| token["kind"].clone()).collect();
    assert_eq!(kinds, ["user", "serviceAccount", "delegated"]);
    server.stop();
}

#[tokio::test]
async fn point_103_working_hours_are_set_and_shown() {
    let home = Home::new();
    let server = home.serve(&[]);
    let set = ["calendars", "set", "me@localhost", "--working-hours"];
    home.run(&[&set[..], &["mon-tue=09:00-12:00,mon=13:00-17:00"]].concat());
    let hours = || home.list(&["calendars", "list"])[0]["workingHours"].clone();
    assert_eq!(hours(), json!(["mon=09:00-12:00", "mon=13:00-17:00", "tue=09:00-12:00"]));
    assert!(home.refused(&[&set[..], &["mon=9-17"]].concat()).contains("mon-fri=09:00-17:00"));
    assert!(home.refused(&[&set[..], &["mon=09:00-12:00,mon=11:00-13:00"]].concat()).contains("overlap"));
    let page = async || {
        let request = server.request(Method::GET, "/calendar").header("X-Wireform-Program", "1");
        request.send().await.expect("a response").text().await.expect("text")
    };
    assert!(page().await.contains("Working hours Mon 09:00–12:00, 13:00–17:00; Tue 09:00–12:00"));
    home.run(&[&set[..], &["none"]].concat());
    assert_eq!(hours(), json!([]));
    assert!(!page().await.contains("Working hours"));
    server.stop();
}

#[tokio::test]
async fn point_103_the_zone_of_a_calendar_is_set_by_command_and_seed() {
    let home = Home::new();
    let seed = home.file(
        "seed.yaml",
        "users:\n  - address: ada@example.com\n    time-zone: Asia/Tokyo\n    reminders: [popup:10]\n    \
         calendar-labels: [\"mill=The mill=#16a765\"]\n    events:\n      \
         - { id: trips, start: { date: 2026-03-05 }, end: { date: 2026-03-06 } }\n",
    );
    let server = home.serve(&["--seed", seed.to_str().expect("UTF-8")]);
    let zones = || -> Vec<Value> {
        let listed = home.list(&["calendars", "list"]);
        listed.as_array().expect("calendars").iter().map(|calendar| calendar["timeZone"].clone()).collect()
    };
    assert_eq!(zones(), ["Asia/Tokyo"]);
    let list = async |hour: &str| {
        let path = format!("{EVENTS}?timeMin=2026-03-04T{hour}:00:00Z&timeMax=2026-03-04T{hour}:30:00Z");
        server.get(&path).await.1
    };
    let page = list("15").await;
    assert_eq!((&page["items"][0]["id"], &page["timeZone"]), (&json!("trips"), &json!("Asia/Tokyo")));
    assert_eq!(page["defaultReminders"], json!([{ "method": "popup", "minutes": 10 }]));
    home.run(&["calendars", "set", "ada@example.com", "--time-zone", "America/New_York"]);
    let page = list("15").await;
    assert_eq!((&page["items"], &page["timeZone"]), (&json!([]), &json!("America/New_York")));
    assert!(
        home.refused(&["calendars", "set", "ada@example.com", "--time-zone", "Berlin"]).contains("not a time zone")
    );
    home.run(&["users", "add", "ben@example.com", "--time-zone", "Europe/Berlin"]);
    assert_eq!(zones(), ["America/New_York", "Europe/Berlin"]);
    server.stop();
}

const CARDS: &str = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nBDAY:1815-12-10\nDEATHDATE:18521127\nEND:VCARD\n\
    BEGIN:VCARD\nVERSION:4.0\nFN:Nobody\nEND:VCARD\n";

#[tokio::test]
async fn point_88_birthdays_are_imported_and_losses_reported() {
    let home = Home::new();
    let server = home.serve(&[]);
    let file = home.file("cards.vcf", CARDS);
    let import = ["birthdays", "import", file.to_str().expect("UTF-8"), "--user", "me@localhost"];
    let output = home.output(&import);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("1 day stored, 0 replaced, 0 already present; 1 contacts have no special day"), "{text}");
    let reported = String::from_utf8(output.stderr).expect("text");
    assert!(reported.contains(":5: `DEATHDATE`"), "{reported}");
    assert!(home.run(&import).contains("0 days stored, 0 replaced, 1 already present"));
    let (_, found) = server.get(&format!("{EVENTS}?eventTypes=birthday")).await;
    assert_eq!(found["items"][0]["start"]["date"], "1815-12-10", "{found}");
    server.stop();
}

#[tokio::test]
async fn points_88_and_103_a_seed_has_birthdays_and_working_hours() {
    let home = Home::new();
    let seed = home.file(
        "seed.yaml",
        "users:\n  - address: ada@example.com\n    working-hours: [mon-fri=09:00-17:00]\n    tokens:\n      \
         - { secret: robot-of-the-tests, scopes: [all], kind: serviceAccount }\n    birthdays:\n      \
         - { name: Charles, date: 1791-12-26 }\n      - { name: Charles, date: 1814-07-25, type: anniversary }\n      \
         - { name: The engine, date: 1822-06-14, type: custom, label: First model, contact: people/engine }\n",
    );
    let server = home.serve(&["--seed", seed.to_str().expect("UTF-8")]);
    let (_, found) = server.get(&format!("{EVENTS}?eventTypes=birthday")).await;
    let mut days: Vec<(String, String)> = found["items"]
        .as_array()
        .expect("events")
        .iter()
        .map(|day| {
            let properties = &day["birthdayProperties"];
            (
                properties["type"].as_str().unwrap_or_default().to_owned(),
                properties["contact"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    days.sort();
    assert_eq!(days.len(), 3, "{found}");
    assert_eq!((days[0].0.as_str(), &days[0].1), ("anniversary", &days[1].1), "one contact");
    assert_eq!(days[2], ("custom".to_owned(), "people/engine".to_owned()));
    assert_eq!(home.list(&["calendars", "list"])[0]["workingHours"].as_array().map(Vec::len), Some(5));
    assert_eq!(home.list(&["tokens", "list", "--user", "ada@example.com"])[0]["kind"], "serviceAccount");
    server.stop();
}

fn invitation(uid: &str) -> String {
    format!(
        "From: Far <far@example.net>\r\nTo: me@localhost\r\nMessage-ID: <{uid}@test>\r\nSubject: Flight\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/calendar; charset=UTF-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n\
         BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20260305T090000Z\r\nSUMMARY:Flight\r\nORGANIZER:mailto:far@example.net\r\n\
         ATTENDEE:mailto:me@localhost\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

#[tokio::test]
async fn point_89_invitations_in_imported_mail_come_onto_the_calendar() {
    let home = Home::new();
    let server = home.serve(&[]);
    let found = async |uid: &str| server.get(&format!("{EVENTS}?iCalUID={uid}")).await.1["items"].clone();
    let import = "/mail/v1/users/me/messages/import";
    for (path, uid, count) in [
        (import.to_owned(), "one", 0),
        (format!("{import}?processForCalendar=true"), "two", 1),
        (format!("{import}?processForCalendar=true"), "two", 1),
        ("/mail/v1/users/me/messages".to_owned(), "three", 0),
    ] {
        let raw = URL_SAFE.encode(invitation(uid));
        assert_eq!(server.post(&path, &json!({ "raw": raw })).await.0, StatusCode::OK);
        let found = found(uid).await;
        assert_eq!(found.as_array().map_or(0, Vec::len), count, "{path}: {found}");
        if count > 0 {
            assert_eq!((&found[0]["eventType"], &found[0]["locked"]), (&json!("fromGmail"), &json!(true)));
        }
    }
    // Files with the same invitations.
    let mbox = home.file("mail.mbox", &format!("From x\n{}\n", invitation("four")).replace("\r\n", "\n"));
    let import = ["import", "mbox", mbox.to_str().expect("UTF-8"), "--user", "me@localhost"];
    home.run(&[&import[..], &["--process-for-calendar"]].concat());
    assert_eq!(found("four").await[0]["summary"], "Flight");
    server.stop();
}
