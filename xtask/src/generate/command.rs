//! The command that makes a check pass.

use wireform_codegen::Options;

use crate::cli::{self, GenOptions};

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:\\".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// The command that makes the check pass: the same one without `--check`.
pub fn mending(options: &GenOptions) -> String {
    let mut command = String::from("cargo xtask gen");
    for api in &options.api {
        command += &format!(" --api {api}");
    }
    for (flag, path) in [("--schemas", &options.schemas), ("--out", &options.out)] {
        command +=
            &path.as_ref().map_or_else(String::new, |path| format!(" {flag} {}", quoted(&path.to_string_lossy())));
    }
    if !options.prefix.is_empty() {
        command += &format!(" --prefix {}", options.prefix);
    }
    if options.crate_version != "0.1.0" {
        command += &format!(" --crate-version {}", options.crate_version);
    }
    if options.most_lines != Options::default().most_lines {
        command += &format!(" --most-lines {}", options.most_lines);
    }
    if options.most_operations != Options::default().most_operations {
        command += &format!(" --most-operations {}", options.most_operations);
    }
    command += &options.license.as_ref().map_or_else(String::new, |license| format!(" --license \"{license}\""));
    command +=
        &options.runtime.as_ref().map_or_else(String::new, |runtime| format!(" --runtime {}", cli::spell(runtime)));
    command
}
