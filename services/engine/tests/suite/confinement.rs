//! Tests of the resources of a process, seen from outside.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use wireform_engine::Outcome;

use crate::support::{child, value};

fn folder(process: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{process}"))
}

fn status(process: u32) -> String {
    fs::read_to_string(folder(process).join("status")).unwrap_or_default()
}

fn descriptors(process: u32) -> Vec<u32> {
    let all = fs::read_dir(folder(process).join("fd")).unwrap();
    all.map(|one| one.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect()
}

/// Starts a process as the pool does, and waits until it is confined.
fn start() -> std::process::Child {
    let mut process = Command::new(child())
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while !status(process.id()).contains("Seccomp:\t2") {
        assert_eq!(process.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(5));
    }
    process
}

/// Returns the nice value of a process.
fn nice(process: u32) -> i32 {
    let stat = fs::read_to_string(folder(process).join("stat")).unwrap();
    let fields = stat.rsplit_once(')').unwrap().1;
    fields.split_whitespace().nth(16).unwrap().parse().unwrap()
}

#[test]
fn scripts_have_a_lower_priority_than_the_server() {
    let mut process = start();
    assert_eq!(nice(process.id()), (nice(std::process::id()) + 5).min(19));
    process.kill().unwrap();
    process.wait().unwrap();
}

#[test]
fn a_ready_process_is_confined() {
    let mut process = start();
    let id = process.id();
    assert!(status(id).contains("NoNewPrivs:\t1"));
    assert!(status(id).contains("Threads:\t1"));
    // Descriptors inherited from the test program are still open: reading them is refused.
    let own = descriptors(std::process::id());
    let added: Vec<_> = descriptors(id).into_iter().filter(|one| *one > 3 && !own.contains(one)).collect();
    assert_eq!(added, Vec::<u32>::new());
    let figures = fs::read_link(folder(id).join("fd/3")).unwrap();
    assert_eq!(figures, folder(id).join("status"));
    assert_eq!(fs::read(folder(id).join("environ")).unwrap(), b"");
    assert_eq!(fs::read_link(folder(id).join("cwd")).unwrap(), PathBuf::from("/"));
    let limits = fs::read_to_string(folder(id).join("limits")).unwrap();
    for name in ["Max core file size", "Max file size", "Max processes"] {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        assert_eq!(line.split_whitespace().take(2).collect::<Vec<_>>(), ["0", "0"], "{name}");
    }
    // The process ends when its input ends.
    drop(process.stdin.take());
    assert!(!process.wait().unwrap().success());
    let mut output = Vec::new();
    process.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    assert_eq!(output, b"");
}

#[tokio::test]
async fn scripts_see_no_surroundings() {
    let names = "['process', 'require', 'module', 'std', 'os', 'scriptArgs', 'print', 'setTimeout', 'fetch', 'Deno', 'window', 'Worker', 'WebAssembly', '__loadScript', 'gc', 'performance', 'navigator']";
    let found = value(&format!("function f() {{ return {names}.filter((name) => name in globalThis) }}")).await;
    // The clock of the engine itself, which measures the time since its start.
    assert_eq!(found, json!(["performance"]));
    let outcome = crate::support::run("function f() { return import('fs') }", &[]).await;
    assert!(matches!(outcome, Outcome::Threw(_)), "{outcome:?}");
}
