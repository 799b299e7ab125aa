//! Whether generated crates will find the runtime.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use wireform_codegen::settings::Settings;
use wireform_codegen::{RuntimeDependency, Source};

/// The package that generated crates depend on.
const PACKAGE: &str = "wireform-runtime";

/// Why no runtime was found.
struct Missing {
    message: String,
    help: String,
}

/// Refuses a path to the runtime behind which there is none: what is written would not build, and cargo would tell of
/// a manifest of which nobody has heard. `setting` is the settings file that says the path, where one does.
pub fn check(runtime: &RuntimeDependency, out: &Path, setting: Option<&(Source, Settings)>) -> anyhow::Result<()> {
    let RuntimeDependency::Path(path) = runtime else { return Ok(()) };
    // Whatever a crate is called, it is one folder below.
    let dir = without_dots(&out.join("crate").join(path));
    let Some(missing) = missing(&dir, out, setting.is_some()) else { return Ok(()) };
    let located = setting.and_then(|(source, settings)| {
        settings.refuse_runtime(&missing.message, &missing.help).map(|diagnostic| (source, diagnostic))
    });
    match located {
        Some((source, diagnostic)) => Err(crate::settings::refuse(source, &[diagnostic])),
        None => bail!("{}\nhelp: {}", missing.message, missing.help),
    }
}

fn missing(dir: &Path, out: &Path, in_settings: bool) -> Option<Missing> {
    if is_runtime(dir) {
        return None;
    }
    let message = format!("there is no runtime at `{}`", dir.display());
    let below = dir.join("runtime");
    if is_runtime(&below) {
        let help = format!("it is in the folder `runtime` there: `{}`", below.display());
        return Some(Missing { message, help });
    }
    let begin = if in_settings {
        "the path begins at the folder of this file".to_owned()
    } else {
        let crate_dir = out.join("api-types");
        format!(
            "a path after `--runtime path:` begins at the folder of a generated crate, such as `{}`",
            crate_dir.display()
        )
    };
    Some(Missing {
        message: format!("{message}: no `Cargo.toml` of the package `{PACKAGE}` is there"),
        help: format!("{begin}, and leads to the folder `runtime` of the generator's repository"),
    })
}

fn is_runtime(dir: &Path) -> bool {
    let manifest = fs_err::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
    manifest.lines().any(|line| {
        line.split_once('=')
            .is_some_and(|(key, value)| key.trim() == "name" && value.trim().trim_matches('"') == PACKAGE)
    })
}

/// A path without `.` and `..`, of folders that may not be there yet.
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
