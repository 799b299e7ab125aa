//! Connections that are reset before the response, half-closed, or whose responses are not read.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;

use super::connection::{head, open, open_narrow, status};
use super::scene::AttackContext;

/// Number of workers that reset, and that half-close; each opens 20 connections a second.
const WORKERS: usize = 20;
/// Pause of a worker between two connections.
const CONNECT_INTERVAL: Duration = Duration::from_millis(50);

/// Number of connections that read pages, a byte a second.
const SLOW_READERS: usize = 200;
/// Number of connections that read a large mail, a byte a second, for each of two users. Those of one user take all the
/// memory available for that user's responses, and those of two all that there is.
const LARGE_READERS: usize = 16;

/// Number of requests that a slow reader sends at once.
const PIPELINED: usize = 50;

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let token = Some(&*scene.orders.token);
    let page = head("GET", "/mail/v1/users/me/messages?maxResults=500", token, "\r\n");
    let mut tasks = JoinSet::new();
    for _ in 0..WORKERS {
        tasks.spawn(repeat(Arc::clone(scene), page.clone(), ConnectionEnd::Reset));
        tasks.spawn(repeat(Arc::clone(scene), page.clone(), ConnectionEnd::HalfClose));
    }
    for _ in 0..SLOW_READERS {
        tasks.spawn(repeat(Arc::clone(scene), page.repeat(PIPELINED), ConnectionEnd::SlowRead));
    }
    for (token, message) in &scene.orders.slow_readers {
        let large = format!("/mail/v1/users/me/messages/{message}?format=raw");
        let large = head("GET", &large, Some(token), "\r\n");
        for _ in 0..LARGE_READERS {
            tasks.spawn(repeat(Arc::clone(scene), large.clone(), ConnectionEnd::SlowRead));
        }
    }
    tasks.join_all().await;
    Ok(())
}

/// Action of a connection after its request.
#[derive(Clone, Copy)]
enum ConnectionEnd {
    Reset,
    HalfClose,
    SlowRead,
}

/// Opens connections one after the other until the attack is over.
async fn repeat(scene: Arc<AttackContext>, request: String, end: ConnectionEnd) {
    while !scene.is_over() {
        let done = tokio::time::timeout_at(scene.until.into(), connect_once(&scene, &request, end)).await;
        if matches!(done, Ok(Err(_))) {
            scene.count("failed");
        }
        tokio::time::sleep(CONNECT_INTERVAL).await;
    }
}

async fn connect_once(scene: &AttackContext, request: &str, end: ConnectionEnd) -> std::io::Result<()> {
    let mut stream =
        if matches!(end, ConnectionEnd::SlowRead) { open_narrow(scene).await? } else { open(scene).await? };
    stream.write_all(request.as_bytes()).await?;
    match end {
        ConnectionEnd::Reset => {
            // The system sends a reset instead of an orderly end.
            stream.set_zero_linger()?;
            scene.count("reset");
        }
        ConnectionEnd::HalfClose => {
            stream.shutdown().await?;
            let mut response = Vec::new();
            stream.read_to_end(&mut response).await?;
            scene.count(&format!("half-closed {}", status(&response).as_deref().unwrap_or("closed")));
        }
        ConnectionEnd::SlowRead => {
            let mut byte = [0];
            while stream.read(&mut byte).await? > 0 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            scene.count("slow reader closed");
        }
    }
    Ok(())
}
