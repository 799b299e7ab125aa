//! Building a program of this repository, and running it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::SystemTime;

use crate::fresh;

/// Program of this repository.
pub enum Program {
    /// All commands except for `serve`.
    Commands,
    /// Services, with the arguments of cargo that select their features.
    Services(Vec<String>),
}

impl Program {
    /// Builds the program unless it is up to date, and replaces this process by it, so that signals reach it and its
    /// exit code is that of the command.
    ///
    /// # Errors
    /// Returns a message if cargo or the program cannot be started.
    pub fn run(&self, arguments: &[OsString]) -> Result<ExitCode, String> {
        let path = match self.find_fresh() {
            Some(path) => path,
            None => match self.build()? {
                Some(path) => path,
                None => return Ok(ExitCode::FAILURE),
            },
        };
        replace_process(Command::new(&path).args(arguments).env("XTASK_ROOT", root()))
            .map_err(|error| format!("cannot start `{}`: {error}", path.display()))
    }

    /// Returns the name of the crate and the binary.
    fn name(&self) -> &'static str {
        match self {
            Self::Commands => "xtask-commands",
            Self::Services(_) => "wireform-services",
        }
    }

    /// Returns the program next to this one, if it is up to date. Always `None` for the services: the features of an
    /// existing build are unknown.
    fn find_fresh(&self) -> Option<PathBuf> {
        let Self::Commands = self else { return None };
        let launcher = std::env::current_exe().ok()?;
        let path = launcher.with_file_name(format!("{}{}", self.name(), std::env::consts::EXE_SUFFIX));
        fresh::is_fresh(&path, &launcher, &root()).then_some(path)
    }

    /// Builds the program and returns its path, or nothing if it does not compile.
    fn build(&self) -> Result<Option<PathBuf>, String> {
        let start = SystemTime::now();
        // Cargo sets this variable, also where it is not in `PATH`.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--profile", "tools", "--message-format", "json-render-diagnostics"]);
        command.args(["--package", self.name()]).current_dir(root()).stderr(Stdio::inherit());
        if let Self::Services(features) = self {
            command.args(features);
        }
        let built = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
        if !built.status.success() {
            return Ok(None);
        }
        let path = executable(&String::from_utf8_lossy(&built.stdout), self.name())
            .ok_or_else(|| format!("cargo has not reported the path of `{}`", self.name()))?;
        if let (Self::Commands, Ok(launcher)) = (self, std::env::current_exe()) {
            // Where this cannot be recorded, cargo is asked again.
            let _ = fresh::record(&path, &launcher, start);
        }
        Ok(Some(path))
    }
}

/// Returns the root of the repository, whatever the current folder is. Cargo sets the variable when it runs this program,
/// which it may have built in another copy of the repository.
fn root() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&folder).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Replaces this process by a program; where that is not possible, waits for its end.
#[cfg(unix)]
fn replace_process(program: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

#[cfg(not(unix))]
fn replace_process(program: &mut Command) -> std::io::Result<ExitCode> {
    let code = program.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Returns the path of the built program, from cargo's messages, wherever the target folder is.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().rev().find_map(|line| {
        let (_, rest) = line.split_once(r#""executable":""#)?;
        let (path, _) = rest.split_once('"')?;
        // Backslashes are escaped in JSON.
        let path = PathBuf::from(path.replace(r"\\", r"\"));
        (path.file_stem()? == name).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn executable_path_is_read_from_cargo_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/t/tools/wireform-services","fresh":true}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let found = |name: &str| super::executable(messages, name);
        assert_eq!(found("wireform-services").as_deref(), Some(Path::new("/t/tools/wireform-services")));
        assert_eq!(found("services"), None);
        assert_eq!(found("xtask-commands"), None);
    }
}
