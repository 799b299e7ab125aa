//! Build time of a server crate, in addition to the types crate that it depends on.

use crate::place;
use crate::validate::compile;

const APIS: [&str; 3] = ["calendar", "mailbox", "script"];

/// Number of rounds.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved checks of both crates of an API with their dependencies ready.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 9 }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("server-compile")?;
    println!("server-compile: cargo check, incremental off, dependencies ready\n");
    for api in APIS {
        compile::measure(api, "server", &scratch.join(api), settings.pairs)?;
    }
    Ok(())
}
