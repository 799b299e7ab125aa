//! Tests of invitations and replies by mail.

use base64::Engine as _;
use serde_json::{Value, json};
use wireform_store::{
    Accounts as _, CalendarSettings, Calendars as _, Label, ListQuery, Mailboxes as _, NewCalendar, SystemLabel,
};

use crate::desk::{TestService, hour, series, with};

/// Mail in an inbox.
pub struct Mail {
    pub head: String,
    /// Calendar part, unfolded.
    pub calendar: String,
    pub text: String,
}

/// Returns the mails in the inbox of a user, the oldest first.
pub async fn inbox(desk: &TestService, address: &str) -> Vec<Mail> {
    let of = desk.store.user(address).await.unwrap().mailbox;
    let labels = vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)];
    let query = ListQuery { labels, limit: 100, ..ListQuery::default() };
    let mut mails = Vec::new();
    for (id, _) in desk.store.messages(of, query).await.unwrap().messages {
        let raw = String::from_utf8(desk.store.whole_message(of, id).await.unwrap().1).unwrap();
        let (head, body) = raw.split_once("\r\n\r\n").unwrap();
        let part = |kind: &str| {
            let (_, part) = body.split_once(&format!("Content-Type: {kind}")).unwrap();
            let encoded = part.split_once("\r\n\r\n").unwrap().1.split("\r\n--").next().unwrap().replace("\r\n", "");
            String::from_utf8(base64::engine::general_purpose::STANDARD.decode(encoded).unwrap()).unwrap()
        };
        let calendar = part("text/calendar").replace("\r\n ", "");
        assert!(
            body.contains(&format!("method={};", calendar.split("METHOD:").nth(1).unwrap().lines().next().unwrap()))
        );
        mails.push(Mail { head: head.to_owned(), calendar, text: part("text/plain") });
    }
    mails.reverse();
    mails
}

/// Returns the subjects of the mails in the inbox of a user.
pub async fn subjects(desk: &TestService, address: &str) -> Vec<String> {
    let subject = |mail: &Mail| {
        let line = mail.head.split("Subject: ").nth(1).unwrap().lines().next().unwrap().to_owned();
        match line.strip_prefix("=?UTF-8?B?") {
            Some(word) => {
                let word = base64::engine::general_purpose::STANDARD.decode(word.trim_end_matches("?=")).unwrap();
                String::from_utf8(word).unwrap()
            }
            None => line,
        }
    };
    let mut subjects: Vec<String> = inbox(desk, address).await.iter().map(subject).collect();
    subjects.sort();
    subjects
}

fn lunch(members: Value) -> Value {
    let guests = json!({ "id": "lunch", "attendees": [
        { "email": "ben@example.com" }, { "email": "far@example.net" }, { "email": "ana@example.com" },
    ] });
    with(with(hour(2, 9, "Lunch"), guests), members)
}

#[tokio::test]
async fn point_60_guests_with_a_mailbox_here_are_invited_by_mail() {
    let desk = TestService::open().await;
    desk.post("?sendUpdates=all", lunch(json!({ "location": "Roof", "description": "Gr\u{fc}n" }))).await.ok();
    let mails = inbox(&desk, "ben@example.com").await;
    assert_eq!(mails.len(), 1);
    let Mail { head, calendar, text } = &mails[0];
    assert!(head.contains("From: Ana <Ana@Example.com>\r\n") && head.contains("To: ben@example.com\r\n"), "{head}");
    for line in [
        "METHOD:REQUEST",
        "SUMMARY:Lunch",
        "DTSTART:20260302T090000Z",
        "SEQUENCE:0",
        "DTSTAMP:20260301T120000Z",
        "LOCATION:Roof",
        "ORGANIZER;CN=Ana:mailto:Ana@Example.com",
        "UID:lunch@wireform",
        "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ben@example.com",
    ] {
        assert!(calendar.lines().any(|other| other == line), "{line}: {calendar}");
    }
    assert!(
        text.contains("Ana invites you") && text.contains("Gr\u{fc}n") && text.contains("2 March 2026, 09:00 (UTC)"),
        "{text}"
    );
    assert_eq!(subjects(&desk, "ana@example.com").await, [""; 0]);
}

#[tokio::test]
async fn point_60_mail_is_sent_if_requested() {
    for (query, count) in [
        ("", 0),
        ("?sendUpdates=none", 0),
        ("?sendUpdates=externalOnly", 0),
        ("?sendUpdates=all", 1),
        ("?sendNotifications=true", 1),
        ("?sendNotifications=true&sendUpdates=none", 0),
    ] {
        let desk = TestService::open().await;
        desk.post(query, lunch(json!({}))).await.ok();
        assert_eq!(inbox(&desk, "ben@example.com").await.len(), count, "{query}");
    }
}

#[tokio::test]
async fn point_60_affected_guests_are_notified_of_changes() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let patch = async |members: Value| desk.patch("/lunch?sendUpdates=all", members).await.ok().clone();
    patch(json!({ "summary": "Lunch" })).await;
    patch(json!({ "reminders": { "useDefault": false }, "colorId": "3" })).await;
    assert_eq!(subjects(&desk, "ben@example.com").await, [""; 0], "changes of a copy are not announced");
    patch(json!({ "summary": "Brunch" })).await;
    let guests = json!([{ "email": "ben@example.com" }, { "email": "cy@example.com" }]);
    patch(json!({ "attendees": guests })).await;
    assert_eq!(subjects(&desk, "ben@example.com").await, ["Updated invitation: Brunch"]);
    assert_eq!(subjects(&desk, "cy@example.com").await, ["Invitation: Brunch"]);
    patch(json!({ "attendees": [{ "email": "cy@example.com" }] })).await;
    let mails = inbox(&desk, "ben@example.com").await;
    let calendar = mails.iter().map(|mail| &mail.calendar).find(|calendar| calendar.contains("METHOD:CANCEL")).unwrap();
    assert!(calendar.contains("STATUS:CANCELLED") && !calendar.contains("cy@example.com"), "{calendar}");
    desk.delete("/lunch?sendUpdates=all").await;
    assert_eq!(subjects(&desk, "cy@example.com").await, ["Cancelled: Brunch", "Invitation: Brunch"]);
    assert_eq!(subjects(&desk, "ben@example.com").await.len(), 2);
}

#[tokio::test]
async fn point_60_an_instance_is_named_by_its_start() {
    let desk = TestService::open().await;
    let event = series("seria", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &["RRULE:FREQ=DAILY;COUNT=5"]);
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.post("?sendUpdates=all", with(event, guests)).await.ok();
    desk.patch("/seria_20260303T080000Z?sendUpdates=all", json!({ "location": "Roof" })).await.ok();
    desk.delete("/seria_20260304T080000Z?sendUpdates=all").await;
    let calendars: Vec<String> = inbox(&desk, "ben@example.com").await.into_iter().map(|mail| mail.calendar).collect();
    assert_eq!(calendars.len(), 3);
    let with = |line: &str| calendars.iter().filter(|calendar| calendar.contains(line)).count();
    assert_eq!((with("RRULE:FREQ=DAILY;COUNT=5"), with("BEGIN:VTIMEZONE")), (1, 3));
    assert_eq!(with("RECURRENCE-ID;TZID=Europe/Berlin:20260303T090000"), 1);
    assert_eq!(with("RECURRENCE-ID;TZID=Europe/Berlin:20260304T090000"), 1);
}

#[tokio::test]
async fn point_60_the_organizer_is_notified_of_responses() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let response = |status: &str| json!({ "attendeesOmitted": true, "attendees": [{ "email": "ben@example.com", "responseStatus": status, "comment": "Late" }] });
    desk.ben().patch("/lunch", response("tentative")).await.ok();
    assert_eq!(subjects(&desk, "ana@example.com").await, [""; 0]);
    desk.ben().patch("/lunch?sendUpdates=all", response("accepted")).await.ok();
    desk.ben().delete("/lunch?sendUpdates=all").await;
    assert_eq!(subjects(&desk, "ana@example.com").await, ["Accepted: Lunch", "Declined: Lunch"]);
    let calendar = &inbox(&desk, "ana@example.com").await[0].calendar;
    assert!(
        calendar.contains("METHOD:REPLY") && calendar.contains("PARTSTAT=ACCEPTED;X-RESPONSE-COMMENT=Late"),
        "{calendar}"
    );
    assert!(!calendar.contains("far@example.net"), "{calendar}");
    assert_eq!(subjects(&desk, "ben@example.com").await, [""; 0]);
}

#[tokio::test]
async fn point_60_an_event_that_is_moved_has_another_organizer() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let owner = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let add = async |id: &str| {
        let (id, summary, time_zone) = (Some(id.to_owned()), "Team".to_owned(), "UTC".to_owned());
        let calendar = NewCalendar { id, owner, summary, time_zone, settings: CalendarSettings::default() };
        desk.store.add_calendar(calendar, desk.clock.now()).await.unwrap();
    };
    add("team@example.com").await;
    add("nameless").await;
    desk.send("POST", "/lunch/move?destination=team@example.com&sendUpdates=all", None, &[]).await.ok();
    let mails = inbox(&desk, "ben@example.com").await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].calendar.contains("ORGANIZER;CN=Team:mailto:team@example.com"), "{}", mails[0].calendar);
    let path = "/calendar/v3/calendars/team@example.com/events/lunch/move?destination=nameless&sendUpdates=all";
    desk.send("POST", path, None, &[]).await.ok();
    assert_eq!(inbox(&desk, "ben@example.com").await.len(), 1, "the name is not a mail address");
}

fn reply(from: &str, status: &str, more: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:lunch@wireform\r\nDTSTAMP:20260301T120000Z\r\n\
         ORGANIZER:mailto:ana@example.com\r\nATTENDEE;PARTSTAT={status}:MAILTO:{from}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

/// Returns the response status of a guest, as users see it.
async fn status(desk: &TestService, id: &str, at: usize) -> Value {
    let seen = desk.event(id).await["attendees"][at]["responseStatus"].clone();
    assert_eq!(desk.ben().event(id).await["attendees"][at]["responseStatus"], seen);
    seen
}

#[tokio::test]
async fn point_60_a_reply_by_mail_counts_for_its_sender() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let mailbox = async |address: &str| desk.store.user(address).await.unwrap().mailbox;
    let take = async |to: &str, from: &str, reply: String| {
        desk.service.process_replies(mailbox(to).await, from, reply.as_bytes()).await.unwrap()
    };
    let (ana, ben, far) = ("ana@example.com", "ben@example.com", "far@example.net");
    for (to, from, text) in [
        (ana, far, reply(ben, "ACCEPTED", "")),
        (ben, ben, reply(ben, "ACCEPTED", "")),
        (ana, ben, reply(ben, "ACCEPTED", "SEQUENCE:1\r\n")),
        (ana, ben, reply(ben, "ACCEPTED", "SEQUENCE:x\r\n")),
        (ana, ben, reply(ben, "ACCEPTED", "RECURRENCE-ID:20260302T090000Z\r\n")),
        (ana, ben, reply(ben, "ACCEPTED", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:far@example.net\r\n")),
        (ana, "cy@example.com", reply("cy@example.com", "ACCEPTED", "")),
        (ana, ben, reply(ben, "ACCEPTED", "").replace("REPLY", "REQUEST")),
        (ana, ben, reply(ben, "ACCEPTED", "").replace("UID:lunch", "UID:brunch")),
        (ana, ben, "METHOD:REPLY".to_owned()),
    ] {
        assert_eq!(take(to, from, text.clone()).await, 0, "{text}");
    }
    assert_eq!(status(&desk, "lunch", 0).await, "needsAction");
    let before = desk.event("lunch").await["etag"].clone();
    assert_eq!(take(ana, "BEN@example.com", reply(ben, "ACCEPTED", "SEQUENCE:0\r\nCOMMENT:Late\r\n")).await, 1);
    assert_eq!(status(&desk, "lunch", 0).await, "accepted");
    let event = desk.event("lunch").await;
    assert_eq!((&event["attendees"][0]["comment"], event["etag"] != before), (&json!("Late"), true));
    assert_eq!(take(ana, ben, reply(ben, "ACCEPTED", "COMMENT:Late\r\n")).await, 0, "it is there already");
    assert_eq!(take(ana, far, reply(far, "DECLINED", "")).await, 1);
    assert_eq!(status(&desk, "lunch", 1).await, "declined");
}

#[tokio::test]
async fn point_60_an_instance_is_replied_to_by_mail() {
    let desk = TestService::open().await;
    let guests = json!({ "recurrence": ["RRULE:FREQ=DAILY;COUNT=3"], "start": { "dateTime": "2026-03-02T09:00:00Z", "timeZone": "UTC" },
        "end": { "dateTime": "2026-03-02T10:00:00Z", "timeZone": "UTC" } });
    desk.insert(lunch(guests)).await;
    let mailbox = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let reply = reply("ben@example.com", "TENTATIVE", "RECURRENCE-ID:20260303T090000Z\r\n");
    assert_eq!(desk.service.process_replies(mailbox, "ben@example.com", reply.as_bytes()).await.unwrap(), 1);
    assert_eq!(status(&desk, "lunch_20260303T090000Z", 0).await, "tentative");
    assert_eq!(status(&desk, "lunch", 0).await, "needsAction");
}
