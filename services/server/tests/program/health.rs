//! Tests of the health check, which requires no token.

use std::io::Read as _;

use reqwest::{Method, StatusCode};

use crate::program::Home;

/// Returns the number of restarts of SQLite's log, and its length.
fn log_of(home: &Home) -> (u32, u64) {
    let path = home.data().join("store.sqlite3-wal");
    let mut head = [0; 16];
    fs_err::File::open(&path).and_then(|mut file| file.read_exact(&mut head)).expect("there is a log");
    let begun = u32::from_be_bytes(head[12..].try_into().expect("four bytes"));
    (begun, fs_err::metadata(&path).expect("there is a log").len())
}

#[tokio::test]
async fn a_flood_for_health_writes_next_to_nothing() {
    let home = Home::new();
    let server = home.serve(&[]);
    assert_eq!(server.get("/-/health").await.0, StatusCode::OK);
    let (begun, length) = log_of(&home);
    let mut checks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let request = server.request(Method::GET, "/-/health");
        checks.spawn(async move {
            for _ in 0..250 {
                let request = request.try_clone().expect("it has no body");
                assert_eq!(request.send().await.expect("a response").status(), StatusCode::OK);
            }
        });
    }
    checks.join_all().await;
    let (still, longer) = log_of(&home);
    // The tasks of the server itself write a little as well; a thousand commits would write thousands of pages.
    assert_eq!(begun, still, "the log has begun again");
    assert!(longer - length < 60 * 4096, "the log has grown by {} bytes", longer - length);
}
