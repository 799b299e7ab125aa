//! Tests of creating events from a line of text.

use serde_json::{Value, json};
use wireform_calendar::quick_add::{EventDraft, EventTime, parse};
use wireform_recurrence::jiff::civil::date;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Accounts as _, CalendarSettings, Calendars as _, NewCalendar, Role};
use wireform_test_data::requires;

use crate::desk::{TestService, encoded};
use crate::hostile::corpus;

fn shown(when: &EventTime) -> String {
    match when {
        EventTime::Day(day) => day.to_string(),
        EventTime::Time(time) => time.datetime().strftime("%Y-%m-%d %H:%M").to_string(),
    }
}

/// Returns the row of a phrase in the table of the documentation.
fn row(phrase: &str) -> String {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let now = date(2026, 3, 4).at(10, 20, 0, 0).to_zoned(zone.clone()).unwrap();
    let EventDraft { summary, location, start, end, recurrence } = parse(phrase, now.timestamp(), &zone);
    let more: String = location.into_iter().chain(recurrence).map(|more| format!(" `{more}`")).collect();
    format!("| `{phrase}` | {summary} | {} | {} |{more} |", shown(&start), shown(&end))
}

#[test]
fn point_54_phrases_mean_what_the_documentation_says() {
    let text = fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/calendar.md")).unwrap();
    let (_, section) = text.split_once("\n## Quick additions\n").unwrap();
    let (_, table) = section.split_once("|---|---|---|---|---|\n").unwrap();
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 80, "{}", rows.len());
    let phrase = |line: &&str| line.split('`').nth(1).unwrap().to_owned();
    let meant: Vec<String> = rows.iter().map(|line| row(&phrase(line))).collect();
    let wrong: Vec<_> = rows.iter().zip(&meant).filter(|(line, meant)| **line != meant.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[requires("corpora/naughty-strings")]
#[test]
fn any_text_of_others_is_an_event() {
    let texts: Vec<String> =
        corpus("naughty-strings/blns.json").iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    assert_are_events(&texts);
}

#[test]
fn point_54_any_text_is_an_event() {
    let mut texts: Vec<String> = Vec::from(
        ["", " ", "\"", "\"\"", "\" \" \"", "at", "in", "@", "every", "for", "-", "12-", "-12", "3/", "1h1h1h"]
            .map(str::to_owned),
    );
    texts.extend(
        ["every ", "at 3pm ", "\"", "3/5-", "((((", "in 999 years ", "日", "\u{301}"].map(|text| text.repeat(20_000)),
    );
    texts.push("9".repeat(10_000));
    assert_are_events(&texts);
}

fn assert_are_events(texts: &[String]) {
    let zones = ["UTC", "America/St_Johns", "Pacific/Apia", "Africa/Monrovia"];
    for text in texts {
        for zone in zones {
            let zone = TimeZone::get(zone).unwrap();
            for now in [i64::MIN, -62_167_219_200, 0, 1_325_239_200, 253_402_207_200] {
                let now = wireform_recurrence::jiff::Timestamp::from_second(now).unwrap_or_default();
                let draft = parse(text, now, &zone);
                assert!(draft.summary.chars().count() <= 1_024);
            }
        }
    }
}

async fn add(desk: &TestService, text: &str) -> crate::desk::TestResponse {
    desk.send("POST", &format!("/quickAdd?text={}", encoded(text)), None, &[]).await
}

#[tokio::test]
async fn point_54_a_text_is_stored_as_an_event() {
    let desk = TestService::open().await;
    let event = add(&desk, "Lunch with Ben tomorrow 12-13 at Roof").await.ok().clone();
    assert_eq!((&event["summary"], &event["location"]), (&json!("Lunch with Ben"), &json!("Roof")));
    assert_eq!(event["start"], json!({ "dateTime": "2026-03-02T12:00:00Z", "timeZone": "UTC" }));
    assert_eq!(event["end"]["dateTime"], "2026-03-02T13:00:00Z");
    assert_eq!(desk.event(event["id"].as_str().unwrap()).await, event);
    assert_eq!((event["organizer"]["self"].clone(), event.get("attendees")), (json!(true), None::<&Value>));
    let event = add(&desk, "Gym every Tuesday at 10").await.ok().clone();
    assert_eq!(event["recurrence"], json!(["RRULE:FREQ=WEEKLY;BYDAY=TU"]));
    let instances = desk.get(&format!("/{}/instances?maxResults=2", event["id"].as_str().unwrap())).await.ok().clone();
    assert_eq!(instances["items"][1]["start"]["dateTime"], "2026-03-10T10:00:00Z");
    let event = add(&desk, "Fair March 9-12").await.ok().clone();
    assert_eq!((&event["start"], &event["end"]), (&json!({ "date": "2026-03-09" }), &json!({ "date": "2026-03-13" })));
}

#[tokio::test]
async fn point_54_a_text_is_read_in_the_zone_of_the_calendar() {
    let desk = TestService::open().await;
    let calendar = NewCalendar {
        id: Some("south".to_owned()),
        owner: desk.store.user("ana@example.com").await.unwrap().mailbox,
        summary: "South".to_owned(),
        time_zone: "Pacific/Auckland".to_owned(),
        settings: CalendarSettings::default(),
    };
    desk.store.add_calendar(calendar, desk.clock.now()).await.unwrap();
    // In Auckland, it is already the second of March.
    let path = format!("/calendar/v3/calendars/south/events/quickAdd?text={}", encoded("Tea tomorrow at 9"));
    let event = desk.send("POST", &path, None, &[]).await.ok().clone();
    assert_eq!(event["start"], json!({ "dateTime": "2026-03-03T09:00:00+13:00", "timeZone": "Pacific/Auckland" }));
}

#[tokio::test]
async fn point_54_a_reader_cannot_add_events() {
    let desk = TestService::open().await;
    for text in ["", "  \t"] {
        add(&desk, text).await.assert_error(400, "invalidParameter");
    }
    add(&desk, &"x".repeat(1_025)).await.assert_error(400, "invalidParameter");
    add(&desk, &"x".repeat(1_024)).await.ok();
    let path = "/calendar/v3/calendars/ana@example.com/events/quickAdd?text=Tea";
    desk.ben().send("POST", path, None, &[]).await.assert_error(404, "notFound");
    desk.share("ben@example.com", Some(Role::Reader)).await;
    desk.ben().send("POST", path, None, &[]).await.assert_error(403, "forbidden");
    desk.share("ben@example.com", Some(Role::Writer)).await;
    let event = desk.ben().send("POST", path, None, &[]).await.ok().clone();
    assert_eq!(
        (&event["creator"]["email"], &event["organizer"]["email"]),
        (&json!("ben@example.com"), &json!("Ana@Example.com"))
    );
    desk.with_token("ana/calendar.readonly")
        .send("POST", path, None, &[])
        .await
        .assert_error(403, "insufficientPermissions");
}
