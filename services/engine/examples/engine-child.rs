//! Process that tests and measurements of the engine start.

use std::process::ExitCode;

fn main() -> ExitCode {
    wireform_engine::child::main()
}
