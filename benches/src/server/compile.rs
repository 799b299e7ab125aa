//! What a server crate costs a user's build, beside the types crate that it builds on.

use crate::place;
use crate::validate::compile;

const APIS: [&str; 3] = ["calendar", "mailbox", "script"];

/// How often.
#[derive(clap::Args)]
pub struct Settings {
    /// How often both crates of an API are checked with their dependencies ready, in turns.
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
