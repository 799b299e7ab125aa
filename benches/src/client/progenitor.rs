//! Progenitor's client of the same API, as a crate.

use std::path::{Path, PathBuf};

use fs_err as fs;

use super::openapi;
use crate::project::Project;

/// Dependencies of a generating program, pinned so that figures of different days are comparable.
pub const GENERATOR: &str = "\
progenitor = { version = \"=0.15.1\", default-features = false }
prettyplease = \"0.3\"
serde_json = \"1\"
syn = \"3\"
";
/// Package of the client with positional arguments.
pub const POSITIONAL: &str = "progenitor-positional";
/// Package of the client with builders, like the generated clients.
pub const BUILDER: &str = "progenitor-builder";
/// Dependencies of its output.
const MANIFEST: &str = "\
version = \"0.0.0\"
edition = \"2024\"

[dependencies]
chrono = { version = \"0.4\", default-features = false, features = [\"serde\", \"std\"] }
progenitor-client = \"=0.15.1\"
reqwest = { version = \"0.13\", default-features = false, \
features = [\"rustls\", \"http2\", \"json\", \"query\", \"stream\"] }
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";

/// Both clients.
pub struct Peers {
    folder: PathBuf,
    /// Size of the client with positional arguments, in bytes of Rust.
    pub positional: usize,
    /// Size of the client with builders, in bytes of Rust.
    pub builder: usize,
}

impl Peers {
    /// Returns the lines of a manifest that depend on both.
    pub fn dependencies(&self) -> String {
        [POSITIONAL, BUILDER].map(|name| Project::path_dependency(name, &self.folder.join(name))).concat()
    }
}

/// Writes both clients of an API into the folder.
pub fn generate(api: &str, folder: &Path) -> anyhow::Result<Peers> {
    let program = include_str!("programs/progenitor.rs");
    let generator = Project::program(&folder.join("generator"), GENERATOR, &[], program)?.fetch()?;
    let document = folder.join("openapi.json");
    fs::write(&document, serde_json::to_vec_pretty(&openapi::document(&openapi::model(api)?))?)?;
    let (positional, builder) = (library(folder, POSITIONAL)?, library(folder, BUILDER)?);
    generator.run(&[&document, &positional, &builder])?;
    let size = |path| anyhow::Ok(fs::read(path)?.len());
    Ok(Peers { folder: folder.to_owned(), positional: size(positional)?, builder: size(builder)? })
}

/// Writes the manifest of a crate and returns the path of its source file.
fn library(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let folder = folder.join(name);
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), format!("[package]\nname = {name:?}\n{MANIFEST}"))?;
    Ok(folder.join("src/lib.rs"))
}
