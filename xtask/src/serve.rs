//! Serving: the program of the services is built and takes the place of this one.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::cli::{ServeOptions, root};

/// The crate, and its binary.
const SERVICES: &str = "wireform-services";

/// Builds the program and becomes it, so that signals reach it and its end is this program's.
pub fn run(options: &ServeOptions) -> anyhow::Result<bool> {
    // Cargo says where it is, also where it is not on the path.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--package", SERVICES, "--message-format", "json-render-diagnostics"])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo cannot be started")?;
    if !built.status.success() {
        return Ok(false);
    }
    let program = executable(&String::from_utf8_lossy(&built.stdout))?;
    become_it(Command::new(&program).args(&options.arguments))
        .with_context(|| format!("{} cannot be started", program.display()))
}

/// Goes on as the program; where a process cannot, waits for its end.
#[cfg(unix)]
fn become_it(program: &mut Command) -> std::io::Result<bool> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

#[cfg(not(unix))]
fn become_it(program: &mut Command) -> std::io::Result<bool> {
    program.status().map(|status| status.success())
}

/// The program that cargo has built: wherever its target folder is, it tells.
fn executable(messages: &str) -> anyhow::Result<PathBuf> {
    let found = messages.lines().rev().find_map(|line| {
        let (_, rest) = line.split_once(r#""executable":""#)?;
        let (path, _) = rest.split_once('"')?;
        path.ends_with(SERVICES).then(|| PathBuf::from(path))
    });
    match found {
        Some(path) => Ok(path),
        None => bail!("cargo does not tell where it has put {SERVICES}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_program_is_where_cargo_says() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/t/release/wireform-services","fresh":true}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let found = super::executable(messages).map(|path| path.display().to_string());
        assert_eq!(found.ok().as_deref(), Some("/t/release/wireform-services"));
        assert!(super::executable(r#"{"reason":"build-finished","success":true}"#).is_err());
    }
}
