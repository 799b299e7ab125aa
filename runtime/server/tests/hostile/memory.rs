//! What the process takes.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::{Target, alone, raw};

/// The bytes of memory that the process has at the moment; 0 where the system does not tell.
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// Tells what a connection costs that is open: one that has said nothing, and one between requests. Run it with
/// `cargo test --release -p wireform-server --test hostile -- --ignored --nocapture idle_connections`.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "it measures and decides nothing"]
async fn idle_connections() {
    let _alone = alone().await;
    let target = Target::patient().await;
    target.assert_serving("the start").await;
    let mut kept = Vec::new();
    for asked in [false, true] {
        let before = resident();
        let connections: Vec<_> = (0..2000)
            .map(|_| {
                let mut stream = TcpStream::connect(target.address).expect("it listens");
                if asked {
                    stream.write_all(&raw::get("me", "")).expect("sent");
                    let read = stream.read(&mut [0; 4096]).expect("answered");
                    assert!(read > 0);
                }
                stream
            })
            .collect();
        // Connections are accepted in their order: this one comes last.
        target.assert_serving("the connections").await;
        let each = resident().saturating_sub(before) / connections.len() as u64;
        kept.push(connections);
        println!("{each} bytes for a connection that has {}", if asked { "asked" } else { "said nothing" });
    }
}
