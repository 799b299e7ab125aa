//! Whether generated crates will find the runtime.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use wireform_codegen::RuntimeDependency;

/// Refuses a path to the runtime behind which there is none: what is written would not build, and cargo would tell of
/// a manifest of which nobody has heard.
pub fn check(runtime: &RuntimeDependency, out: &Path) -> anyhow::Result<()> {
    let RuntimeDependency::Path(path) = runtime else { return Ok(()) };
    // Whatever a crate is called, it is one folder below.
    let dir = without_dots(&out.join("crate").join(path));
    if dir.join("Cargo.toml").is_file() {
        return Ok(());
    }
    bail!(
        "there is no runtime at `{path}`: `{}` has no `Cargo.toml`\n\
         help: the path is relative to the folder of a generated crate, such as `{}`; \
         write `--runtime path:…` with one that leads from there to the folder `runtime`",
        dir.display(),
        out.join("api-types").display()
    )
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
