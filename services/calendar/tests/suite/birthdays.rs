//! Tests of special days of contacts.

use serde_json::{Value, json};
use wireform_calendar::BirthdayReport;
use wireform_store::Accounts as _;

use crate::desk::{TestService, hour, with};

const CARDS: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ada\r\nFN:Ada Lovelace\r\nBDAY:1815-12-10\r\n\
    ANNIVERSARY:18350708\r\nitem1.X-ABDATE:18430601\r\nitem1.X-ABLabel:First programme\r\nitem2.X-ABDATE:18330605\r\n\
    TEL:+44 1\r\nEND:VCARD\r\n\
    BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana\r\nEMAIL:ana@example.com\r\nBDAY:--0229\r\nEND:VCARD\r\n\
    BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Nobody\r\nEND:VCARD\r\n";

async fn import(desk: &TestService, text: &str) -> BirthdayReport {
    let user = desk.store.user("ana@example.com").await.unwrap();
    desk.service.import_vcards(&user, "ana@example.com", "cards.vcf", text.as_bytes()).await.unwrap()
}

async fn days(desk: &TestService) -> Vec<Value> {
    let mut days = desk.list("eventTypes=birthday").await.0;
    days.sort_by_key(|day| day["summary"].to_string());
    days
}

#[tokio::test]
async fn point_88_special_days_of_contacts_are_made_by_the_server() {
    let desk = TestService::open().await;
    let report = import(&desk, CARDS).await;
    assert_eq!((report.stored, report.without_days, report.losses.total()), (5, 1, 0));
    let days = days(&desk).await;
    let summaries: Vec<(&str, &str, &str)> = days
        .iter()
        .map(|day| {
            let kind = day["birthdayProperties"]["type"].as_str().unwrap();
            (day["summary"].as_str().unwrap(), kind, day["start"]["date"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        summaries,
        [
            ("Ada Lovelace: First programme", "custom", "1843-06-01"),
            ("Ada Lovelace\u{2019}s anniversary", "anniversary", "1835-07-08"),
            ("Ada Lovelace\u{2019}s birthday", "birthday", "1815-12-10"),
            ("Ada Lovelace\u{2019}s special day", "other", "1833-06-05"),
            ("Happy birthday!", "self", "2000-02-29"),
        ]
    );
    let contact = &days[0]["birthdayProperties"]["contact"];
    assert!(contact.as_str().unwrap().starts_with("people/c"), "{contact}");
    assert_eq!(days[0]["birthdayProperties"]["customTypeName"], "First programme");
    assert!(days[..4].iter().all(|day| day["birthdayProperties"]["contact"] == *contact));
    assert_eq!(days[4]["birthdayProperties"], json!({ "type": "self" }), "the user's own birthday has no contact");
    assert_eq!(days[4]["recurrence"], json!(["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"]));
    let february =
        desk.get("?eventTypes=birthday&singleEvents=true&timeMin=2026-02-01T00:00:00Z&timeMax=2026-03-01T00:00:00Z");
    assert_eq!(february.await.ok()["items"][0]["start"]["date"], "2026-02-28");
    assert_eq!((&days[0]["transparency"], &days[0]["visibility"]), (&json!("transparent"), &json!("private")));
    // Clients cannot change the properties that the server sets, and cannot create such days.
    let id = days[0]["id"].as_str().unwrap();
    let path = format!("/{id}");
    desk.patch(&path, json!({ "birthdayProperties": null })).await.assert_error(400, "invalid");
    let mut sent = days[0].clone();
    sent["birthdayProperties"]["contact"] = json!("people/other");
    sent["birthdayProperties"]["customTypeName"] = json!("Mine");
    sent["summary"] = json!("Notes");
    let updated = desk.put(&path, sent).await.ok().clone();
    assert_eq!(
        (&updated["birthdayProperties"], &updated["summary"]),
        (&days[0]["birthdayProperties"], &json!("Notes"))
    );
    for kind in ["anniversary", "custom", "other", "self"] {
        let made = json!({ "eventType": "birthday", "birthdayProperties": { "type": kind }, "recurrence": ["RRULE:FREQ=YEARLY"],
            "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" } });
        desk.post("", made).await.assert_error(400, "invalid");
    }
}

#[tokio::test]
async fn point_88_the_same_file_again_changes_nothing() {
    let desk = TestService::open().await;
    import(&desk, CARDS).await;
    let before = days(&desk).await;
    let report = import(&desk, CARDS).await;
    assert_eq!((report.stored, report.replaced, report.known), (0, 0, 5));
    assert_eq!(days(&desk).await, before);
    // A changed day is changed on the calendar; a deleted one stays deleted.
    desk.delete(&format!("/{}", before[0]["id"].as_str().unwrap())).await;
    let report = import(&desk, &CARDS.replace("1815-12-10", "1815-12-11")).await;
    assert_eq!((report.stored, report.replaced, report.known), (0, 1, 4));
    let after = days(&desk).await;
    assert_eq!((after.len(), &after[1]["start"]["date"]), (4, &json!("1815-12-11")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn point_88_concurrent_imports_store_each_day_once() {
    let desk = TestService::open().await;
    let (one, other) = tokio::join!(import(&desk, CARDS), import(&desk, CARDS));
    assert_eq!((one.stored + other.stored, one.known + other.known), (5, 5));
    assert_eq!(days(&desk).await.len(), 5);
}

#[tokio::test]
async fn point_83_birthdays_have_a_derived_gadget() {
    let desk = TestService::open().await;
    import(&desk, CARDS).await;
    let days = days(&desk).await;
    let gadget = json!({ "title": "Ada Lovelace: First programme", "display": "chip", "preferences": {
        "type": "custom", "contact": days[0]["birthdayProperties"]["contact"], "customTypeName": "First programme",
    } });
    assert_eq!(days[0]["gadget"], gadget);
    // Sending the gadget back changes nothing; another one is not stored.
    let path = format!("/{}", days[0]["id"].as_str().unwrap());
    assert_eq!(desk.put(&path, days[0].clone()).await.ok()["etag"], days[0]["etag"]);
    let sent = desk.patch(&path, json!({ "gadget": { "title": "Weather" } })).await;
    assert_eq!((&sent.ok()["gadget"], &sent.ok()["etag"]), (&gadget, &days[0]["etag"]));
}

#[tokio::test]
async fn point_83_gadgets_are_stored_as_they_are_sent() {
    let desk = TestService::open().await;
    let gadget = json!({
        "type": "html", "title": "Weather", "link": "http://example.com/", "iconLink": "data:,", "width": 1,
        "height": 2147483647, "display": "icon", "preferences": { "unit": "C" },
    });
    let lunch = |gadget: &Value| with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "gadget": gadget }));
    assert_eq!(desk.insert(lunch(&gadget)).await["gadget"], gadget);
    assert_eq!(desk.event("lunch").await["gadget"], gadget);
    let other = json!({ "title": "News", "display": "chip" });
    assert_eq!(desk.put("/lunch", lunch(&other)).await.ok()["gadget"], other);
    let patched = desk.patch("/lunch", json!({ "gadget": { "display": null, "width": 10 } })).await.ok().clone();
    assert_eq!(patched["gadget"], json!({ "title": "News", "width": 10 }));
    assert!(desk.put("/lunch", hour(2, 9, "Lunch")).await.ok().get("gadget").is_none());
    let imported = with(hour(2, 9, "Tea"), json!({ "iCalUID": "tea", "gadget": gadget }));
    assert_eq!(desk.post("/import", imported).await.ok()["gadget"], gadget);
    // All copies have it.
    let invited = json!({ "attendees": [{ "email": "ben@example.com" }], "gadget": other });
    desk.patch("/lunch", invited).await.ok();
    assert_eq!(desk.ben().event("lunch").await["gadget"], other);
    for invalid in [json!({ "width": 0 }), json!({ "height": -1 }), json!({ "display": "large" })] {
        desk.patch("/lunch", json!({ "gadget": invalid })).await.assert_error(400, "invalid");
    }
}

/// Returns a birthday with a rule.
fn birthday(rules: &[&str]) -> Value {
    json!({ "id": "birth", "eventType": "birthday", "recurrence": rules, "start": { "date": "2026-03-02" },
        "end": { "date": "2026-03-03" } })
}

#[tokio::test]
async fn a_birthday_has_one_instance_a_year() {
    const REFUSED: &[&[&str]] = &[
        &["RRULE:FREQ=YEARLY;INTERVAL=2"],
        &["RRULE:FREQ=YEARLY;BYDAY=MO"],
        &["RRULE:FREQ=YEARLY;BYDAY=1MO;BYMONTH=3"],
        &["RRULE:FREQ=YEARLY;BYMONTH=1,2,3"],
        &["RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2,3"],
        &["RRULE:FREQ=YEARLY;BYMONTHDAY=2"],
        &["RRULE:FREQ=YEARLY;BYYEARDAY=61"],
        &["RRULE:FREQ=YEARLY;BYWEEKNO=10"],
        &["RRULE:FREQ=YEARLY", "RRULE:FREQ=YEARLY"],
        &["RRULE:FREQ=YEARLY", "RDATE;VALUE=DATE:20300401"],
        &["RRULE:FREQ=YEARLY", "EXRULE:FREQ=YEARLY;INTERVAL=3"],
        &["RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20270302"],
        &["RDATE;VALUE=DATE:20270302"],
        &["RRULE:FREQ=MONTHLY"],
        // The start is the first instance; another day of the same year is the second.
        &["RRULE:FREQ=YEARLY;BYMONTH=5"],
        // One instance a year, on another day than the start.
        &["RRULE:FREQ=YEARLY;BYMONTH=1"],
        &["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28"],
        &["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"],
        &["RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1"],
        &["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"],
        &[],
    ];
    const ACCEPTED: &[&[&str]] = &[
        &["RRULE:FREQ=YEARLY"],
        &["rrule:interval=1;freq=yearly"],
        &["RRULE:FREQ=YEARLY;WKST=SU;BYMONTH=3;BYMONTHDAY=2"],
        &["RRULE:FREQ=YEARLY;UNTIL=20400101"],
        &["RRULE:FREQ=YEARLY;COUNT=3"],
    ];
    let desk = TestService::open().await;
    for rules in REFUSED {
        let response = desk.post("", birthday(rules)).await;
        assert_eq!(response.status, 400, "{rules:?}");
        response.assert_location("recurrence");
    }
    desk.insert(birthday(&["RRULE:FREQ=YEARLY"])).await;
    for rules in ACCEPTED {
        assert_eq!(desk.put("/birth", birthday(rules)).await.ok()["recurrence"], json!(rules));
        desk.patch("/birth", json!({ "recurrence": ["RRULE:FREQ=YEARLY"] })).await.ok();
    }
    for rules in REFUSED {
        assert_eq!(desk.put("/birth", birthday(rules)).await.status, 400, "{rules:?}");
        assert_eq!(desk.patch("/birth", json!({ "recurrence": rules })).await.status, 400, "{rules:?}");
    }
    for (rules, part) in [
        (json!(["RRULE:FREQ=YEARLY;BYMONTHDAY=2"]), "one instance a year, on the day of its start"),
        (json!(["RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20270302"]), "instead of an `EXDATE`, delete the instance"),
    ] {
        let refused = desk.patch("/birth", json!({ "recurrence": rules })).await;
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    // The 29th of February is not a day of every year.
    let leap = json!({ "start": { "date": "2028-02-29" }, "end": { "date": "2028-03-01" } });
    desk.patch("/birth", leap.clone()).await.assert_error(400, "invalid");
    let rule = |rule: &str| with(leap.clone(), json!({ "recurrence": [rule] }));
    desk.patch("/birth", rule("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28")).await.assert_error(400, "invalid");
    desk.patch("/birth", rule("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1")).await.ok();
}

#[tokio::test]
async fn an_import_keeps_a_birthday_yearly() {
    let desk = TestService::open().await;
    let uid = desk.insert(birthday(&["RRULE:FREQ=YEARLY"])).await["iCalUID"].clone();
    let newer = |rules: &[&str]| with(birthday(rules), json!({ "iCalUID": uid, "sequence": 1 }));
    let often = desk.post("/import", newer(&["RRULE:FREQ=YEARLY;INTERVAL=2"])).await;
    often.assert_error(400, "invalid");
    let timed = with(hour(2, 9, "Party"), json!({ "iCalUID": uid, "sequence": 1 }));
    desk.post("/import", timed).await.assert_error(400, "invalid");
    desk.post("/import", newer(&["RRULE:FREQ=YEARLY;COUNT=9"])).await.ok();
}
