//! Batches whose bodies arrive slowly, 64 bytes a second: anonymous, and of one user.

use std::sync::Arc;

use super::connection::head;
use super::scene::Scene;
use super::slow::{self, Slow};

/// Number of connections of the one user.
const OWN: usize = 200;

const PIECE: &[u8] = &[b' '; 64];

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<Scene>) -> anyhow::Result<()> {
    let more = "Content-Type: multipart/mixed; boundary=b\r\nContent-Length: 1048576\r\n\r\n--b\r\n";
    let kind = |name, connections, token| {
        let opening = head("POST", "/batch", token, more);
        Slow { name, connections, opening, piece: PIECE }
    };
    let connections = scene.orders.connections;
    let own = kind("own", OWN.min(connections), Some(&scene.orders.token));
    slow::run_all(scene, vec![kind("anonymous", connections, None), own]).await
}
