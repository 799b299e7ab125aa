//! Tests of what a file cannot carry, and of the longest identifiers that it can.

use serde_json::json;

use crate::desk::{TestService, series, with};
use crate::ics::{by_uid, export, file, import, import_into, loss_messages};
use crate::labels::set_labels;
use crate::moves::team;

/// Returns an event of a file.
fn event(uid: &str, members: &str) -> String {
    format!("UID:{uid}\nDTSTART:20260302T090000Z\nDTEND:20260302T100000Z\n{members}")
}

#[tokio::test]
async fn the_longest_identifier_comes_back() {
    let desk = TestService::open().await;
    team(&desk).await;
    let id = "a".repeat(1_024);
    let of = series(&id, "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]);
    desk.insert(with(of, json!({ "summary": "Long" }))).await;
    desk.patch(&format!("/{id}_20260310T080000Z"), json!({ "summary": "Moved" })).await.ok();
    let text = export(&desk, "ana@example.com").await;
    let report = import_into(&desk, "team@example.com", &[&text]).await;
    assert_eq!((report.stored, loss_messages(&report)), (2, vec![]));
    let (items, _) = desk.list_of("team@example.com").await;
    let found: Vec<_> = items.iter().map(|item| (item["iCalUID"].as_str().unwrap(), &item["summary"])).collect();
    let uid = format!("{id}@wireform");
    assert_eq!(found, [(uid.as_str(), &json!("Long")), (uid.as_str(), &json!("Moved"))]);
    let again = import(&desk, &text).await;
    assert_eq!((again.stored, again.known), (0, 2));
}

#[tokio::test]
async fn uids_are_never_shortened() {
    let desk = TestService::open().await;
    let uid = |length: usize, end: &str| format!("{}{end}", "u".repeat(length - end.len()));
    let (one, other) = (uid(1_033, "a"), uid(1_033, "b"));
    let longer = [uid(1_034, "a"), uid(1_034, "b"), uid(5_000, ""), "\u{fc}".repeat(517)];
    let uids = [&[one.clone(), other.clone()][..], &longer].concat();
    let events: Vec<String> = uids.iter().map(|uid| event(uid, "SUMMARY:Lunch")).collect();
    let report = import(&desk, &file(&events.iter().map(String::as_str).collect::<Vec<_>>())).await;
    assert_eq!((report.stored, report.omitted), (2, 4), "{:?}", loss_messages(&report));
    let losses = loss_messages(&report);
    assert!(losses.len() == 4 && losses.iter().all(|loss| loss.contains("1 to 1033 bytes")), "{losses:?}");
    let (mut items, _) = desk.list("").await;
    items.sort_by_key(|item| item["iCalUID"].to_string());
    assert_eq!(items.iter().map(|item| item["iCalUID"].as_str().unwrap()).collect::<Vec<_>>(), [&one, &other]);
}

#[tokio::test]
async fn a_newer_version_from_a_file_keeps_label_and_color() {
    let desk = TestService::open().await;
    set_labels(&desk, &["work"]).await;
    import(&desk, &file(&[&event("labelled", "SUMMARY:Lunch"), &event("colored", "SUMMARY:Lunch")])).await;
    let id = |event: &serde_json::Value| event["id"].as_str().unwrap().to_owned();
    let labelled = id(&by_uid(&desk, "labelled").await);
    let version = "?eventLabelVersion=1";
    desk.patch(&format!("/{labelled}{version}"), json!({ "eventLabelId": "work" })).await.ok();
    let colored = id(&by_uid(&desk, "colored").await);
    desk.patch(&format!("/{colored}"), json!({ "colorId": "4" })).await.ok();
    let newer = "SEQUENCE:1\nSUMMARY:Dinner";
    let report = import(&desk, &file(&[&event("labelled", newer), &event("colored", newer)])).await;
    assert_eq!(report.replaced, 2, "{:?}", loss_messages(&report));
    let (labelled, colored) = (desk.event(&labelled).await, desk.event(&colored).await);
    assert_eq!((&labelled["summary"], &labelled["eventLabelId"]), (&json!("Dinner"), &json!("work")));
    assert_eq!((&colored["summary"], &colored["colorId"]), (&json!("Dinner"), &json!("4")));
    let extras = "X-WIREFORM-EVENT:{\"colorId\":\"5\"}\nSEQUENCE:2\nSUMMARY:Supper";
    import(&desk, &file(&[&event("colored", extras)])).await;
    assert_eq!(by_uid(&desk, "colored").await["colorId"], "5");
}
