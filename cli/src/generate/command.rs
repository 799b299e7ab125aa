//! Command that makes a check pass.

use crate::home::CommandContext;
use crate::options::{self, GenOptions};

/// Quotes a path for a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:\\".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// Returns the command that makes the check pass: the same command without `--check`. Other repositories, which have a
/// settings file, run it under a name of their own.
pub fn fix_command(home: &CommandContext, options: &GenOptions, has_settings_file: bool) -> String {
    if has_settings_file {
        return String::from("run the same command without `--check`");
    }
    let mut command = format!("{} gen", home.name);
    for api in &options.api {
        command += &format!(" --api {api}");
    }
    for (flag, path) in [("--schemas", &options.schemas), ("--out", &options.out)] {
        command +=
            &path.as_ref().map_or_else(String::new, |path| format!(" {flag} {}", quoted(&path.to_string_lossy())));
    }
    for (flag, text) in [("--prefix", &options.prefix), ("--crate-version", &options.crate_version)] {
        command += &text.as_ref().map_or_else(String::new, |text| format!(" {flag} {text}"));
    }
    for (flag, count) in [("--max-lines", options.max_lines), ("--max-operations", options.max_operations)] {
        command += &count.map_or_else(String::new, |count| format!(" {flag} {count}"));
    }
    command += &options.license.as_ref().map_or_else(String::new, |license| format!(" --license \"{license}\""));
    command += &options
        .runtime
        .as_ref()
        .map_or_else(String::new, |runtime| format!(" --runtime {}", options::format_runtime(runtime)));
    format!("run `{command}`")
}
