//! Commands of Wireform: scaffold, generate, check, import, and the reference of the schema language.
//!
//! The binary `wireform` runs these commands. A repository that pins the version of the generator in its own lock file
//! depends on this crate from its `xtask`:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     wireform::main("cargo xtask")
//! }
//! ```
//!
//! The generator itself, `wireform-codegen`, does no I/O; this crate reads schemas, writes trees and prints the
//! results.

mod cache;
mod check;
mod corpus;
mod generate;
mod home;
mod import;
mod new;
mod options;
mod output_folder;
mod parallel;
mod pluralize;
mod reference;
mod referenced;
mod schemas;
mod settings;
mod tree;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use home::CommandContext;
pub use options::{
    CheckOptions, CorpusOptions, GenOptions, ImportCommand, ImportOptions, NewOptions, ReferenceOptions,
};
#[doc(hidden)]
pub use pluralize::pluralize;
#[doc(hidden)]
pub use tree::files_below;

/// Subcommand of the command line.
#[derive(Subcommand)]
pub enum Command {
    /// Set up a repository: a first schema, its crates, `cargo xtask` and a workflow for continuous integration.
    New(NewOptions),
    /// Generate the crates of every API in the schemas folder. Settings are read from `wireform.yaml` in the current
    /// folder or above it.
    Gen(GenOptions),
    /// Check the schemas and report errors without writing anything.
    Check(CheckOptions),
    /// Import API descriptions in other languages as schemas.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Import, generate and check every document below a folder, and print a table of the results.
    Corpus(CorpusOptions),
    /// Write the reference pages and the JSON Schema of the schema language.
    Reference(ReferenceOptions),
}

impl Command {
    /// Runs the command, prints its results to standard output and standard error, and returns its outcome.
    #[must_use]
    pub fn run(&self, home: &CommandContext) -> ExitCode {
        exit_code(match self {
            Self::New(options) => new::run(home, options),
            Self::Gen(options) if options.watch => watch::run(home, options),
            Self::Gen(options) => generate::run(home, options),
            Self::Check(options) => check::run(home, options),
            Self::Import(command) => import::run(command),
            Self::Corpus(options) => corpus::run(home, options),
            Self::Reference(options) => reference::run(home, options),
        })
    }
}

/// Generates Rust crates from API schemas.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the command given by the arguments of the process. `name` is the name by which users run it: `wireform`, `cargo
/// xtask`.
#[must_use]
pub fn main(name: &'static str) -> ExitCode {
    let called = Cli::command().name(name).bin_name(name);
    let cli = Cli::from_arg_matches(&called.get_matches()).unwrap_or_else(|error| error.exit());
    cli.command.run(&CommandContext { name: name.to_owned(), repository: None })
}

/// Converts the outcome of a command to an exit code: success, a failed check, or an error, which is printed.
#[must_use]
pub fn exit_code(done: anyhow::Result<bool>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
