//! Builds the server of the services and replaces this process by it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::cli::{ServeOptions, root};

/// Name of the server's crate and binary.
const SERVICES: &str = "wireform-services";

/// Builds the server and replaces this process by it, so that signals reach it and its exit code is that of this
/// command.
pub fn run(options: &ServeOptions) -> anyhow::Result<bool> {
    // Cargo sets this variable, also where it is not in `PATH`.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--profile", "tools", "--package", SERVICES, "--message-format", "json-render-diagnostics"])
        .args(features(&options.arguments, |name| std::env::var_os(name).is_some()))
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !built.status.success() {
        return Ok(false);
    }
    let program = executable(&String::from_utf8_lossy(&built.stdout))?;
    exec_server(Command::new(&program).args(&options.arguments))
        .with_context(|| format!("cannot start `{}`", program.display()))
}

/// Features of the server, with the flags and the variables that require each.
const FEATURES: &[(&str, &[&str], &[&str])] = &[
    ("postgres", &["--store"], &["WIREFORM_STORE"]),
    ("tls", &["--tls-cert", "--tls-key"], &["WIREFORM_TLS_CERT", "WIREFORM_TLS_KEY"]),
];

/// Returns the arguments of cargo that disable features nobody uses: PostgreSQL and TLS take half of the build time.
/// The contents of a settings file are not known here, so a server with one gets all features.
fn features(arguments: &[OsString], is_set: impl Fn(&str) -> bool) -> Vec<String> {
    let is_given = |flag: &str| {
        let mut given = arguments.iter().map(|argument| argument.to_string_lossy());
        given.any(|argument| argument.split('=').next() == Some(flag))
    };
    if is_given("--config") || is_set("WIREFORM_CONFIG") {
        return Vec::new();
    }
    let mut cargo = vec!["--no-default-features".to_owned()];
    for (feature, flags, variables) in FEATURES {
        if flags.iter().any(|flag| is_given(flag)) || variables.iter().any(|name| is_set(name)) {
            cargo.extend(["--features".to_owned(), (*feature).to_owned()]);
        }
    }
    cargo
}

/// Replaces this process by the server; where that is not possible, waits for its end.
#[cfg(unix)]
fn exec_server(program: &mut Command) -> std::io::Result<bool> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

#[cfg(not(unix))]
fn exec_server(program: &mut Command) -> std::io::Result<bool> {
    program.status().map(|status| status.success())
}

/// Returns the path of the built server, from cargo's messages, wherever the target folder is.
fn executable(messages: &str) -> anyhow::Result<PathBuf> {
    let found = messages.lines().rev().find_map(|line| {
        let (_, rest) = line.split_once(r#""executable":""#)?;
        let (path, _) = rest.split_once('"')?;
        path.ends_with(SERVICES).then(|| PathBuf::from(path))
    });
    match found {
        Some(path) => Ok(path),
        None => bail!("cargo has not reported the path of `{SERVICES}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn server_is_built_with_required_features() {
        let of = |arguments: &[&str], set: &str| {
            let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
            features(&arguments, |name| name == set).join(" ")
        };
        assert_eq!(of(&["--port", "0"], ""), "--no-default-features");
        assert_eq!(of(&["--tls-cert=c", "--tls-key", "k"], ""), "--no-default-features --features tls");
        assert_eq!(of(&["users", "list"], "WIREFORM_STORE"), "--no-default-features --features postgres");
        assert_eq!(of(&["--config", "settings.yaml"], ""), "");
    }

    #[test]
    fn executable_path_is_read_from_cargo_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/t/tools/wireform-services","fresh":true}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let found = super::executable(messages).map(|path| path.display().to_string());
        assert_eq!(found.ok().as_deref(), Some("/t/tools/wireform-services"));
        assert!(super::executable(r#"{"reason":"build-finished","success":true}"#).is_err());
    }
}
