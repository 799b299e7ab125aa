//! Tests of limits of open files, and of many connections.

use std::net::TcpStream;

use crate::mail::profile;
use crate::program::Home;

/// Returns the soft limit of open files of a process.
#[cfg(target_os = "linux")]
fn open_files(pid: u32) -> String {
    let limits = fs_err::read_to_string(format!("/proc/{pid}/limits")).expect("the system reports limits");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("there is this limit");
    line.split_whitespace().nth(3).expect("a soft limit").to_owned()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_limit_of_open_files_is_raised_as_far_as_it_may() {
    let home = Home::new();
    let server = home.serve_after("ulimit -Sn 256", &["--connections", "600"]);
    assert_eq!(open_files(server.pid()), "728");
    let log = server.stop();
    assert!(!log.contains("may open"), "{log}");
}

#[tokio::test]
async fn a_promise_that_cannot_be_kept_is_lowered_and_idle_connections_make_room() {
    let home = Home::new();
    let server = home.serve_after("ulimit -n 300", &[]);
    let log = server.log();
    assert!(log.contains("enough for 172 connections at each address instead of 4096"), "{log}");
    let address = server.base.trim_start_matches("http://").to_owned();
    let idle: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(&address).expect("the system accepts it")).collect();
    for _ in 0..20 {
        profile(&server).await;
    }
    drop(idle);
    let log = server.stop();
    assert!(!log.contains("no connection can be accepted"), "{log}");
}
