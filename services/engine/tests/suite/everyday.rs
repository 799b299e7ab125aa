//! What scripts of every day use: each was missing or wrong once.

use serde_json::{Value, json};
use wireform_engine::{Library, Outcome, Program};

use crate::support::{Recorder, html, invocation, pool, program, run, run_with, server, value};

/// The value of an expression.
async fn evaluate(expression: &str) -> Value {
    value(&format!("function f() {{ return {expression} }}")).await
}

/// The message of the exception that an expression throws.
async fn failure(expression: &str) -> String {
    match run(&format!("function f() {{ return {expression} }}"), &[]).await {
        Outcome::Threw(error) if error.kind == "Exception" => error.message,
        other => panic!("{expression}: {other:?}"),
    }
}

/// Runs statements with a host that answers by the method, and returns the value and the calls.
async fn with_host(
    body: &str,
    reply: impl Fn(&str, &Value) -> Value + Send + Sync + 'static,
) -> (Value, Vec<(String, Value)>) {
    let host = Recorder::new(move |call| Ok(reply(&call.method, &call.arguments)));
    let outcome = run_with(&format!("function f() {{ {body} }}"), &host).await;
    let Outcome::Returned(value) = outcome else { panic!("{body}: {outcome:?}") };
    let calls = host.calls.lock().unwrap().iter().map(|call| (call.method.clone(), call.arguments.clone())).collect();
    (value.unwrap_or_default(), calls)
}

#[tokio::test]
async fn scriptlets_may_end_as_statements() {
    let mut program = program(
        "function include(name) { return HtmlService.createHtmlOutputFromFile(name).getContent() }
        function f() { var t = HtmlService.createTemplateFromFile('page'); t.name = '<b>'; return t.evaluate().getContent() }",
    );
    program.files.push(html("page", "<?!= include('style'); ?>|<?= name ; ; ?>|<? if (name) { ?>yes<? } ?>"));
    program.files.push(html("style", "<style></style>"));
    let outcome = pool().run(invocation(program, &[]), Recorder::silent()).await.outcome;
    assert_eq!(outcome, Outcome::Returned(Some(json!("<style></style>|&lt;b&gt;|yes"))));
}

#[tokio::test]
async fn pages_tell_what_was_set() {
    let body = "var p = HtmlService.createHtmlOutput('x').setWidth(3).setFaviconUrl('u').addMetaTag('a', 'b');
        return [p.getWidth(), p.getHeight(), p.getFaviconUrl(), p.getMetaTags()[0].getName(), p.getMetaTags()[0].getContent()]";
    assert_eq!(value(&format!("function f() {{ {body} }}")).await, json!([3, null, "u", "a", "b"]));
}

#[tokio::test]
async fn dates_are_parsed_by_a_pattern() {
    let parse = async |text: &str, zone: &str, format: &str| {
        let call = format!("Utilities.parseDate({}, '{zone}', {}).toISOString()", json!(text), json!(format));
        evaluate(&call).await
    };
    for (text, zone, format, expected) in [
        ("2026-07-05 09:30:15", "Europe/Paris", "yyyy-MM-dd HH:mm:ss", "2026-07-05T07:30:15.000Z"),
        ("20260105", "UTC", "yyyyMMdd", "2026-01-05T00:00:00.000Z"),
        ("5 Jan 26, 12:05 AM", "America/New_York", "d MMM yy, h:mm a", "2026-01-05T05:05:00.000Z"),
        ("Monday, January 5, 2026", "UTC", "EEEE, MMMM d, yyyy", "2026-01-05T00:00:00.000Z"),
        ("2026-01-05T09:00:00.250+02:30", "UTC", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-01-05T06:30:00.250Z"),
        ("2026-01-05T09:00Z", "Europe/Paris", "yyyy-MM-dd'T'HH:mmX", "2026-01-05T09:00:00.000Z"),
        ("9 o'clock", "UTC", "H 'o''clock'", "1970-01-01T09:00:00.000Z"),
    ] {
        assert_eq!(parse(text, zone, format).await, expected, "{text}");
    }
    for call in [
        "parseDate('x', 'UTC', 'yyyy')",
        "parseDate('2026', 'No/Zone', 'yyyy')",
        "parseDate('2026', 'UTC', 'b')",
        "parseDate('5 Foo', 'UTC', 'd MMM')",
        "parseDate('2026')",
    ] {
        assert!(!failure(&format!("Utilities.{call}")).await.is_empty(), "{call}");
    }
}

#[tokio::test]
async fn blobs_are_compressed_and_have_types() {
    let body = "var b = Utilities.newBlob('é'.repeat(1000), MimeType.PLAIN_TEXT, 'a.txt'), z = Utilities.gzip(b);
        var u = Utilities.ungzip(z);
        return [z.getName(), z.getContentType(), z.getBytes().length < 100, u.getName(), u.getContentType(), u.getDataAsString() === b.getDataAsString(),
            Utilities.newBlob('', null, 'x.PNG').setContentTypeFromExtension().getContentType(), b.getAs(MimeType.PDF).getContentType(),
            Utilities.newBlob(new Uint8Array([200, 1])).getBytes()]";
    let expected = json!([
        "a.txt.gz",
        "application/x-gzip",
        true,
        "a.txt",
        "text/plain",
        true,
        "image/png",
        "application/pdf",
        [-56, 1]
    ]);
    assert_eq!(value(&format!("function f() {{ {body} }}")).await, expected);
    assert!(failure("Utilities.ungzip(Utilities.newBlob('x'))").await.contains("gzip"));
    let bomb = "Utilities.ungzip(Utilities.gzip(Utilities.newBlob('x'.repeat(17 << 20)))).getName()";
    let outcome = run(&format!("function f() {{ return {bomb} }}"), &[]).await;
    assert!(!matches!(outcome, Outcome::Returned(_) | Outcome::Crashed), "{outcome:?}");
}

#[tokio::test]
async fn the_last_cell_of_a_table_may_be_quoted_and_empty() {
    assert_eq!(evaluate(r#"Utilities.parseCsv('""')"#).await, json!([[""]]));
    assert_eq!(evaluate(r#"Utilities.parseCsv('a,""\n"",b')"#).await, json!([["a", ""], ["", "b"]]));
}

#[tokio::test]
async fn keys_may_be_names_of_the_language() {
    let body = "var c = CacheService.getScriptCache(); return ['constructor', '__proto__', 'toString', 'a'].map((k) => c.get(k))";
    let (value, _) = with_host(body, |_, _| json!({ "a": "1" })).await;
    assert_eq!(value, json!([null, null, null, "1"]));
    let tags =
        "var e = CalendarApp.getEventById('e'); return [e.getTag('constructor'), e.getTag('a'), e.getAllTagKeys()]";
    let (value, _) = with_host(tags, |method, _| match method {
        "calendars.list" => json!([{ "id": "c", "primary": true }]),
        _ => json!({ "id": "e", "extendedProperties": { "shared": { "a": "1" } } }),
    })
    .await;
    assert_eq!(value, json!([null, "1", ["a"]]));
}

#[tokio::test]
async fn consoles_have_all_their_functions() {
    let host = Recorder::silent();
    let source = "function f() { console.group('g'); console.table([{ a: 1 }]); console.dir({ b: 2 }); console.groupEnd();
        console.time('t'); console.timeLog('t'); console.count(); console.countReset(); console.count(); console.clear();
        console.log(new Map([['k', { v: 1n }]]), new Set([1]), { f, e: new Error('x') }) }";
    assert_eq!(run_with(source, &host).await, Outcome::Returned(None));
    let messages = host.messages();
    assert_eq!((messages[0].as_str(), messages[1].as_str(), messages[2].as_str()), ("g", "[{\"a\":1}]", "{\"b\":2}"));
    assert!(messages[3].starts_with("t: "));
    assert_eq!(messages[4..6], ["default: 1", "default: 1"]);
    assert_eq!(messages[6], "Map {\"k\":{\"v\":\"1n\"}} Set [1] {\"f\":\"[Function: f]\",\"e\":\"Error: x\"}");
}

#[tokio::test]
async fn objects_of_libraries_are_those_of_the_platform() {
    let library = "function page() { return HtmlService.createHtmlOutput('from a library') }
        function blob() { return Utilities.newBlob('x') } function date() { return new Date(0) }";
    let library = Program { files: vec![server("Lib", library)], ..Program::default() };
    let mut program = program(
        "function doGet() { return Lib.page() } function leak() { return [Lib.page()] }
        function f() { return [Utilities.base64Encode(Lib.blob()), Utilities.formatDate(Lib.date(), 'UTC', 'yyyy')] }",
    );
    program.libraries.push(Library { symbol: "Lib".to_owned(), program: library });
    let mut call = invocation(program, &[]);
    let pool = pool();
    let outcome = async |call: &_| pool.run(Clone::clone(call), Recorder::silent()).await.outcome;
    assert_eq!(outcome(&call).await, Outcome::Returned(Some(json!(["eA==", "1970"]))));
    call.function = "doGet".to_owned();
    let Outcome::Returned(Some(page)) = outcome(&call).await else { panic!("no page") };
    assert_eq!(page["$output"]["content"], "from a library");
    call.function = "leak".to_owned();
    let refused = Outcome::NotSerializable("a platform object at result[0]".to_owned());
    assert_eq!(outcome(&call).await, refused);
}

#[tokio::test]
async fn the_clock_is_that_of_the_services() {
    let day = 24 * 60 * 60 * 1000;
    for (zone, ahead) in [("", day), ("Europe/Paris", -day)] {
        let mut program = program("function f() { return [Date.now(), new Date().getTime(), new Date(5).getTime()] }");
        (program.time_zone, program.ahead) = (zone.to_owned(), ahead);
        let outcome = pool().run(invocation(program, &[]), Recorder::silent()).await.outcome;
        let Outcome::Returned(Some(times)) = outcome else { panic!("{outcome:?}") };
        let machine = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let machine = i64::try_from(machine.as_millis()).unwrap();
        for at in [0, 1] {
            let off = times[at].as_i64().unwrap() - machine - ahead;
            // An hour is longer than any run, and less than a day.
            assert!(off.abs() < 60 * 60 * 1000, "{zone}: {off}");
        }
        assert_eq!(times[2], 5);
    }
}

#[tokio::test]
async fn triggers_start_after_a_time_and_web_apps_have_an_address() {
    let body = "ScriptApp.newTrigger('g').timeBased().after(5000).create();
        ScriptApp.newTrigger('g').timeBased().everyDays(1).atHour(6).nearMinute(30).create();
        return [ScriptApp.getService().getUrl(), ScriptApp.getService().isEnabled()]";
    let (value, calls) = with_host(body, |method, _| match method {
        "web_app_url" => json!("https://example.com/app"),
        _ => json!({ "id": "1", "function": "g" }),
    })
    .await;
    assert_eq!(value, json!(["https://example.com/app", true]));
    assert_eq!(calls[0].1["schedule"], json!({ "time_zone": "UTC", "after": 5000 }));
    assert_eq!(calls[1].1["schedule"], json!({ "time_zone": "UTC", "every_days": 1, "hour": 6, "minute": 30 }));
}

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
async fn events_have_reminders_guests_and_answers() {
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
async fn mail_is_answered_to_all_and_forwarded_whole() {
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

#[tokio::test]
async fn numbers_and_dates_are_written_for_people() {
    let moment = "new Date(Date.UTC(2026, 0, 5, 21, 7, 9))";
    for (expression, expected) in [
        ("(1234567.8916).toLocaleString()", "1,234,567.892"),
        ("(0.256).toLocaleString('en-US', { style: 'percent' })", "26%"),
        ("(-1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' })", "-$1,234.50"),
        ("(5).toLocaleString(undefined, { minimumFractionDigits: 2 })", "5.00"),
        ("(1e21).toLocaleString()", "1e+21"),
        ("[1000, 2].toLocaleString()", "1,000,2"),
        ("new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(1999.7)", "2,000"),
        ("MOMENT.toLocaleString()", "1/5/2026, 10:07:09 PM"),
        ("MOMENT.toLocaleDateString('en-US', { timeZone: 'UTC' })", "1/5/2026"),
        ("MOMENT.toLocaleTimeString()", "10:07:09 PM"),
        ("MOMENT.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' })", "10:07 PM"),
        ("MOMENT.toLocaleTimeString([], { hour12: false })", "22:07:09"),
        (
            "MOMENT.toLocaleDateString('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })",
            "Monday, January 5, 2026",
        ),
        ("MOMENT.toLocaleDateString('en-US', { month: 'short', day: 'numeric' })", "Jan 5"),
        ("MOMENT.toLocaleDateString('en-US', { month: 'long', year: 'numeric' })", "January 2026"),
        ("MOMENT.toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: '2-digit' })", "01/05/26"),
        ("MOMENT.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })", "Jan 5, 2026, 10:07 PM"),
        ("MOMENT.toLocaleString('en-US', { hour: 'numeric', timeZoneName: 'short' })", "10 PM CET"),
        ("new Intl.DateTimeFormat('en-US').format(MOMENT)", "1/5/2026"),
        (
            "Intl.DateTimeFormat.name + new Intl.DateTimeFormat().resolvedOptions().timeZone",
            "DateTimeFormatEurope/Paris",
        ),
        ("new Date(NaN).toLocaleString()", "Invalid Date"),
    ] {
        let source = format!("function f() {{ return {} }}", expression.replace("MOMENT", moment));
        let mut paris = program(&source);
        paris.time_zone = "Europe/Paris".to_owned();
        let outcome = pool().run(invocation(paris, &[]), Recorder::silent()).await.outcome;
        assert_eq!(outcome, Outcome::Returned(Some(json!(expected))), "{expression}");
    }
    assert_eq!(evaluate("new Date(0).toLocaleString()").await, "1/1/1970, 12:00:00 AM");
    let outcome =
        run("function f() { return new Date(0).toLocaleString('en-US', { timeZone: 'No/Where' }) }", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "RangeError"), "{outcome:?}");
}
