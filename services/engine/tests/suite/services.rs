//! The globals that ask the host.

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
    assert_eq!(functions, ["f"], "frames of the platform are not the author's");
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
