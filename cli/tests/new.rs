//! `wireform new`, and the commands in the new repository.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use std::path::Path;
use std::process::Command;

use fs_err as fs;

/// Runs the command in a folder, and returns whether it succeeded and its output.
fn wireform(dir: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wireform"));
    let output = command.current_dir(dir).args(arguments).output().expect("the command runs");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.success(), text.concat())
}

/// Returns the dependency on the runtime of this repository.
fn runtime() -> String {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
    format!("path:{}", repository.join("runtime").display())
}

fn scaffold() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let (success, output) = wireform(dir.path(), &["new", "--api", "pets", "--runtime", &runtime()]);
    assert!(success && output.contains("edit schemas/pets/api.yaml"), "{output}");
    dir
}

#[test]
fn new_repository_has_crates_and_passes_checks() {
    let dir = scaffold();
    for file in ["generated/pets-client/Cargo.toml", "Cargo.toml", ".cargo/config.toml", "xtask/src/main.rs"] {
        assert!(dir.path().join(file).is_file(), "{file}");
    }
    let (success, output) = wireform(dir.path(), &["gen", "--check"]);
    assert!(success, "{output}");
    // Cargo finds all packages, including that of the command. Those of other platforms may not be on this machine.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, dir.path().join("Cargo.lock")).expect("the lock file can be copied");
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.current_dir(dir.path()).args(["tree", "--workspace", "--offline"]).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (success, output) = wireform(&dir.path().join("schemas"), &["check"]);
    assert!(success && output == "pets: 1 file, no errors\n", "{output}");
}

#[test]
fn check_reports_errors_without_writing() {
    let dir = scaffold();
    let schema = dir.path().join("schemas/pets/api.yaml");
    let text = fs::read_to_string(&schema).expect("it is there").replace("type: datetime", "type: datetme");
    fs::write(&schema, text).expect("it is written");
    let before = fs::read_to_string(dir.path().join("generated/pets-types/src/lib.rs")).expect("it is there");
    let (success, output) = wireform(dir.path(), &["check"]);
    assert!(
        !success && output.contains("did you mean `datetime`?") && output.contains("1 error in the schema"),
        "{output}"
    );
    let after = fs::read_to_string(dir.path().join("generated/pets-types/src/lib.rs")).expect("it is there");
    assert_eq!(before, after);
    let (success, output) = wireform(dir.path(), &["check", "--api", "pats"]);
    assert!(!success && output.contains("API `pats` not found"), "{output}");
}

#[test]
fn existing_files_are_not_overwritten() {
    let dir = scaffold();
    let (success, output) = wireform(dir.path(), &["new", "--runtime", &runtime()]);
    assert!(!success && output.contains("wireform.yaml` already exists; nothing was written"), "{output}");
    assert!(!dir.path().join("schemas/notes").exists());

    let other = tempfile::tempdir().expect("a folder");
    fs::write(other.path().join("Cargo.toml"), "[workspace]\n").expect("it is written");
    let (success, output) = wireform(other.path(), &["new", "--api", "my-pets", "--runtime", &runtime()]);
    assert!(success && output.contains("kept Cargo.toml: add `generated/*` and `xtask`"), "{output}");
    assert_eq!(fs::read_to_string(other.path().join("Cargo.toml")).expect("it is there"), "[workspace]\n");
}

#[test]
fn invalid_name_is_rejected_before_writing() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["../up", "Pets", "", "1st", "a b", "gen/x", "my_pets", "my--pets", "pets-"] {
        let (success, output) = wireform(dir.path(), &["new", "--api", name, "--runtime", &runtime()]);
        assert!(!success && output.contains("with single hyphens between them"), "{name}: {output}");
    }
    let (success, output) = wireform(dir.path(), &["new", "--runtime", "path:/nowhere"]);
    assert!(!success && output.contains("no runtime found at `/nowhere`"), "{output}");
    assert_eq!(fs::read_dir(dir.path()).expect("it is there").count(), 0);
}

#[test]
fn missing_settings_file_is_reported_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    for command in ["gen", "check"] {
        let (success, output) = wireform(dir.path(), &[command]);
        assert!(!success && output.contains("`wireform new` sets up a repository"), "{output}");
    }
    let (success, output) = wireform(dir.path(), &["reference", "--into", "pages"]);
    assert!(success && dir.path().join("pages/wireform.schema.json").is_file(), "{output}");
    let (success, output) = wireform(dir.path(), &["reference", "--into", "pages", "--check"]);
    assert!(success && output.is_empty(), "{output}");
}
