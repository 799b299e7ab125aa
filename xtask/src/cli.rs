//! The command line.

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, Parser, Subcommand};

/// Generates Rust crates from the descriptions of APIs.
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
    /// Record how much each generated crate holds, so that what grows is noticed.
    Budgets(BudgetsOptions),
    /// Serve all three APIs on a store of their own; `cargo xtask serve --help` tells how.
    #[command(disable_help_flag = true)]
    Serve(ServeOptions),
}

#[derive(Args)]
pub struct BudgetsOptions {
    /// Write nothing; fail when a crate holds over 5 percent more than is recorded, or is not recorded.
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
pub struct ServeOptions {
    /// What the program is told.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub arguments: Vec<OsString>,
}

/// The root of the repository, where the command is run from wherever it is called.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
