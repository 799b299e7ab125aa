//! Paths of output: whatever is not a folder stays as it is. No device is named here: a command that replaces one as root harms
//! the machine, and `output_folder::tests` reads their types only.

#![allow(clippy::expect_used)] // a test that fails says so by panicking
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use fs_err as fs;
use rustix::fs::{CWD, Mode};

const SCHEMA: &str = "\
api: notes
version: v1
title: Notes
doc: Stores notes.

resources:
  Note:
    doc: A note.
    fields:
      text: { type: string, doc: Text of the note. }

operations:
  notes.get:
    doc: Returns a note.
    http: GET /notes/{noteId}
    path: { noteId: { type: string, doc: The note. } }
    response: Note
";

const DOCUMENT: &str = r#"{
  "openapi": "3.1.0", "info": { "title": "notes", "version": "1" }, "servers": [{ "url": "https://notes.example" }],
  "paths": { "/notes": { "get": { "operationId": "notes.list", "responses": { "204": { "description": "None." } } } } }
}"#;

/// Runs a command in a folder, and returns whether it succeeded and its output.
fn wireform(dir: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wireform"));
    let output = command.current_dir(dir).args(arguments).output().expect("the command runs");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.success(), text.concat())
}

/// Describes everything below a folder: the type, and the contents of files and links.
fn contents(dir: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, kind) = (entry.path(), entry.file_type().expect("a type"));
        let text = match kind {
            _ if kind.is_dir() => {
                all.extend(contents(&path));
                String::new()
            }
            _ if kind.is_symlink() => fs::read_link(&path).expect("a link").display().to_string(),
            _ if kind.is_file() => fs::read_to_string(&path).expect("text"),
            _ => format!("FIFO {}, socket {}", kind.is_fifo(), kind.is_socket()),
        };
        all.insert(path.display().to_string(), text);
    }
    all
}

/// Creates whatever is not a folder at `place/<name>`, and returns the names with the types.
fn obstacles(dir: &Path) -> Vec<(&'static str, &'static str)> {
    let at = |name: &str| dir.join("place").join(name);
    fs::create_dir_all(dir.join("place")).expect("a folder");
    fs::create_dir(dir.join("empty")).expect("a folder");
    fs::write(dir.join("text"), "of a user").expect("a file");
    fs::write(at("file"), "of a user").expect("a file");
    rustix::fs::mkfifoat(CWD, at("fifo"), Mode::RWXU).expect("a FIFO");
    drop(UnixListener::bind(at("socket")).expect("a socket"));
    symlink("../empty", at("link-to-folder")).expect("a link");
    symlink("../text", at("link-to-file")).expect("a link");
    symlink("../missing", at("dangling")).expect("a link");
    vec![
        ("file", "a file"),
        ("fifo", "a FIFO"),
        ("socket", "a socket"),
        ("link-to-folder", "a symbolic link"),
        ("link-to-folder/", "a symbolic link"),
        ("link-to-folder/.", "a symbolic link"),
        ("link-to-file", "a symbolic link"),
        ("dangling", "a symbolic link"),
    ]
}

/// Runs a command for every obstacle, and checks that it names the obstacle and changes nothing.
fn check(arguments: impl Fn(&str) -> Vec<String>) {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("schemas/notes")).expect("a folder");
    fs::write(dir.path().join("schemas/notes/api.yaml"), SCHEMA).expect("a schema");
    fs::write(dir.path().join("notes.json"), DOCUMENT).expect("a document");
    let obstacles = obstacles(dir.path());
    let before = contents(dir.path());
    for (name, kind) in obstacles {
        let arguments = arguments(name);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (success, output) = wireform(dir.path(), &arguments);
        assert_eq!(contents(dir.path()), before, "{arguments:?}: {output}");
        let expected = format!("{}` is {kind}, and not a folder", name.trim_end_matches(['/', '.']));
        assert!(!success && output.contains(&expected), "{arguments:?}: {output}");
    }
}

fn owned(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|argument| (*argument).to_owned()).collect()
}

fn runtime() -> String {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
    format!("path:{}", repository.join("runtime").display())
}

#[test]
fn gen_replaces_folders_only() {
    let runtime = runtime();
    check(|name| {
        owned(&[
            "gen",
            "--schemas",
            "schemas",
            "--out",
            &format!("place/{name}"),
            "--runtime",
            &runtime,
            "--prefix",
            "x-",
        ])
    });
}

#[test]
fn dry_run_and_check_of_gen_read_folders_only() {
    let runtime = runtime();
    for flag in ["--dry-run", "--check"] {
        check(|name| {
            owned(&["gen", flag, "--schemas", "schemas", "--out", &format!("place/{name}"), "--runtime", &runtime])
        });
    }
}

#[test]
fn import_replaces_folders_only() {
    // The name of an API has no slash, and the place of each obstacle is that of an API.
    check(|name| {
        let name = name.trim_end_matches(['/', '.']);
        owned(&["import", "openapi", "notes.json", "--force", "--into", "place", "--name", name])
    });
}

#[test]
fn new_and_other_commands_write_into_folders_only() {
    let runtime = runtime();
    check(|name| owned(&["new", &format!("place/{name}"), "--runtime", &runtime]));
    check(|name| owned(&["reference", "--into", &format!("place/{name}")]));
    check(|name| owned(&["corpus", "notes.json", "--keep", &format!("place/{name}")]));
}

#[test]
fn new_writes_through_no_link() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("new")).expect("a folder");
    for name in ["wireform.yaml", "Cargo.toml", ".gitignore"] {
        symlink("../target", dir.path().join("new").join(name)).expect("a link");
        let (_, output) = wireform(dir.path(), &["new", "new", "--runtime", &runtime()]);
        assert!(!dir.path().join("target").exists(), "{name}: {output}");
        fs::remove_dir_all(dir.path().join("new")).expect("a folder");
        fs::create_dir(dir.path().join("new")).expect("a folder");
    }
    // The crates have no place: nothing is written.
    fs::write(dir.path().join("new/generated"), "of a user").expect("a file");
    let before = contents(dir.path());
    let (success, output) = wireform(dir.path(), &["new", "new", "--runtime", &runtime()]);
    assert!(!success && output.contains("generated` is a file, and not a folder"), "{output}");
    assert_eq!(contents(dir.path()), before, "{output}");
}

#[test]
fn import_leaves_special_files_of_its_folder_unread() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("schemas/notes")).expect("a folder");
    fs::write(dir.path().join("notes.json"), DOCUMENT).expect("a document");
    rustix::fs::mkfifoat(CWD, dir.path().join("schemas/notes/fifo"), Mode::RWXU).expect("a FIFO");
    let import = ["import", "openapi", "notes.json", "--into", "schemas"];
    let (success, output) = wireform(dir.path(), &import);
    assert!(!success && output.contains("`fifo` was not written by an import"), "{output}");
    let (success, output) = wireform(dir.path(), &[import.as_slice(), &["--force"]].concat());
    assert!(success, "{output}");
    let kind = fs::symlink_metadata(dir.path().join("schemas/notes/fifo")).expect("it stays").file_type();
    assert!(kind.is_fifo());
}
