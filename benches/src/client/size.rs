//! Size of the release binary of one call by the generated client, compared with reqwest alone.

use crate::place;
use crate::project::{CONSUMER, Goal, Project};

/// Dependencies with the features that the generated client enables.
const BY_HAND: &str = "\
reqwest = { version = \"0.13\", default-features = false, \
features = [\"rustls\", \"http2\", \"gzip\", \"system-proxy\"] }
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";

/// Builds and prints.
pub fn run() -> anyhow::Result<()> {
    let scratch = place::scratch("client-size")?;
    let ours = super::our_program(&scratch.join("ours"), &[])?;
    let dependencies = format!("{BY_HAND}{}", super::TOKIO);
    let main = include_str!("programs/by_hand.rs");
    let by_hand = Project::program(&scratch.join("by-hand"), &dependencies, &[], main)?.with_lock_file()?.fetch()?;
    ours.make(Goal::Release)?;
    by_hand.make(Goal::Release)?;
    println!("client-size: a program of one call, release, symbols stripped");
    let (size, base) = (ours.size()?, by_hand.size()?);
    line("script-client", &ours, size)?;
    line("reqwest and serde by hand", &by_hand, base)?;
    println!("  ours/by hand {:.3}", size as f64 / base as f64);
    let (direct, all) = ours.dependencies("wireform-client")?;
    println!("  of which wireform-client: depends on {direct} crates directly, on {all} altogether\n");
    Ok(())
}

fn line(name: &str, project: &Project, size: u64) -> anyhow::Result<()> {
    let (direct, all) = project.dependencies(CONSUMER)?;
    println!("  {name:<34} {size:>10} bytes; depends on {direct} crates directly, on {all} altogether");
    Ok(())
}
