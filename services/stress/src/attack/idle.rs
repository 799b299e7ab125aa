//! Anonymous connections that send nothing, or one request and then nothing.

use std::sync::Arc;

use super::connection::head;
use super::scene::Scene;
use super::slow::{self, Slow};

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<Scene>) -> anyhow::Result<()> {
    let half = scene.orders.connections / 2;
    let request = head("GET", "/mail/v1/users/me/profile", None, "\r\n");
    let nothing = Slow { name: "silent", connections: half, opening: String::new(), piece: b"" };
    slow::run_all(scene, vec![Slow { name: "kept", opening: request, ..nothing.clone() }, nothing]).await
}
