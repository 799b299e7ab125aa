//! Tests of the globals that call the host.

use std::sync::Arc;

use serde_json::{Value, json};
use wireform_engine::{HostError, HostService, Outcome};

use crate::support::{Recorder, html, invocation, pool, program, run_with};

/// Runs statements with a host whose results are given in order, and returns the value and the calls.
async fn script(body: &str, replies: &[Value]) -> (Value, Vec<(HostService, String, Value)>) {
    let replies = std::sync::Mutex::new(replies.to_vec());
    let host = Recorder::new(move |_| {
        let mut replies = replies.lock().unwrap();
        if replies.is_empty() { Ok(Value::Null) } else { Ok(replies.remove(0)) }
    });
    let outcome = run_with(&format!("function f() {{ {body} }}"), &host).await;
    let Outcome::Returned(value) = outcome else { panic!("{body}: {outcome:?}") };
    let calls = host
        .calls
        .lock()
        .unwrap()
        .iter()
        .map(|call| (call.service, call.method.clone(), call.arguments.clone()))
        .collect();
    (value.unwrap_or_default(), calls)
}

fn call(service: HostService, method: &str, arguments: Value) -> (HostService, String, Value) {
    (service, method.to_owned(), arguments)
}

#[tokio::test]
async fn properties_are_the_hosts() {
    let body = "var p = PropertiesService.getScriptProperties(); p.setProperty('a', 1).setProperties({b: 'x'}, true);
        var r = [p.getProperty('a'), p.getProperties(), p.getKeys()];
        PropertiesService.getUserProperties().deleteProperty('k').deleteAllProperties(); return r";
    let (value, calls) =
        script(body, &[json!(null), json!(null), json!("1"), json!({"a": "1"}), json!({"a": "1"})]).await;
    assert_eq!(value, json!(["1", {"a": "1"}, ["a"]]));
    let expected = [
        ("set_all", json!({"scope": "script", "properties": {"a": "1"}, "delete_others": false})),
        ("set_all", json!({"scope": "script", "properties": {"b": "x"}, "delete_others": true})),
        ("get", json!({"scope": "script", "key": "a"})),
        ("get_all", json!({"scope": "script"})),
        ("get_all", json!({"scope": "script"})),
        ("delete", json!({"scope": "user", "key": "k"})),
        ("delete_all", json!({"scope": "user"})),
    ];
    assert_eq!(calls, expected.map(|(method, arguments)| call(HostService::Properties, method, arguments)));
}

#[tokio::test]
async fn the_cache_is_the_hosts() {
    let body = "var c = CacheService.getUserCache(); c.put('a', 'x'); c.putAll({b: 2}, 30); c.remove('z');
        return [c.get('a'), c.get('b'), c.getAll(['a', 'c'])]";
    let (value, calls) =
        script(body, &[json!(null), json!(null), json!(null), json!({"a": "x"}), json!({}), json!({"a": "x"})]).await;
    assert_eq!(value, json!(["x", null, {"a": "x"}]));
    assert_eq!(
        calls[0],
        call(HostService::Cache, "put_all", json!({"scope": "user", "values": {"a": "x"}, "seconds": 600}))
    );
    assert_eq!(
        calls[1],
        call(HostService::Cache, "put_all", json!({"scope": "user", "values": {"b": "2"}, "seconds": 30}))
    );
    assert_eq!(calls[2], call(HostService::Cache, "remove_all", json!({"scope": "user", "keys": ["z"]})));
}

#[tokio::test]
async fn locks_are_the_hosts() {
    let body = "var l = LockService.getScriptLock(); var r = [l.tryLock(10), l.hasLock()];
        try { l.waitLock(20) } catch (e) { r.push(e.name) } l.waitLock(30); r.push(l.hasLock(), LockService.getScriptLock().tryLock(0));
        l.releaseLock(); l.releaseLock(); return r.concat(l.hasLock())";
    let (value, calls) = script(body, &[json!(false), json!(false), json!(true)]).await;
    assert_eq!(value, json!([false, false, "Exception", true, true, false]));
    assert_eq!(calls.len(), 4, "one release: {calls:?}");
    assert_eq!(calls[0], call(HostService::Locks, "acquire", json!({"scope": "script", "milliseconds": 10})));
}

#[tokio::test]
async fn the_session_is_asked_once() {
    let body = "return [Session.getActiveUser().getEmail(), Session.getEffectiveUser().getEmail(), Session.getScriptTimeZone()]";
    let (value, calls) = script(body, &[json!({"active_user": "a@b.c", "effective_user": "d@e.f"})]).await;
    assert_eq!((value, calls.len()), (json!(["a@b.c", "d@e.f", "UTC"]), 1));
}

#[tokio::test]
async fn triggers_have_one_schedule() {
    let body = "var t = ScriptApp.newTrigger('g').timeBased().onWeekDay(ScriptApp.WeekDay.MONDAY).atHour(9).inTimezone('Europe/Paris').create();
        ScriptApp.deleteTrigger(t); return [t.getUniqueId(), ScriptApp.getProjectTriggers().length, ScriptApp.getScriptId()]";
    let (value, calls) = script(body, &[json!({"id": "7", "function": "g"}), json!(null), json!([])]).await;
    assert_eq!(value, json!(["7", 0, ""]));
    let schedule = json!({"time_zone": "Europe/Paris", "weekday": "MONDAY", "hour": 9});
    assert_eq!(calls[0], call(HostService::Triggers, "create", json!({"function": "g", "schedule": schedule})));
    assert_eq!(calls[1], call(HostService::Triggers, "delete", json!({"id": "7"})));
    for builder in ["everyMinutes(2)", "everyDays(1).everyHours(1).create()", "create()", "everyHours(0.5)", "at('x')"]
    {
        let (value, calls) = script(
            &format!("try {{ ScriptApp.newTrigger('g').timeBased().{builder} }} catch (e) {{ return e.name }}"),
            &[],
        )
        .await;
        assert_eq!((value, calls.len()), (json!("Exception"), 0), "{builder}");
    }
}

#[tokio::test]
async fn errors_of_the_host_are_exceptions() {
    let host = Recorder::new(|_| Err(HostError::new("the cache is full")));
    let outcome = run_with("function f() { CacheService.getScriptCache().put('a', 'b') }", &host).await;
    let Outcome::Threw(error) = outcome else { panic!("{outcome:?}") };
    assert_eq!((error.kind.as_str(), error.message.as_str()), ("Exception", "the cache is full"));
    let functions: Vec<_> = error.stack.iter().map(|frame| frame.function.as_str()).collect();
    assert_eq!(functions, ["f"], "frames of the platform are hidden");
    // Half of a surrogate pair is no text for the host.
    let outcome = run_with("function f() { CacheService.getScriptCache().get('\\ud800') }", &host).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "Exception"), "{outcome:?}");
}

#[tokio::test]
async fn pages_and_templates() {
    let mut program = program(
        "function helper(x) { return x * 2 }
        function f() { var t = HtmlService.createTemplateFromFile('page'); t.items = ['<a>', 2]; return t.evaluate().getContent() }
        function doGet(e) { return HtmlService.createHtmlOutput('<p>' + e.parameter.q).setTitle('T').addMetaTag('viewport', 'w') }
        function doPost() { return ContentService.createTextOutput('{}').setMimeType(ContentService.MimeType.JSON) }
        function page() { return HtmlService.createHtmlOutputFromFile('page') }
        function missing() { return HtmlService.createTemplateFromFile('none') }",
    );
    program
        .files
        .push(html("page", "<? for (let i of items) { ?>[<?= i ?>|<?!= i // raw ?>]<? } ?><?= helper(21) ?>\n"));
    let mut run = invocation(program, &[]);
    let pool = pool();
    assert_eq!(outcome(&pool, &run).await, Outcome::Returned(Some(json!("[&lt;a&gt;|<a>][2|2]42\n"))));
    run.function = "doGet".to_owned();
    run.parameters = vec![json!({"parameter": {"q": "x"}})];
    let page = json!({"kind": "html", "content": "<p>x", "mime_type": "text/html", "title": "T", "meta": [{"name": "viewport", "content": "w"}], "x_frame": "DEFAULT"});
    assert_eq!(outcome(&pool, &run).await, Outcome::Returned(Some(json!({"$output": page}))));
    run.function = "doPost".to_owned();
    let text = json!({"kind": "text", "content": "{}", "mime_type": "application/json", "file_name": null});
    assert_eq!(outcome(&pool, &run).await, Outcome::Returned(Some(json!({"$output": text}))));
    run.function = "page".to_owned();
    assert_eq!(outcome(&pool, &run).await, Outcome::NotSerializable("a platform object at result".to_owned()));
    run.function = "missing".to_owned();
    let found = outcome(&pool, &run).await;
    assert!(matches!(&found, Outcome::Threw(error) if error.message.contains("none")), "{found:?}");
}

async fn outcome(pool: &wireform_engine::Pool, invocation: &wireform_engine::Invocation) -> Outcome {
    pool.run(invocation.clone(), Arc::clone(&Recorder::silent()) as Arc<_>).await.outcome
}

#[tokio::test]
async fn calendars_have_events() {
    let calendars = json!([{"id": "a@b.c", "summary": "Work", "primary": true}, {"id": "x", "summary": "Other"}]);
    let event = json!({"id": "e1", "summary": "S", "start": {"dateTime": "2026-01-05T09:00:00Z"}, "end": {"dateTime": "2026-01-05T10:00:00Z"}, "attendees": [{"email": "g@h.i", "responseStatus": "accepted"}]});
    let body = "var c = CalendarApp.getDefaultCalendar();
        var e = CalendarApp.createEvent('S', new Date(Date.UTC(2026, 0, 5, 9)), new Date(Date.UTC(2026, 0, 5, 10)), {guests: 'g@h.i', sendInvites: true});
        var r = [c.getName(), e.getId(), e.getStartTime().toISOString(), e.isAllDayEvent(), e.getGuestList()[0].getGuestStatus()];
        c.createAllDayEvent('D', new Date(Date.UTC(2026, 0, 5))); r.push(e.setTitle('T').getTitle(), c.getEvents(new Date(0), new Date(1))[0].getId());
        r.push(CalendarApp.getCalendarById('none'), c.getEventById('e9')); e.deleteEvent(); return r";
    let patched = json!({"id": "e1", "summary": "T", "start": {"date": "2026-01-05"}, "end": {"date": "2026-01-06"}});
    let replies = [calendars, event.clone(), event.clone(), patched, json!([event]), json!(null)];
    let (value, calls) = script(body, &replies).await;
    assert_eq!(value, json!(["Work", "e1", "2026-01-05T09:00:00.000Z", false, "YES", "T", "e1", null, null]));
    let time = |hour: u32| json!({"dateTime": format!("2026-01-05T{hour:02}:00:00.000Z"), "timeZone": "UTC"});
    let inserted = json!({"summary": "S", "start": time(9), "end": time(10), "attendees": [{"email": "g@h.i"}]});
    assert_eq!(
        calls[1],
        call(
            HostService::Calendar,
            "events.insert",
            json!({"calendar_id": "a@b.c", "event": inserted, "send_invites": true})
        )
    );
    assert_eq!(
        calls[2].2["event"],
        json!({"summary": "D", "start": {"date": "2026-01-05"}, "end": {"date": "2026-01-06"}})
    );
    let methods: Vec<_> = calls.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(
        methods,
        [
            "calendars.list",
            "events.insert",
            "events.insert",
            "events.patch",
            "events.list",
            "events.get",
            "events.delete"
        ]
    );
}

#[tokio::test]
async fn mail_is_read_and_sent() {
    let message = json!({"id": "m1", "thread_id": "t1", "from": "A <a@b.c>", "subject": "Hi", "date": 0, "body_plain": "text", "labels": ["UNREAD", "INBOX"],
        "attachments": [{"name": "n", "content_type": "text/plain", "data_base64": "eA=="}]});
    let body = "GmailApp.sendEmail('x@y.z', 'S', 'B', {cc: ['c@d.e', 'f@g.h'], attachments: [Utilities.newBlob('x', 'text/plain', 'n')]});
        var t = GmailApp.search('is:unread')[0]; var m = t.getMessages()[0];
        var r = [m.getFrom(), m.isUnread(), m.getAttachments()[0].getDataAsString(), m.markRead().isUnread(), t.getFirstMessageSubject()];
        m.reply('thanks'); MailApp.sendEmail({to: 'q@r.s', subject: 'M', htmlBody: '<b>'}); return r";
    let mut bare = message.clone();
    bare["attachments"] = json!([{"name": "n", "content_type": "text/plain"}]);
    let replies = [json!(null), json!([{"id": "t1"}]), json!({"id": "t1", "messages": [bare]}), message];
    let (value, calls) = script(body, &replies).await;
    assert_eq!(value, json!(["A <a@b.c>", true, "x", false, "Hi"]));
    assert_eq!((&calls[0].1, &calls[0].2["cc"]), (&"send".to_owned(), &json!("c@d.e,f@g.h")));
    assert_eq!(calls[0].2["attachments"], json!([{"name": "n", "content_type": "text/plain", "data_base64": "eA=="}]));
    assert_eq!(
        calls[1],
        call(HostService::Mail, "threads.list", json!({"query": "is:unread", "start": 0, "max": 100}))
    );
    assert_eq!(calls[3], call(HostService::Mail, "messages.get", json!({"id": "m1"})));
    assert_eq!(
        calls[4],
        call(HostService::Mail, "messages.modify", json!({"id": "m1", "add_labels": [], "remove_labels": ["UNREAD"]}))
    );
    let reply = &calls[5].2;
    assert_eq!(
        (&reply["to"], &reply["subject"], &reply["reply_to_message"]),
        (&json!("A <a@b.c>"), &json!("Re: Hi"), &json!("m1"))
    );
    assert_eq!(calls[6].2["html_body"], json!("<b>"));
}

#[tokio::test]
async fn images_stand_in_the_html_of_a_message() {
    let body = "const image = Utilities.newBlob('x', 'image/png', 'a.png');
        GmailApp.sendEmail('x@y.z', 'S', 'B', {htmlBody: '<img src=\"cid:logo\">', inlineImages: {logo: image, other: Utilities.newBlob('y')}});
        MailApp.sendEmail({to: 'x@y.z', subject: 'S', htmlBody: '<b>', inlineImages: {}});
        GmailApp.createDraft('x@y.z', 'S', 'B', {htmlBody: '<b>', inlineImages: {logo: image}});
        GmailApp.sendEmail('x@y.z', 'S', 'B', {inlineImages: null, htmlBody: null})";
    let replies = [json!(null), json!(null), json!({"id": "d", "message_id": "d"}), json!(null)];
    let (_, calls) = script(body, &replies).await;
    let logo = json!({"content_id": "logo", "name": "a.png", "content_type": "image/png", "data_base64": "eA=="});
    assert_eq!(calls[0].2["inline_images"][0], logo);
    assert_eq!(calls[0].2["inline_images"][1]["name"], "other");
    assert_eq!(calls[0].2["attachments"], json!([]));
    assert_eq!(calls[1].2["inline_images"], json!([]));
    assert_eq!((&calls[2].1, &calls[2].2["inline_images"]), (&"drafts.create".to_owned(), &json!([logo])));
    assert_eq!((&calls[3].2["inline_images"], &calls[3].2["html_body"]), (&json!([]), &json!(null)));
}

#[tokio::test]
async fn options_of_mail_that_cannot_be_honored_are_refused() {
    for (options, message) in [
        ("{htmlBody: '<b>', inlineImages: [Utilities.newBlob('x')]}", "inlineImages is not an object of blobs"),
        ("{htmlBody: '<b>', inlineImages: Utilities.newBlob('x')}", "inlineImages is not an object of blobs"),
        ("{htmlBody: '<b>', inlineImages: new Map([['a', 1]])}", "inlineImages is not an object of blobs"),
        ("{htmlBody: '<b>', inlineImages: 'x'}", "inlineImages is not an object of blobs"),
        ("{htmlBody: '<b>', inlineImages: {logo: 'x'}}", "the image logo is not a blob"),
        ("{htmlBody: '<b>', inlineImages: {logo: null}}", "the image logo is not a blob"),
        ("{inlineImages: {logo: Utilities.newBlob('x')}}", "inlineImages requires an htmlBody that refers to them"),
        ("{attachments: Utilities.newBlob('x')}", "attachments is not a list of blobs"),
        ("{attachments: ['x']}", "the attachment 1 is not a blob"),
        ("{noReply: true}", "noReply cannot be set: this server has no address without replies"),
    ] {
        for send in
            ["GmailApp.sendEmail('x@y.z', 'S', 'B', OPTIONS)", "GmailApp.createDraft('x@y.z', 'S', 'B', OPTIONS)"]
        {
            let body = format!(
                "try {{ {}; return 'sent' }} catch (e) {{ return String(e) }}",
                send.replace("OPTIONS", options)
            );
            let (value, calls) = script(&body, &[]).await;
            assert!(value.as_str().unwrap().contains(message), "{options}: {value}");
            assert!(calls.is_empty(), "{options}");
        }
    }
}

#[tokio::test]
async fn a_message_that_is_forwarded_keeps_its_images() {
    let part = |name: &str, id: Option<&str>| json!({"name": name, "content_type": "image/png", "data_base64": "eA==", "content_id": id});
    let message = json!({"id": "m1", "thread_id": "t1", "from": "a@b.c", "subject": "Hi", "date": 0, "body_plain": "text", "body_html": "<img>",
        "attachments": [part("a", Some("logo")), part("b", None), part("c", Some("a b"))]});
    let body = "const m = GmailApp.getMessageById('m1'); m.forward('x@y.z');
        const names = (options) => m.getAttachments(options).map((one) => one.getName()).join();
        return [names(), names({includeInlineImages: false}), names({includeAttachments: false}), names({includeInlineImages: true})]";
    let (value, calls) = script(body, &[message, json!(null)]).await;
    assert_eq!(value, json!(["a,b,c", "b", "a,c", "a,b,c"]));
    let names =
        |list: &str| -> Vec<_> { calls[1].2[list].as_array().unwrap().iter().map(|one| one["name"].clone()).collect() };
    assert_eq!((names("inline_images"), names("attachments")), (vec![json!("a")], vec![json!("b"), json!("c")]));
}
