//! Files of a new repository.

use std::path::Path;

use heck::ToTitleCase as _;
use wireform_codegen::RuntimeDependency;

/// Parameters of a new repository.
pub struct Scaffold<'s> {
    /// Name of the API.
    pub api: &'s str,
    /// Dependency on the runtime; a path is relative to the new repository.
    pub runtime: &'s RuntimeDependency,
}

impl Scaffold<'_> {
    /// Returns the files that only this command creates, by path.
    pub fn owned_files(&self) -> Vec<(String, String)> {
        vec![
            ("wireform.yaml".to_owned(), self.settings()),
            (format!("schemas/{}/api.yaml", self.api), self.schema()),
            ("xtask/Cargo.toml".to_owned(), self.manifest_of_xtask()),
            ("xtask/src/main.rs".to_owned(), MAIN.to_owned()),
            (".github/workflows/wireform.yml".to_owned(), WORKFLOW.to_owned()),
        ]
    }

    /// Returns the files that may already exist, by path, with the text to add to an existing one.
    pub fn shared_files(&self) -> [(&'static str, String, &'static str); 3] {
        [
            ("Cargo.toml", WORKSPACE.to_owned(), "add `generated/*` and `xtask` to the members of its workspace"),
            (".cargo/config.toml", ALIAS.to_owned(), "add the alias `xtask = \"run --quiet --package xtask --\"`"),
            (".gitignore", "/target\n".to_owned(), "add `/target`, the build folder of cargo"),
        ]
    }

    /// Returns the schema of the first API.
    pub fn schema(&self) -> String {
        let title = self.api.to_title_case();
        SCHEMA.replace("{api}", self.api).replace("{title}", &title)
    }

    fn settings(&self) -> String {
        format!(
            "# Settings of `cargo xtask gen`; paths are relative to this file.\nschemas: schemas\nout: generated\n\
             runtime: {{ {} }}\n",
            inline(self.runtime, ": ")
        )
    }

    fn manifest_of_xtask(&self) -> String {
        let generator = match self.runtime {
            // It is next to the runtime.
            RuntimeDependency::Path(path) => {
                let parent = Path::new(path).parent().unwrap_or(Path::new("."));
                let parent = parent.join("cli").to_string_lossy().replace('\\', "/");
                let up = if Path::new(path).is_absolute() { "" } else { "../" };
                RuntimeDependency::Path(format!("{up}{parent}"))
            }
            other => other.clone(),
        };
        MANIFEST.replace("{generator}", &inline(&generator, " = "))
    }
}

/// Formats the pairs of an inline table of YAML or TOML, with the given separator between key and value.
fn inline(dependency: &RuntimeDependency, between: &str) -> String {
    let pair = |key: &str, value: &str| format!("{key}{between}{value:?}");
    match dependency {
        RuntimeDependency::Version(version) => pair("version", version),
        RuntimeDependency::Path(path) => pair("path", path),
        RuntimeDependency::Git { url, rev: None } => pair("git", url),
        RuntimeDependency::Git { url, rev: Some(rev) } => [pair("git", url), pair("rev", rev)].join(", "),
    }
}

const SCHEMA: &str = "\
api: {api}
version: v1
title: {title}
doc: Stores short notes.

resources:
  Note:
    doc: A short text.
    fields:
      id: { type: string, behavior: [output_only], doc: Identifier of the note. }
      text: { type: string, required: true, length: 1..=2000, doc: Text of the note. }
      created: { type: datetime, behavior: [output_only], doc: Time at which the note was inserted. }

operations:
  notes.get:
    doc: Returns a note.
    http: GET /notes/{noteId}
    path: { noteId: { type: string, doc: The note. } }
    response: Note
  notes.insert:
    doc: Stores a note.
    http: POST /notes
    body: Note
    response: Note
";

const MANIFEST: &str = "\
[package]
name = \"xtask\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[dependencies]
wireform = { {generator} }
";

const MAIN: &str = "\
//! `cargo xtask`: generates the crates in `generated/` from the schemas.

fn main() -> std::process::ExitCode {
    wireform::main(\"cargo xtask\")
}
";

const WORKSPACE: &str = "\
[workspace]
resolver = \"3\"
members = [\"generated/*\", \"xtask\"]
";

const ALIAS: &str = "\
[alias]
xtask = \"run --quiet --package xtask --\"
";

const WORKFLOW: &str = "\
# Checks that the generated crates match the schemas, and tests them.
on: [push, pull_request]
jobs:
  wireform:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo xtask gen --check
      - run: cargo test --workspace
";
