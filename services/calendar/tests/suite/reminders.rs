//! Tests of reminders.

use serde_json::{Value, json};
use wireform_store::Accounts as _;

use crate::desk::{TestService, hour, with};

fn overrides() -> Value {
    json!([{ "method": "popup", "minutes": 5 }])
}

#[tokio::test]
async fn overrides_in_a_patch_replace_the_defaults() {
    let desk = TestService::open().await;
    let event = desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    assert_eq!(event["reminders"], json!({ "useDefault": true }));
    let patch = json!({ "reminders": { "overrides": overrides() } });
    let expected = json!({ "useDefault": false, "overrides": overrides() });
    let patched = desk.patch("/lunch", patch).await.ok().clone();
    assert_eq!((&patched["reminders"], &patched["updated"]), (&expected, &event["updated"]));
    assert_eq!(desk.put("/lunch", patched.clone()).await.ok(), &patched);
    // An empty list replaces nothing.
    let cleared = desk.patch("/lunch", json!({ "reminders": { "useDefault": true, "overrides": [] } })).await;
    assert_eq!(cleared.ok()["reminders"], json!({ "useDefault": true }));
    let empty = desk.patch("/lunch", json!({ "reminders": { "overrides": [] } })).await;
    assert_eq!(empty.ok()["reminders"], json!({ "useDefault": true }));
}

#[tokio::test]
async fn overrides_with_explicit_defaults_are_stored() {
    let desk = TestService::open().await;
    let both = json!({ "useDefault": true, "overrides": overrides() });
    let lunch = with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "reminders": both }));
    let inserted = desk.insert(lunch.clone()).await;
    let imported = with(hour(2, 9, "Lunch"), json!({ "iCalUID": "a@example.net", "reminders": both }));
    let imported = desk.post("/import", imported).await.ok().clone();
    let put = desk.put("/lunch", lunch).await.ok().clone();
    let patched = desk.patch("/lunch", json!({ "reminders": both })).await.ok().clone();
    for event in [inserted, imported, put, patched] {
        assert_eq!(event["reminders"], both);
    }
    // The defaults apply again, and what was stored stays.
    desk.patch("/lunch", json!({ "reminders": { "useDefault": false } })).await.ok();
    let again = desk.patch("/lunch", json!({ "reminders": { "useDefault": true } })).await;
    assert_eq!(again.ok()["reminders"], both);
}

#[tokio::test]
async fn a_file_keeps_unused_overrides() {
    let desk = TestService::open().await;
    let both = json!({ "useDefault": true, "overrides": overrides() });
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "reminders": both }))).await;
    let user = desk.store.user("ana@example.com").await.unwrap();
    let file = desk.service.export_ics(&user, "ana@example.com").await.unwrap().0;
    assert!(!file.contains("VALARM"), "the defaults apply: {file}");
    let ben = desk.store.user("ben@example.com").await.unwrap();
    let mut importer = desk.service.ics_importer(&ben, "ben@example.com").await.unwrap();
    importer.add("a.ics", file.as_bytes()).await.unwrap();
    importer.finish().await.unwrap();
    assert_eq!(desk.ben().list("").await.0[0]["reminders"], both);
}

#[tokio::test]
async fn what_a_client_has_read_changes_nothing() {
    let desk = TestService::open().await;
    for reminders in [
        json!({}),
        json!({ "overrides": [] }),
        json!({ "overrides": overrides() }),
        json!({ "useDefault": false, "overrides": overrides() }),
        json!({ "useDefault": true, "overrides": overrides() }),
        json!({ "useDefault": true }),
    ] {
        let inserted = desk.insert(with(hour(2, 9, "Lunch"), json!({ "reminders": reminders }))).await;
        let path = format!("/{}", inserted["id"].as_str().unwrap());
        assert_eq!(desk.patch(&path, inserted.clone()).await.ok(), &inserted, "patch of {reminders}");
        assert_eq!(desk.put(&path, inserted.clone()).await.ok(), &inserted, "update of {reminders}");
        let sent = desk.put(&path, with(hour(2, 9, "Lunch"), json!({ "reminders": reminders }))).await.ok().clone();
        assert_eq!(sent, inserted, "another update of {reminders}");
    }
}

#[tokio::test]
async fn a_file_keeps_reminders_as_they_were_read() {
    for reminders in [json!({}), json!({ "overrides": overrides() }), json!({ "useDefault": false })] {
        let desk = TestService::open().await;
        let inserted = desk.insert(with(hour(2, 9, "Lunch"), json!({ "reminders": reminders }))).await;
        let user = desk.store.user("ana@example.com").await.unwrap();
        let file = desk.service.export_ics(&user, "ana@example.com").await.unwrap().0;
        let ben = desk.store.user("ben@example.com").await.unwrap();
        let mut importer = desk.service.ics_importer(&ben, "ben@example.com").await.unwrap();
        importer.add("a.ics", file.as_bytes()).await.unwrap();
        importer.finish().await.unwrap();
        assert_eq!(desk.ben().list("").await.0[0]["reminders"], inserted["reminders"], "{reminders}");
    }
}
