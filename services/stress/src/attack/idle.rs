//! Anonymous connections that send nothing, or one request and then nothing.

use std::sync::Arc;

use super::connection::head;
use super::scene::AttackContext;
use super::slow::{self, SlowConnections};

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let half = scene.orders.connections / 2;
    let request = head("GET", "/mail/v1/users/me/profile", None, "\r\n");
    let nothing = SlowConnections { name: "silent", connections: half, opening: String::new(), chunk: b"" };
    slow::run_all(scene, vec![SlowConnections { name: "kept", opening: request, ..nothing.clone() }, nothing]).await
}
