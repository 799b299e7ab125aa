//! Health checks from 50 connections without pause.

use std::sync::Arc;

use super::connection::{flood, head};
use super::scene::AttackContext;

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    flood(scene, 50, || head("GET", "/-/health", None, "\r\n")).await
}
