//! Tests of hostile scripts, and of what remains of them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use wireform_engine::{Invocation, Limits, Outcome, Pool, Settings};
use wireform_test_data::requires;

use crate::support::{Recorder, child, invocation, pool, program};

const LIMITS: Limits =
    Limits { wall: Duration::from_secs(120), memory: 16 << 20, stack: 1 << 20, output: 1 << 20, logs: 1 << 16 };

/// Scripts that end only by the time limit.
const ENDLESS: &[&str] = &["date-timing", "inf-loop", "stack-bomb", "throw-getter"];

/// Name and source of each script.
fn scripts() -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/hostile/scripts.json");
    let scripts: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let member = |script: &Value, name: &str| script[name].as_str().unwrap().to_owned();
    scripts.iter().map(|script| (member(script, "id"), member(script, "source"))).collect()
}

fn hostile(source: &str) -> Invocation {
    let mut call = invocation(program(source), &[]);
    call.limits = LIMITS;
    call
}

fn is_expected(name: &str, outcome: &Outcome) -> bool {
    use Outcome::{NotSerializable, OutOfMemory, Returned, Threw, TimedOut};
    let threw = |kind: &str| matches!(outcome, Threw(error) if error.kind == kind);
    match name {
        // Either the engine's maximum string length, for which the string need not be in memory as a whole, or the
        // memory limit.
        "alloc-string" => threw("InternalError") || *outcome == OutOfMemory,
        "string-pad" => *outcome == OutOfMemory,
        // Deeper than the parser accepts.
        "array-literal-parse" => threw("RangeError"),
        "bigint-result" | "cyclic-result" | "nan-result" | "symbol-result" => matches!(outcome, NotSerializable(_)),
        name if ENDLESS.contains(&name) => *outcome == TimedOut,
        "eval" => *outcome == Returned(Some(json!(2))),
        "global-leak" | "proto-pollution" => *outcome == Returned(Some(json!(1))),
        "import" | "process" => matches!(outcome, Threw(_)),
        "inf-recursion" => threw("RangeError"),
        "spread-args" => threw("RangeError") || *outcome == OutOfMemory,
        _ => false,
    }
}

#[requires("corpora/hostile")]
#[tokio::test(flavor = "multi_thread")]
async fn each_script_ends_within_its_limits() {
    let scripts = scripts();
    assert!(scripts.len() >= 18);
    let pool = pool();
    // Each script runs twice: the second run must not see anything of the first.
    for (name, source) in scripts.iter().chain(&scripts) {
        let mut call = hostile(source);
        if ENDLESS.contains(&name.as_str()) {
            call.limits.wall = Duration::from_millis(500);
        }
        let outcome = pool.run(call, Recorder::silent()).await.outcome;
        assert!(is_expected(name, &outcome), "{name}: {outcome:?}");
        let polluted = "function f() { return [typeof x, ({}).polluted] }";
        let outcome = pool.run(hostile(polluted), Recorder::silent()).await.outcome;
        assert_eq!(outcome, Outcome::Returned(Some(json!(["undefined", null]))), "after {name}");
    }
}

/// Starts this program again for one test that is otherwise ignored.
fn run_isolated(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    command
}

#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<_>>()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn hostile_runs_leave_no_processes() {
    let output = run_isolated("hostile::two_hundred_runs").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "counts processes and descriptors: runs in a process of its own"]
async fn two_hundred_runs() {
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    let sources = [
        "function f() { while (true); }",
        "function f() { var a = []; while (true) a.push({}) }",
        "function f() { return f() }",
        "]",
        "function f() { return new Array(1e9) }",
    ];
    // The runtime opens its own descriptors with its first process.
    let first = Pool::new(Settings { command: vec![child().into()], idle: 2, concurrent: 8 });
    first.run(hostile("function f() {}"), Recorder::silent()).await;
    first.close().await;
    let before = descriptors();

    let pool = Pool::new(Settings { command: vec![child().into()], idle: 2, concurrent: 8 });
    let runs = (0..400_usize).map(|index| {
        let pool = pool.clone();
        let good = index % 2 == 0;
        let source = if good { "function f() { return 7 }" } else { sources[index / 2 % sources.len()] };
        let mut call = hostile(source);
        call.limits.wall = Duration::from_millis(if good { 120_000 } else { 100 });
        tokio::spawn(async move { (good, pool.run(call, Recorder::silent()).await.outcome) })
    });
    for run in runs.collect::<Vec<_>>() {
        let (good, outcome) = run.await.unwrap();
        assert_eq!(good, outcome == Outcome::Returned(Some(json!(7))), "{outcome:?}");
    }
    pool.close().await;
    assert_eq!(children(std::process::id()), Vec::<u32>::new());
    assert_eq!(descriptors(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_server_leaves_no_process() {
    let mut server = run_isolated("hostile::server").spawn().unwrap();
    // Two running processes and the idle ones.
    let processes = loop {
        let found = children(server.id());
        if found.len() >= 4 {
            break found;
        }
        assert_eq!(server.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(10));
    };
    server.kill().unwrap();
    server.wait().unwrap();
    let is_running = |process: &u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        status.contains("engine-child") && !status.contains("State:\tZ")
    };
    while processes.iter().any(is_running) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "is killed: runs in a process of its own"]
async fn server() {
    let pool = pool();
    let endless = || {
        let mut call = hostile("function f() { while (true); }");
        call.limits.wall = Duration::from_secs(120);
        pool.run(call, Arc::clone(&Recorder::silent()) as Arc<_>)
    };
    tokio::join!(endless(), endless());
}
