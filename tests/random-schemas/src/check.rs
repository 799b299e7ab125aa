//! The workspace with the crates of all schemas, and the findings of clippy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use wireform_codegen::FileTree;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    root.to_owned()
}

/// A workspace of generated crates.
pub struct Workspace {
    dir: PathBuf,
    target: PathBuf,
    members: Vec<String>,
}

impl Workspace {
    /// Creates an empty workspace in a folder.
    pub fn new(dir: &Path, target: Option<PathBuf>) -> Self {
        let target = target.unwrap_or_else(|| root().join("target/random-schemas/target"));
        Self { dir: dir.to_owned(), target, members: Vec::new() }
    }

    /// Writes a schema and its crates.
    pub fn add(&mut self, schema: &str, seed: u64, files: &FileTree) -> anyhow::Result<()> {
        self.write(&format!("schemas/random-{seed}/api.yaml"), schema)?;
        for (path, text) in files {
            self.write(path, text)?;
            self.members.extend(path.strip_suffix("/Cargo.toml").map(str::to_owned));
        }
        Ok(())
    }

    fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let file = self.dir.join(path);
        fs_err::create_dir_all(file.parent().unwrap_or(&self.dir))?;
        // Unchanged files are not written, so that cargo does not check them again.
        if !fs_err::read_to_string(&file).is_ok_and(|current| current == text) {
            fs_err::write(file, text)?;
        }
        Ok(())
    }

    /// Lints all crates, and returns the findings by the seeds of their schemas.
    ///
    /// # Errors
    /// When cargo fails without a finding.
    pub fn lint(&self) -> anyhow::Result<BTreeMap<u64, Vec<String>>> {
        if self.members.is_empty() {
            return Ok(BTreeMap::new());
        }
        let members: Vec<String> = self.members.iter().map(|member| format!("\"{member}\"")).collect();
        self.write("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", ")))?;
        fs_err::copy(root().join("Cargo.lock"), self.dir.join("Cargo.lock"))?;
        // Sockets are disabled: they need a TLS library that takes a minute to build and does not affect the generated
        // code.
        let features = "requests,fake,blocking,validation";
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["clippy", "--workspace", "--keep-going", "--quiet", "--message-format", "short"])
            .args(["--no-default-features", "--features", features, "--target-dir"])
            .arg(&self.target)
            .args(["--", "-D", "warnings"])
            .current_dir(&self.dir)
            .env_remove("RUSTFLAGS")
            .output()
            .context("cargo cannot be started")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let mut findings: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for line in stderr.lines() {
            if let Some(seed) = seed(line) {
                findings.entry(seed).or_default().push(line.to_owned());
            }
        }
        if !output.status.success() && findings.is_empty() {
            bail!("the crates cannot be linted:\n{}", stderr.trim_end());
        }
        Ok(findings)
    }
}

/// Returns the seed of the schema to which a finding such as `random-17-types/src/lib.rs:1:2: error: …` belongs.
fn seed(line: &str) -> Option<u64> {
    let (digits, place) = line.strip_prefix("random-")?.split_once('-')?;
    place.contains(".rs:").then(|| digits.parse().ok())?
}
