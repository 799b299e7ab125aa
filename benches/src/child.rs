//! Child processes, measured as a whole.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail};
use fs_err as fs;
use wait4::Wait4 as _;

/// Cost of a process from its start to its end.
#[derive(Default)]
pub struct Cost {
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// CPU time of all threads in seconds.
    pub cpu: f64,
    /// Peak memory in bytes.
    pub peak: u64,
    /// Its standard error.
    pub stderr: String,
}

/// Runs a program to its end. Its standard error goes to the file `log`, so that it need not be read meanwhile.
///
/// # Errors
/// Returns an error if it cannot be started or fails.
pub fn run(command: &mut Command, log: &Path) -> anyhow::Result<Cost> {
    let shown = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(log)?);
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot start {shown}"))?;
    let end = child.wait4()?;
    let wall = start.elapsed().as_secs_f64();
    let stderr = fs::read_to_string(log)?;
    if !end.status.success() {
        let beginning: Vec<&str> = stderr.lines().take(30).collect();
        bail!("{shown} failed:\n{}", beginning.join("\n"));
    }
    let cpu = (end.rusage.utime + end.rusage.stime).as_secs_f64();
    Ok(Cost { wall, cpu, peak: end.rusage.maxrss, stderr })
}

/// Returns the command of `cargo`: the one that runs this binary, if any.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
