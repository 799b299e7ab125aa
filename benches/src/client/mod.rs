//! Generated clients: their cost for a build and a program, and their overhead per call.

pub mod call;
pub mod compile;
pub mod openapi;
pub mod progenitor;
pub mod size;

mod server;

use std::path::Path;

use crate::project::Project;

/// Async runtime of the programs of one call.
const TOKIO: &str = "tokio = { version = \"1\", default-features = false, features = [\"net\", \"rt\", \"time\"] }\n";

/// Creates a project that depends on generated crates and measures them.
fn ours(folder: &Path, crates: &[&str]) -> anyhow::Result<Project> {
    Project::new(folder, &Project::generated(crates), crates)?.with_lock_file()?.fetch()
}

/// Returns the program of one call by script-client.
fn our_program(folder: &Path, measured: &[&str]) -> anyhow::Result<Project> {
    let dependencies = Project::generated(&["script-client"]) + TOKIO;
    Project::program(folder, &dependencies, measured, include_str!("programs/ours.rs"))?.with_lock_file()?.fetch()
}
