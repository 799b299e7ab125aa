//! Requests with random tokens from 50 connections without pause.

use std::sync::Arc;

use rand::RngExt as _;

use super::connection::{flood, head};
use super::scene::AttackContext;

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    flood(scene, 50, || {
        let token = format!("wf_{:064x}", rand::rng().random::<u128>());
        head("GET", "/mail/v1/users/me/profile", Some(&token), "\r\n")
    })
    .await
}
