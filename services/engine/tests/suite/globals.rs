//! Tests of the globals of the platform.

use serde_json::{Value, json};
use wireform_engine::{LogLevel, Outcome};

use crate::support::{Recorder, invocation, pool, program, run, run_with, value};

/// Returns the value of an expression.
async fn evaluate(expression: &str) -> Value {
    value(&format!("function f() {{ return {expression} }}")).await
}

/// Returns the message of the exception that an expression throws.
async fn failure(expression: &str) -> String {
    match run(&format!("function f() {{ return {expression} }}"), &[]).await {
        Outcome::Threw(error) if error.kind == "Exception" => error.message,
        other => panic!("{expression}: {other:?}"),
    }
}

#[tokio::test]
async fn the_console_writes_lines() {
    let host = Recorder::silent();
    let source = "function f() { console.log('a', 1, {b: [2]}, null, undefined); console.warn('%s has %d of %j', 'x', 2.7, {});
        console.error(new Error('bad').message); console.debug(f); Logger.log('n: %s', 3).log([1]); console.log('\\ud800');
        console.log(Logger); var o = {}; o.o = o; console.info(o); return Logger.getLog() }";
    assert_eq!(run_with(source, &host).await, Outcome::Returned(Some(json!("n: 3\n[1]\n"))));
    let expected = [
        "a 1 {\"b\":[2]} null undefined",
        "x has 2 of {}",
        "bad",
        "[Function: f]",
        "n: 3",
        "[1]",
        "\u{fffd}",
        "Logger",
        "[Circular]",
    ];
    assert_eq!(host.messages(), expected);
    let levels: Vec<_> = host.lines.lock().unwrap().iter().map(|line| line.level).take(4).collect();
    assert_eq!(levels, [LogLevel::Info, LogLevel::Warning, LogLevel::Error, LogLevel::Debug]);
}

#[tokio::test]
async fn the_log_has_a_bound() {
    let host = Recorder::silent();
    let outcome =
        run_with("function f() { for (var i = 0; i < 3000; i++) console.log('é'.repeat(500)); return 1 }", &host).await;
    assert_eq!(outcome, Outcome::Returned(Some(json!(1))));
    let lines = host.messages();
    let length: usize = lines.iter().map(String::len).sum();
    assert!(length <= (1 << 20) + 100, "{length}");
    assert!(lines.last().unwrap().ends_with("(the log is full)"));
}

#[tokio::test]
async fn utilities_know_bytes() {
    assert_eq!(evaluate("Utilities.base64Encode('é?>')").await, "w6k/Pg==");
    assert_eq!(evaluate("Utilities.base64EncodeWebSafe('é?>')").await, "w6k_Pg==");
    assert_eq!(evaluate("Utilities.base64Decode('w6k/Pg')").await, json!([-61, -87, 63, 62]));
    assert_eq!(evaluate("Utilities.newBlob(Utilities.base64DecodeWebSafe('w6k_Pg==')).getDataAsString()").await, "é?>");
    assert!(failure("Utilities.base64Decode('*')").await.contains("base64"));
    let hex = ".map((b) => (b & 255).toString(16).padStart(2, '0')).join('')";
    for (call, expected) in [
        ("computeDigest(Utilities.DigestAlgorithm.MD5, 'abc')", "900150983cd24fb0d6963f7d28e17f72"),
        ("computeDigest(Utilities.DigestAlgorithm.SHA_1, 'abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("computeDigest('SHA_256', [97, 98, 99])", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "computeHmacSha256Signature('what do ya want for nothing?', 'Jefe')",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
    ] {
        assert_eq!(evaluate(&format!("Utilities.{call}{hex}")).await, expected, "{call}");
    }
    assert!(failure("Utilities.computeDigest('SHA_0', '')").await.contains("SHA_0"));
    let blob = "var b = Utilities.newBlob('x', 'text/css', 'a.css'); return [b.getName(), b.getContentType(), b.getBytes(), b.copyBlob().setName('b').getName()]";
    assert_eq!(value(&format!("function f() {{ {blob} }}")).await, json!(["a.css", "text/css", [120], "b"]));
    let outcome = run("function f() { return [Utilities.newBlob('x')] }", &[]).await;
    assert_eq!(outcome, Outcome::NotSerializable("a platform object at result[0]".to_owned()));
}

#[tokio::test]
async fn utilities_know_texts() {
    assert_eq!(
        evaluate("Utilities.formatDate(new Date(0), 'Europe/Paris', \"yyyy-MM-dd'T'HH:mm\")").await,
        "1970-01-01T01:00"
    );
    assert!(failure("Utilities.formatDate(new Date(0), 'No/Zone', 'y')").await.contains("No/Zone"));
    assert!(failure("Utilities.formatDate(0, 'UTC', 'y')").await.contains("Date"));
    let format =
        "Utilities.formatString('%s|%5d|%-5d|%05.1f|%+d|%x|%%|%.2s|%j', 'a', 42, 42, -3.14159, 7, 255, 'xyz', {a: 1})";
    assert_eq!(evaluate(format).await, "a|   42|42   |-03.1|+7|ff|%|xy|{\"a\":1}");
    let csv = r#"Utilities.parseCsv('a,"b ""c"", d"\n\r\n1,,"x\ny"')"#;
    assert_eq!(evaluate(csv).await, json!([["a", "b \"c\", d"], [""], ["1", "", "x\ny"]]));
    assert_eq!(evaluate("Utilities.parseCsv('a;b', ';')").await, json!([["a", "b"]]));
    assert_eq!(evaluate("Utilities.getUuid().length").await, 36);
    assert_eq!(evaluate("Utilities.getUuid() === Utilities.getUuid()").await, false);
    assert!(failure("Utilities.sleep(1e9)").await.contains("300000"));
}

#[tokio::test]
async fn dates_are_those_of_the_programs_zone() {
    let cases = [
        ("new Date(2026, 0, 5, 9, 30).toISOString()", json!("2026-01-05T08:30:00.000Z")),
        ("new Date('2026-07-05T09:30').toISOString()", json!("2026-07-05T07:30:00.000Z")),
        ("new Date('2026-07-05').toISOString()", json!("2026-07-05T00:00:00.000Z")),
        ("new Date('2026-07-05T09:30Z').getHours()", json!(11)),
        ("new Date('July 5, 2026 09:30:00').getUTCHours()", json!(7)),
        ("new Date('2026-07-05T09:30:00-05:00').getDate()", json!(5)),
        ("new Date(0).getTimezoneOffset()", json!(-60)),
        ("String(new Date(0))", json!("Thu Jan 01 1970 01:00:00 GMT+0100 (CET)")),
        ("(() => { var d = new Date(0); d.setHours(0, 0, 0, 0); return d.getTime() })()", json!(-3_600_000)),
        // The hour that the clock skips, and the one that it shows twice.
        ("new Date(2026, 2, 29, 2, 30).toISOString()", json!("2026-03-29T01:30:00.000Z")),
        ("new Date(2026, 9, 25, 2, 30).toISOString()", json!("2026-10-25T00:30:00.000Z")),
        (
            "[new Date() instanceof Date, new Date(NaN).getHours(), String(new Date(NaN)), typeof Date(), Date.length]",
            json!([true, null, "Invalid Date", "string", 7]),
        ),
        ("class D extends Date {}; return new D(5).getTime()", json!(5)),
        ("new Date(new Date(7)).getTime()", json!(7)),
        ("Date.UTC(1970, 0, 1)", json!(0)),
        ("JSON.stringify({ d: new Date(0) })", json!("{\"d\":\"1970-01-01T00:00:00.000Z\"}")),
        ("Session.getScriptTimeZone()", json!("Europe/Paris")),
    ];
    let pool = pool();
    for (expression, expected) in cases {
        let expression = if expression.starts_with('[') {
            format!("({expression}).map((x) => x === x ? x : null)")
        } else {
            expression.to_owned()
        };
        let body = if expression.starts_with("class") { expression.clone() } else { format!("return {expression}") };
        let mut paris = program(&format!("function f() {{ {body} }}"));
        paris.time_zone = "Europe/Paris".to_owned();
        let outcome = pool.run(invocation(paris, &[]), Recorder::silent()).await.outcome;
        assert_eq!(outcome, Outcome::Returned(Some(expected)), "{expression}");
    }
    let mut nowhere = program("function f() {}");
    nowhere.time_zone = "No/Where".to_owned();
    let outcome = pool.run(invocation(nowhere, &[]), Recorder::silent()).await.outcome;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.message.contains("No/Where")), "{outcome:?}");
}

#[tokio::test]
async fn scripts_may_have_globals_of_the_names_of_the_platform() {
    let loaded = "Object.keys(MailApp).length + typeof GmailApp";
    for (own, expected) in [
        ("var GmailApp = 'mine';", "0string"),
        ("let GmailApp = 'mine';", "0string"),
        ("function GmailApp() {}", "0function"),
        ("class GmailApp {}", "0function"),
        ("GmailApp = 1;", "0number"),
        ("delete globalThis.GmailApp;", "0undefined"),
        ("", "0object"),
    ] {
        let source = format!("{own} function f() {{ return {loaded} }}");
        assert_eq!(value(&source).await, json!(expected), "{own}");
    }
    assert_eq!(evaluate("CacheService === CacheService && typeof Session").await, json!("object"));
    let named = "Object.getOwnPropertyNames(globalThis).filter((name) => /App$|Service$/.test(name)).sort()";
    let expected =
        ["CacheService", "CalendarApp", "ContentService", "GmailApp", "HtmlService", "LockService", "MailApp"];
    let expected: Vec<_> = expected.into_iter().chain(["PropertiesService", "ScriptApp"]).collect();
    assert_eq!(evaluate(named).await, json!(expected));
}
