//! The process that runs one script.

use std::process::ExitCode;

/// Runs one invocation that the pool sends over standard input, and ends.
///
/// `main` of a program with a [`Pool`](crate::Pool) calls this before anything else (threads, logs, runtimes) when the
/// command line is that of [`Settings::command`](crate::Settings::command).
pub fn main() -> ExitCode {
    ExitCode::FAILURE
}
