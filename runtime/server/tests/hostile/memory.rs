//! Memory of the process.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::{Target, lock_exclusively, raw};

/// Returns the current memory of the process in bytes, or 0 if the system does not report it.
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// Number of connections that are measured.
const CONNECTIONS: usize = 2000;

/// Prints the memory of an open connection: of one that has sent nothing, and of one between requests. They become idle
/// one after the other, as those of a server do: what one has freed is used by the next. Run it with `cargo test
/// --release -p wireform-server --test hostile -- --ignored --nocapture idle_connections`.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "it measures and decides nothing"]
async fn idle_connections() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    target.assert_serving("the start").await;
    let mut kept = Vec::new();
    for (state, pause) in [
        ("has sent nothing", None),
        ("has received a response more than a second ago", Some(Duration::from_millis(1500))),
        ("has just received a response", Some(Duration::ZERO)),
    ] {
        let before = resident();
        for number in 0..CONNECTIONS {
            kept.push(connect(target.address, pause.is_some()));
            if number % 100 == 99 {
                tokio::time::sleep(pause.unwrap_or_default()).await;
            }
        }
        // Connections are accepted in order: this one is the last.
        target.assert_serving("the connections").await;
        let each = resident().saturating_sub(before) / CONNECTIONS as u64;
        println!("{each} bytes for a connection that {state}");
    }
}

/// Opens a connection, and receives a response on it if `sends`.
fn connect(address: SocketAddr, sends: bool) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    if sends {
        stream.write_all(&raw::get("me", "")).expect("sent");
        let read = stream.read(&mut [0; 4096]).expect("a response arrives");
        assert!(read > 0);
    }
    stream
}
