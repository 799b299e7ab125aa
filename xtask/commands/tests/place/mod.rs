//! Temporary folder with a schema, and the command as users run it.

#![allow(clippy::expect_used, dead_code)] // a test that fails says so by panicking, and not every one needs all of this

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const SCHEMA: &str = "api: greeter\nresources:\n  Greeting:\n    doc: A greeting.\n    external: true\n    fields:\n      text: { type: string, doc: What it says. }\n";

/// Temporary folder with a schema.
pub struct Place {
    pub dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        place.write("schemas/greeter/api.yaml", SCHEMA);
        place
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.path(path);
        fs_err::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs_err::write(file, text).expect("a file");
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-commands"));
        command.current_dir(self.dir.path()).args(["gen", "--schemas", "schemas", "--out", "out"]).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> (bool, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the command runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    pub fn tree(&self) -> BTreeMap<String, String> {
        tree(&self.path("out"))
    }
}

pub fn tree(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs_err::read_dir(&at).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("below").to_string_lossy().into_owned();
                found.insert(name, fs_err::read_to_string(&path).expect("text"));
            }
        }
    }
    found
}
