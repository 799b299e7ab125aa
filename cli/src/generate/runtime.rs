//! Checks that generated crates will find the runtime.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use wireform_codegen::settings::Settings;
use wireform_codegen::{RuntimeDependency, Source};

/// Package that generated crates depend on.
const PACKAGE: &str = "wireform-runtime";

/// Reason why no runtime was found.
struct Missing {
    message: String,
    help: String,
}

/// Checks that the path of the runtime leads to it: otherwise the crates would not build, and cargo would report a
/// manifest that the user does not know. `setting` is the settings file that contains the path, if one does.
pub fn check(runtime: &RuntimeDependency, out: &Path, setting: Option<&(Source, Settings)>) -> anyhow::Result<()> {
    let RuntimeDependency::Path(path) = runtime else { return Ok(()) };
    // Every crate is one folder below, whatever its name.
    let dir = without_dots(&out.join("crate").join(path));
    let Some(missing) = missing(&dir, out, setting.is_some()) else { return Ok(()) };
    let located = setting.and_then(|(source, settings)| {
        settings.runtime_diagnostic(&missing.message, &missing.help).map(|diagnostic| (source, diagnostic))
    });
    match located {
        Some((source, diagnostic)) => Err(crate::settings::report_errors(source, &[diagnostic])),
        None => bail!("{}\nhelp: {}", missing.message, missing.help),
    }
}

fn missing(dir: &Path, out: &Path, in_settings: bool) -> Option<Missing> {
    if is_runtime(dir) {
        return None;
    }
    let message = format!("no runtime found at `{}`", dir.display());
    let below = dir.join("runtime");
    if is_runtime(&below) {
        let help = format!("use its folder `runtime`: `{}`", below.display());
        return Some(Missing { message, help });
    }
    let begin = if in_settings {
        "the path is absolute, or relative to the folder of this file".to_owned()
    } else {
        let crate_dir = out.join("api-types");
        format!(
            "a path after `--runtime path:` is absolute, or relative to the folder of a generated crate, such as `{}`",
            crate_dir.display()
        )
    };
    Some(Missing {
        message: format!("{message}: missing `Cargo.toml` of the package `{PACKAGE}`"),
        help: format!("{begin}; it must lead to the folder `runtime` of the generator's repository"),
    })
}

fn is_runtime(dir: &Path) -> bool {
    let manifest = fs_err::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
    manifest.lines().any(|line| {
        line.split_once('=')
            .is_some_and(|(key, value)| key.trim() == "name" && value.trim().trim_matches('"') == PACKAGE)
    })
}

/// Normalizes `.` and `..` in a path whose folders may not exist yet.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
