//! `cargo xtask …`: the commands of Wireform in its own repository, and commands for this repository only. `cargo xtask`
//! itself builds and starts this program.

mod budgets;
mod cli;

use std::process::{Command, ExitCode};

use anyhow::Context as _;
use clap::Parser as _;
use wireform::CommandContext;

fn main() -> ExitCode {
    let home = CommandContext { name: "cargo xtask".to_owned(), repository: Some(cli::root()) };
    let done = match cli::Cli::parse().command {
        cli::Command::Common(command) => return command.run(&home),
        cli::Command::Budgets(options) => budgets::run(&options),
        cli::Command::CheckAll => check_all(),
        cli::Command::Serve => Err(anyhow::anyhow!("`serve` is another program; help: run `cargo xtask serve`")),
    };
    wireform::exit_code(done)
}

/// Runs all checks; false if one fails.
fn check_all() -> anyhow::Result<bool> {
    let script = cli::root().join(".ci/check");
    let status = Command::new("bash").arg(&script).status();
    Ok(status.with_context(|| format!("cannot start bash for `{}`", script.display()))?.success())
}
