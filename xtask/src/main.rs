//! `cargo xtask …`: the commands of the repository.
//!
//! The generator itself does no I/O; reading schemas, writing trees and telling people about it
//! happens here.

mod budgets;
mod cache;
mod cli;
mod corpus;
mod counted;
mod generate;
mod import;
mod parallel;
mod reference;
mod schemas;
mod serve;
mod settings;
mod tree;
mod watch;

use std::process::ExitCode;

use clap::Parser as _;

/// Generating is a third allocation; this allocator makes it a quarter faster as a whole.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let done = match cli.command {
        cli::Command::Gen(options) if options.watch => watch::run(&options),
        cli::Command::Gen(options) => generate::run(&options),
        cli::Command::Import(command) => import::run(&command),
        cli::Command::Budgets(options) => budgets::run(&options),
        cli::Command::Corpus(options) => corpus::run(&options),
        cli::Command::Reference(options) => reference::run(&options),
        cli::Command::Serve(options) => serve::run(&options),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
