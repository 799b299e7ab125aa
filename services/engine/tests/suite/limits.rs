//! Tests of the limits of a run.

use std::time::Duration;

use serde_json::json;
use wireform_engine::{Limits, Outcome, Pool, Settings};

use crate::support::{Recorder, invocation, pool, program, run};

async fn limited(source: &str, limits: Limits) -> Outcome {
    let mut call = invocation(program(source), &[]);
    call.limits = limits;
    pool().run(call, Recorder::silent()).await.outcome
}

#[tokio::test]
async fn time_ends_a_run() {
    let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
    for source in [
        "function f() { while (true); }",
        "while (true);",
        "function f() { throw { get message() { while (true); } } }",
        "function f() { return { get a() { while (true); } } }",
        "function f() { try { while (true); } finally { while (true); } }",
        "async function f() { while (true) await null; }",
        "function f() { return /^(a+)+$/.test('a'.repeat(40) + 'b') }",
    ] {
        assert_eq!(limited(source, limits).await, Outcome::TimedOut, "{source}");
    }
}

#[tokio::test]
async fn memory_ends_a_run() {
    let limits = Limits { memory: 16 << 20, wall: Duration::from_secs(60), ..Limits::default() };
    for source in [
        "function f() { var s = 'x'; while (true) s = (s + s).split('').join('') }",
        "function f() { var a = []; while (true) a.push({}) }",
        "function f() { return ''.padEnd(2 ** 30 - 1, 'x').length }",
        "function f() { return new Uint8Array(1 << 28).length }",
        "var a = []; while (true) a.push(a.slice());",
    ] {
        assert_eq!(limited(source, limits).await, Outcome::OutOfMemory, "{source}");
    }
    let outcome = limited("function f() { throw null }", limits).await;
    assert!(matches!(outcome, Outcome::Threw(_)), "{outcome:?}");
    // Shorter strings are not limited.
    assert_eq!(
        limited("function f() { return 'x'.repeat(1 << 20).length }", limits).await,
        Outcome::Returned(Some(json!(1 << 20)))
    );
}

#[tokio::test]
async fn the_stack_ends_a_recursion() {
    let outcome = run("function f() { return f() }", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "RangeError"), "{outcome:?}");
    let limits = Limits { stack: usize::MAX, ..Limits::default() };
    let outcome = limited("function f() { return f() }", limits).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "RangeError"), "{outcome:?}");
}

#[tokio::test]
async fn the_result_has_a_length() {
    let limits = Limits { output: 1000, ..Limits::default() };
    assert_eq!(limited("function f() { return 'x'.repeat(1001) }", limits).await, Outcome::OutputTooLong);
    assert_eq!(limited("function f() { return '\\0'.repeat(200) }", limits).await, Outcome::OutputTooLong);
    assert_eq!(limited("function f() { return new Array(2 ** 32 - 1) }", limits).await, Outcome::OutputTooLong);
    let fits = limited("function f() { return 'x'.repeat(900) }", limits).await;
    assert_eq!(fits, Outcome::Returned(Some(json!("x".repeat(900)))));
}

#[tokio::test]
async fn a_process_that_is_none_of_ours_is_a_crash() {
    for command in [vec![], vec!["/nonexistent".into()], vec!["/bin/true".into()], vec!["/bin/cat".into()]] {
        let pool = Pool::new(Settings { command, idle: 1, concurrent: 1 });
        let execution = pool.run(invocation(program("function f() {}"), &[]), Recorder::silent()).await;
        assert_eq!(execution.outcome, Outcome::Crashed);
    }
}

#[tokio::test]
async fn long_texts_of_scripts_are_truncated() {
    let names = "function f() { var k = '\\0'.repeat(1e6); return { [k]: f } }";
    let outcome = run(names, &[]).await;
    assert!(matches!(&outcome, Outcome::NotSerializable(what) if what.len() < 2000), "{outcome:?}");
    let thrown = "function f() { var e = new Error('\\0'.repeat(2e6)); e.name = e.message;
        e.stack = ('    at ' + 'g'.repeat(5000) + ' (' + 'é'.repeat(5000) + ':1:1)\\n').repeat(100); throw e }";
    let Outcome::Threw(error) = run(thrown, &[]).await else { panic!("no exception") };
    assert!(error.message.ends_with('…') && error.message.len() < 20_000);
    assert_eq!(error.stack.len(), 64);
}

#[tokio::test]
async fn calls_to_the_host_have_a_length() {
    let source =
        "function f() { try { CacheService.getScriptCache().get('x'.repeat(2e7)) } catch (e) { return e.message } }";
    let outcome = run(source, &[]).await;
    let Outcome::Returned(Some(message)) = outcome else { panic!("{outcome:?}") };
    assert!(message.as_str().is_some_and(|message| message.contains("message too long")), "{message}");
}

#[tokio::test]
async fn no_limit_at_all_is_the_least_limit() {
    let none = Limits { memory: 0, stack: 0, ..Limits::default() };
    let outcome = limited("function f() { var a = []; while (true) a.push({}) }", none).await;
    assert_eq!(outcome, Outcome::OutOfMemory);
    let outcome = limited("function f() { return f() }", none).await;
    assert!(matches!(outcome, Outcome::Threw(_) | Outcome::OutOfMemory), "{outcome:?}");
}

/// The host reserves memory for long messages: their text, and then their values.
#[tokio::test]
async fn long_messages_wait_for_memory() {
    let source = "function f(size, log) { if (log) console.log('y'.repeat(log)); return 'x'.repeat(size) }";
    let run = async |host: &std::sync::Arc<Recorder>, size: usize, log: usize| {
        pool().run(invocation(program(source), &[json!(size), json!(log)]), host.clone()).await.outcome
    };
    let host = Recorder::silent();
    assert!(matches!(run(&host, 1 << 10, 0).await, Outcome::Returned(_)));
    assert_eq!(*host.long.lock().unwrap(), ["sent"]);
    assert!(matches!(run(&host, 1 << 20, 20 << 10).await, Outcome::Returned(_)));
    let long = std::mem::take(&mut *host.long.lock().unwrap());
    let [_, _, line, line_text, result, result_text] = long.as_slice() else { panic!("{long:?}") };
    for (length, text, least) in [(line, line_text, 20 << 10), (result, result_text, 1 << 20)] {
        let (length, text) = (length.strip_prefix("length ").unwrap(), text.strip_prefix("text ").unwrap());
        assert!(length == text && length.parse::<usize>().unwrap() > least, "{long:?}");
    }
    host.max_length.store(1 << 20, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(run(&host, 1 << 20, 0).await, Outcome::NoMemory);
    assert_eq!(host.long.lock().unwrap().len(), 2, "the text is not read");
}
