//! Tests of calendars and mail in common scripts.

use serde_json::{Value, json};

use crate::everyday::{failure, with_host};

fn calendar(method: &str, arguments: &Value) -> Value {
    match method {
        "calendars.list" => json!([{ "id": "c", "primary": true, "description": "D" }]),
        "events.list" => json!([
            { "id": "1", "creator": { "email": "A@b.c" }, "organizer": { "self": true } },
            { "id": "2", "creator": { "email": "x@y.z" }, "attendees": [{ "email": "a@b.c", "self": true, "responseStatus": "declined" }] },
        ]),
        "events.insert" | "events.patch" => {
            let mut event = arguments["event"].clone();
            event["id"] = json!("made");
            event
        }
        _ => {
            json!({ "id": "e", "attendees": [{ "email": "a@b.c", "self": true }, { "email": "o@b.c", "organizer": true }],
            "reminders": { "overrides": [{ "method": "email", "minutes": 9 }] } })
        }
    }
}

#[tokio::test]
async fn events_repeat() {
    let body = "var r = CalendarApp.newRecurrence(), start = new Date(Date.UTC(2026, 0, 5, 9)), end = new Date(Date.UTC(2026, 0, 5, 10));
        r.addWeeklyRule().onlyOnWeekdays([CalendarApp.Weekday.MONDAY, CalendarApp.Weekday.FRIDAY]).interval(2).until(new Date(Date.UTC(2026, 5, 1)))
            .addDateExclusion(new Date(Date.UTC(2026, 0, 19, 9)));
        var s = CalendarApp.createEventSeries('S', start, end, r, { location: 'L' });
        CalendarApp.getDefaultCalendar().createAllDayEventSeries('D', start, CalendarApp.newRecurrence().addYearlyRule().onlyInMonth(CalendarApp.Month.MAY).times(3));
        s.deleteEventSeries(); return [s.getId(), s.isRecurringEvent(), CalendarApp.getDescription()]";
    let (value, calls) = with_host(body, calendar).await;
    assert_eq!(value, json!(["made", true, "D"]));
    let rules = ["RRULE:FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2;UNTIL=20260601T000000Z", "EXDATE:20260119T090000Z"];
    assert_eq!(calls[1].1["event"]["recurrence"], json!(rules));
    assert_eq!(calls[1].1["event"]["start"], json!({ "dateTime": "2026-01-05T09:00:00.000Z", "timeZone": "UTC" }));
    assert_eq!(calls[2].1["event"]["recurrence"], json!(["RRULE:FREQ=YEARLY;BYMONTH=5;COUNT=3"]));
    assert_eq!(calls[2].1["event"]["end"], json!({ "date": "2026-01-06" }));
    assert_eq!(calls[3].0, "events.delete");
    assert!(failure("CalendarApp.newRecurrence().addDailyRule().interval(0)").await.contains("interval"));
}

#[tokio::test]
async fn events_have_reminders_guests_and_responses() {
    let body = "var e = CalendarApp.getEventById('e@x'), c = CalendarApp.getDefaultCalendar();
        var r = [e.getMyStatus(), e.getGuestList().length, e.getGuestList(true).length, e.getGuestByEmail('O@b.c').getGuestStatus(), e.getEmailReminders()];
        e.setMyStatus(CalendarApp.GuestStatus.YES);
        CalendarApp.getEventById('e').addPopupReminder(10);
        CalendarApp.getEventById('e').addGuest('A@B.C').removeGuest('A@b.c');
        CalendarApp.getEventById('e').setVisibility(CalendarApp.Visibility.PRIVATE);
        var day = new Date(0), by = (options) => c.getEvents(day, day, options).map((one) => one.getId());
        return [...r, by({ author: 'a@B.c' }), by({ statusFilters: [CalendarApp.GuestStatus.NO] }), by({ start: 1, max: 1 })]";
    let (value, calls) = with_host(body, calendar).await;
    assert_eq!(value, json!(["INVITED", 1, 2, "OWNER", [9], ["1"], ["2"], ["2"]]));
    let patches: Vec<_> =
        calls.iter().filter(|(method, _)| method == "events.patch").map(|(_, patch)| &patch["event"]).collect();
    assert_eq!(patches[0]["attendees"][0], json!({ "email": "a@b.c", "self": true, "responseStatus": "accepted" }));
    let both = json!([{ "method": "email", "minutes": 9 }, { "method": "popup", "minutes": 10 }]);
    assert_eq!(patches[1]["reminders"], json!({ "useDefault": false, "overrides": both }));
    assert_eq!(patches[2]["attendees"], json!([{ "email": "o@b.c", "organizer": true }]), "a guest once");
    assert_eq!((patches[3], patches.len()), (&json!({ "visibility": "private" }), 4));
}

fn mail(method: &str, _: &Value) -> Value {
    let message = json!({ "id": "m", "thread_id": "t", "from": "Boss <boss@b.c>", "to": "\"Me, myself\" <ME@b.c>, Ann <ann@b.c>",
        "cc": "me@b.c, cy@b.c", "subject": "S", "date": 0, "body_plain": "text", "body_html": "<p>", "labels": [],
        "headers": [{ "name": "X-Mine", "value": "1" }],
        "attachments": [{ "name": "n", "content_type": "text/plain", "data_base64": "eA==" }] });
    match method {
        "get" => json!({ "effective_user": "me@b.c" }),
        "threads.get" => json!({ "id": "t", "messages": [message] }),
        "drafts.create" | "drafts.update" => json!({ "id": "d", "message_id": "m" }),
        "drafts.list" => json!([{ "id": "d", "message_id": "m" }]),
        "messages.get" | "drafts.send" => message,
        _ => Value::Null,
    }
}

#[tokio::test]
async fn mail_can_be_replied_to_all_and_forwarded() {
    let body = "var m = GmailApp.getMessageById('m'); m.replyAll('R'); m.forward('x@y.z', { subject: 'F' });
        MailApp.sendEmail('to@b.c', 'reply@b.c', 'Four', 'texts'); MailApp.sendEmail('to@b.c', 'Three', 'texts', { name: 'N' });
        return [m.getHeader('x-mine'), m.getHeader('none'), MailApp.getRemainingDailyQuota() > 0]";
    let (value, calls) = with_host(body, mail).await;
    assert_eq!(value, json!(["1", "", true]));
    let sent: Vec<_> = calls.iter().filter(|(method, _)| method == "send").map(|(_, one)| one).collect();
    assert_eq!((&sent[0]["to"], &sent[0]["cc"]), (&json!("Boss <boss@b.c>,Ann <ann@b.c>"), &json!("cy@b.c")));
    assert_eq!((&sent[1]["subject"], &sent[1]["attachments"][0]["name"]), (&json!("F"), &json!("n")));
    assert!(sent[1]["body"].as_str().unwrap().ends_with("To: \"Me, myself\" <ME@b.c>, Ann <ann@b.c>\n\ntext"));
    assert!(sent[1]["html_body"].as_str().unwrap().ends_with("<br><p>"));
    let four = ["to", "reply_to", "subject", "body"].map(|name| sent[2][name].as_str().unwrap());
    assert_eq!(four, ["to@b.c", "reply@b.c", "Four", "texts"]);
    assert_eq!((&sent[3]["subject"], &sent[3]["from_name"]), (&json!("Three"), &json!("N")));
}

#[tokio::test]
async fn mail_is_drafted_and_treated_together() {
    let body = "var d = GmailApp.createDraft('x@y.z', 'S', 'B'); d.update('x@y.z', 'T', 'B'); var t = GmailApp.getThreadById('t');
        t.createDraftReply('R'); GmailApp.markThreadsRead([t, t]).moveThreadToSpam(t).starMessages(t.getMessages()).markMessageUnread(t.getMessages()[0]);
        return [d.getId(), d.send().getId(), GmailApp.getDrafts()[0].getMessage().getSubject(), GmailApp.getAliases(), t.isInSpam()]";
    let (value, calls) = with_host(body, mail).await;
    assert_eq!(value, json!(["d", "m", "S", [], false]));
    let of = |name: &str| calls.iter().filter(|(method, _)| method == name).map(|(_, one)| one).collect::<Vec<_>>();
    assert_eq!((&of("drafts.update")[0]["id"], &of("drafts.update")[0]["subject"]), (&json!("d"), &json!("T")));
    assert_eq!(of("drafts.create")[1]["reply_to_message"], "m");
    assert_eq!((of("threads.modify").len(), &of("threads.modify")[2]["add_labels"]), (3, &json!(["SPAM"])));
    assert_eq!(of("messages.modify").len(), 2);
}
