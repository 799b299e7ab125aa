//! `wireform.yaml`: `cargo xtask gen` in another repository, without flags.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod place;

use std::process::Command;

use place::Place;

const SETTINGS: &str = "out: crates\nprefix: acme-\nlicense: MIT\nruntime: { path: runtime }\n";

/// Runs the command in a subfolder, without the flags for folders.
fn run(place: &Place, folder: &str, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = command.current_dir(place.path(folder)).arg("gen").args(arguments).output().expect("the command runs");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.success(), said.concat())
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
    let (fine, said) = run(&place, "schemas/greeter", &[]);
    assert!(fine && said.contains("greeter: 10 files"), "{said}");
    let manifest = fs_err::read_to_string(place.path("crates/acme-greeter-types/Cargo.toml")).expect("it is written");
    assert!(manifest.contains("path = \"../../runtime\"") && manifest.contains("license = \"MIT\""), "{manifest}");
    let (fine, said) = run(&place, ".", &["--check"]);
    assert!(fine, "{said}");
    // The name of the command differs between repositories.
    place.write("crates/acme-greeter-types/src/lib.rs", "// edited\n");
    let (fine, said) = run(&place, ".", &["--check"]);
    assert!(
        !fine && said.contains("run the same command without `--check`") && !said.contains("cargo xtask"),
        "{said}"
    );
}

#[test]
fn flags_override_settings_file() {
    let place = repository(SETTINGS);
    let (fine, said) = run(&place, ".", &["--out", "elsewhere", "--prefix", "other-"]);
    assert!(fine, "{said}");
    assert!(place.path("elsewhere/other-greeter-types/Cargo.toml").is_file(), "{said}");
    assert!(!place.path("crates").exists());
}

#[test]
fn settings_error_has_location() {
    let place = repository("prefx: acme-\n");
    let (fine, said) = run(&place, ".", &[]);
    assert!(!fine && said.contains("wireform.yaml:1:1") && said.contains("did you mean `prefix`?"), "{said}");
    assert!(said.contains("nothing was written") && !place.path("generated").exists(), "{said}");
}

#[test]
fn missing_runtime_is_located_in_settings() {
    for (path, place, help) in [
        ("../elsewhere", "wireform.yaml:2:18", "help: the path is relative to the folder of this file"),
        (".", "wireform.yaml:2:18", "help: use its folder `runtime`"),
    ] {
        let place_of = repository(&format!("schemas: schemas\nruntime: {{ path: {path} }}\n"));
        let (fine, said) = run(&place_of, ".", &[]);
        assert!(!fine && said.contains(place) && said.contains(help), "{said}");
        assert!(said.contains("nothing was written") && !place_of.path("generated").exists(), "{said}");
        // An invalid flag is not reported at the file.
        let (fine, said) = run(&place_of, ".", &["--runtime", "path:../../elsewhere"]);
        assert!(!fine && !said.contains(place) && said.contains("help: a path after `--runtime path:`"), "{said}");
    }
}
