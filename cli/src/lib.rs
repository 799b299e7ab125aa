//! The commands of Wireform: scaffold, generate, check, import, and the reference of the schema language.
//!
//! The binary `wireform` is these commands. A repository that would rather have the version of the generator in its own
//! lock file depends on this crate from its `xtask`:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     wireform::main("cargo xtask")
//! }
//! ```
//!
//! The generator itself, `wireform-codegen`, does no I/O; reading schemas, writing trees and telling people about it
//! happens here.

mod cache;
mod check;
mod corpus;
mod counted;
mod generate;
mod home;
mod import;
mod new;
mod options;
mod parallel;
mod reference;
mod schemas;
mod settings;
mod tree;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

#[doc(hidden)]
pub use counted::counted;
pub use home::Home;
pub use options::{
    CheckOptions, CorpusOptions, GenOptions, ImportCommand, ImportOptions, NewOptions, ReferenceOptions,
};
#[doc(hidden)]
pub use tree::files_below;

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Set up a repository: a first schema, its crates, `cargo xtask` and a workflow for continuous integration.
    New(NewOptions),
    /// Write the crates of every API under the schemas folder. `wireform.yaml`, in the current folder or above it, has the
    /// settings.
    Gen(GenOptions),
    /// Say what is wrong with the schemas, and write nothing.
    Check(CheckOptions),
    /// Write schemas from the descriptions of APIs in other languages.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Import, generate and check every document below a folder, and tell what became of each.
    Corpus(CorpusOptions),
    /// Write the reference pages and the JSON Schema of the schema language.
    Reference(ReferenceOptions),
}

impl Command {
    /// Runs the command, tells of it on the standard output and the standard error, and returns how it ended.
    #[must_use]
    pub fn run(&self, home: &Home) -> ExitCode {
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

/// Generates Rust crates from the descriptions of APIs.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the command that the arguments of the process say. `name` is how people call it: `wireform`, `cargo xtask`.
#[must_use]
pub fn main(name: &'static str) -> ExitCode {
    let called = Cli::command().name(name).bin_name(name);
    let cli = Cli::from_arg_matches(&called.get_matches()).unwrap_or_else(|error| error.exit());
    cli.command.run(&Home { name: name.to_owned(), repository: None })
}

/// Returns the code of a command that has done what it should, has found something wrong, or could not be run, which is
/// told.
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
