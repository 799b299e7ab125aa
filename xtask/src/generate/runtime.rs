//! Whether generated crates will find the runtime.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use wireform_codegen::RuntimeDependency;

/// The package that generated crates depend on.
const PACKAGE: &str = "wireform-runtime";

/// Refuses a path to the runtime behind which there is none: what is written would not build, and cargo would tell of
/// a manifest of which nobody has heard.
pub fn check(runtime: &RuntimeDependency, out: &Path) -> anyhow::Result<()> {
    let RuntimeDependency::Path(path) = runtime else { return Ok(()) };
    // Whatever a crate is called, it is one folder below.
    let dir = without_dots(&out.join("crate").join(path));
    if is_runtime(&dir) {
        return Ok(());
    }
    let below = dir.join("runtime");
    if is_runtime(&below) {
        bail!(
            "there is no runtime at `{}`\nhelp: it is in the folder `runtime` there: `{}`",
            dir.display(),
            below.display()
        );
    }
    bail!(
        "there is no runtime at `{}`: no `Cargo.toml` of the package `{PACKAGE}` is there\n\
         help: a path in `wireform.yaml` begins at the folder of that file, one after `--runtime path:` at the folder of \
         a generated crate, such as `{}`",
        dir.display(),
        out.join("api-types").display()
    )
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
