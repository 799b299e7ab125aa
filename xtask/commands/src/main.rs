//! `cargo xtask …`: the commands of Wireform in its own repository, and commands for this repository only. `cargo xtask`
//! itself builds and starts this program.

mod budgets;
mod cli;

use std::process::ExitCode;

use clap::Parser as _;
use wireform::CommandContext;

/// Third of the time of generating is allocation; this allocator makes the whole a quarter faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let home = CommandContext { name: "cargo xtask".to_owned(), repository: Some(cli::root()) };
    let done = match cli::Cli::parse().command {
        cli::Command::Common(command) => return command.run(&home),
        cli::Command::Budgets(options) => budgets::run(&options),
        cli::Command::Serve => Err(anyhow::anyhow!("`serve` is another program; help: run `cargo xtask serve`")),
    };
    wireform::exit_code(done)
}
