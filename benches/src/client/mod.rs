//! The generated clients: what they cost a build and a program, and what they add to a call.

pub mod call;
pub mod compile;
pub mod openapi;
pub mod progenitor;
pub mod size;

mod server;

use std::path::Path;

use crate::project::Project;

/// What the programs of one call run on.
const TOKIO: &str = "tokio = { version = \"1\", default-features = false, features = [\"net\", \"rt\", \"time\"] }\n";

/// A project that depends on generated crates and measures them.
fn ours(folder: &Path, crates: &[&str]) -> anyhow::Result<Project> {
    Project::new(folder, &Project::generated(crates), crates)?.settled()?.prepared()
}

/// The program of one call by script-client.
fn our_program(folder: &Path, measured: &[&str]) -> anyhow::Result<Project> {
    let dependencies = Project::generated(&["script-client"]) + TOKIO;
    Project::program(folder, &dependencies, measured, include_str!("programs/ours.rs"))?.settled()?.prepared()
}
