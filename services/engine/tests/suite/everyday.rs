//! Tests of features that common scripts use: each was missing or wrong once.

use serde_json::{Value, json};
use wireform_engine::{Library, Outcome, Program};

use crate::support::{Recorder, html, invocation, pool, program, run, run_with, server, value};

/// Returns the value of an expression.
async fn evaluate(expression: &str) -> Value {
    value(&format!("function f() {{ return {expression} }}")).await
}

/// Returns the message of the exception that an expression throws.
pub(crate) async fn failure(expression: &str) -> String {
    match run(&format!("function f() {{ return {expression} }}"), &[]).await {
        Outcome::Threw(error) if error.kind == "Exception" => error.message,
        other => panic!("{expression}: {other:?}"),
    }
}

/// Runs statements with a host that responds by method, and returns the value and the calls.
pub(crate) async fn with_host(
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
async fn pages_contain_what_was_set() {
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
