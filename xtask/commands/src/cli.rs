//! Command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};

/// Generates Rust crates from API schemas.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Common(Box<wireform::Command>),
    /// Record the size of each generated crate, so that growth is noticed.
    Budgets(BudgetsOptions),
    /// Run all checks: those of `cargo test`, and everything that takes longer.
    CheckAll,
    /// Serve all three APIs with a shared store; see `cargo xtask serve --help`.
    // Only listed here: it is a program of its own.
    Serve,
}

#[derive(Args)]
pub struct BudgetsOptions {
    /// Write nothing; fail if a crate has grown by over 5 percent, or is not recorded.
    #[arg(long)]
    pub check: bool,
}

/// Returns the root of the repository, whatever the current folder is. `cargo xtask` sets the variable.
pub fn root() -> PathBuf {
    let built_in = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned();
    std::env::var_os("XTASK_ROOT").map_or_else(built_in, PathBuf::from)
}
