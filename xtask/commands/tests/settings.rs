//! `wireform.yaml`: `cargo xtask gen` in another repository, without flags.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod place;

use std::process::Command;

use place::Place;

const SETTINGS: &str = "out: crates\nprefix: acme-\nlicense: MIT\nruntime: { path: runtime }\n";

/// Runs the command in a subfolder, without the flags for folders.
fn run(place: &Place, folder: &str, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-commands"));
    let output = command.current_dir(place.path(folder)).arg("gen").args(arguments).output().expect("the command runs");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.success(), text.concat())
}

fn repository(settings: &str) -> Place {
    let place = Place::new();
    place.write("wireform.yaml", settings);
    place.write("runtime/Cargo.toml", "[package]\nname = \"wireform-runtime\"\n");
    place
}

#[test]
fn settings_file_replaces_flags_in_subfolders() {
    let place = repository(SETTINGS);
    let (success, output) = run(&place, "schemas/greeter", &[]);
    assert!(success && output.contains("greeter: 10 files"), "{output}");
    let manifest = fs_err::read_to_string(place.path("crates/acme-greeter-types/Cargo.toml")).expect("it is written");
    assert!(manifest.contains("path = \"../../runtime\"") && manifest.contains("license = \"MIT\""), "{manifest}");
    let (success, output) = run(&place, ".", &["--check"]);
    assert!(success, "{output}");
    // The name of the command differs between repositories.
    place.write("crates/acme-greeter-types/src/lib.rs", "// edited\n");
    let (success, output) = run(&place, ".", &["--check"]);
    assert!(
        !success && output.contains("run the same command without `--check`") && !output.contains("cargo xtask"),
        "{output}"
    );
}

#[test]
fn flags_override_settings_file() {
    let place = repository(SETTINGS);
    let (success, output) = run(&place, ".", &["--out", "elsewhere", "--prefix", "other-"]);
    assert!(success, "{output}");
    assert!(place.path("elsewhere/other-greeter-types/Cargo.toml").is_file(), "{output}");
    assert!(!place.path("crates").exists());
}

#[test]
fn settings_error_has_location() {
    let place = repository("prefx: acme-\n");
    let (success, output) = run(&place, ".", &[]);
    assert!(!success && output.contains("wireform.yaml:1:1") && output.contains("did you mean `prefix`?"), "{output}");
    assert!(output.contains("nothing was written") && !place.path("generated").exists(), "{output}");
}

#[test]
fn missing_runtime_is_located_in_settings() {
    for (path, place, help) in [
        ("../elsewhere", "wireform.yaml:2:18", "help: the path is absolute, or relative to the folder of this file"),
        (".", "wireform.yaml:2:18", "help: use its folder `runtime`"),
    ] {
        let place_of = repository(&format!("schemas: schemas\nruntime: {{ path: {path} }}\n"));
        let (success, output) = run(&place_of, ".", &[]);
        assert!(!success && output.contains(place) && output.contains(help), "{output}");
        assert!(output.contains("nothing was written") && !place_of.path("generated").exists(), "{output}");
        // An invalid flag is not reported at the file.
        let (success, output) = run(&place_of, ".", &["--runtime", "path:../../elsewhere"]);
        assert!(
            !success && !output.contains(place) && output.contains("help: a path after `--runtime path:`"),
            "{output}"
        );
    }
}
