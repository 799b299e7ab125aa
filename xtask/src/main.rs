//! `cargo xtask …`: builds the program of a command, and replaces itself by it. `cargo xtask check-all` runs all checks.
//!
//! The generator and the services are separate programs, and most of the time of a first command is building its
//! program: this one, which is built for every command, depends on neither of them.

mod fresh;
mod program;
mod serve;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::program::Program;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let program = if arguments.first().is_some_and(|command| command == "serve") {
        arguments.remove(0);
        Program::Services(serve::features(&arguments, |name| std::env::var_os(name).is_some()))
    } else {
        Program::Commands
    };
    program.run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
