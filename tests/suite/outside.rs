//! The generator as a library, and its output as dependencies, in a workspace that is not this one.

use std::process::Command;

use wireform_tests::root;

#[test]
fn another_repository_generates_and_consumes() {
    let dir = root().join("tests/outside");
    fs_err::copy(root().join("Cargo.lock"), dir.join("Cargo.lock")).expect("the lock file can be copied");
    let main = fs_err::read_to_string(dir.join("generate/src/main.rs")).expect("the program is there");
    let lines = main
        .split("// five lines\n")
        .nth(1)
        .expect("the marks are there")
        .lines()
        .filter(|line| line.trim_start().len() > 1)
        .count();
    assert_eq!(lines, 5, "the documentation promises five lines");
    // The consumer depends on what the first program writes, so cargo must find a manifest before.
    let stub = dir.join("generated/my-pets-types");
    fs_err::create_dir_all(stub.join("src")).expect("the folder can be made");
    fs_err::write(stub.join("Cargo.toml"), "[package]\nname = \"my-pets-types\"\nversion = \"0.1.0\"\n")
        .expect("a manifest");
    fs_err::write(stub.join("src/lib.rs"), "").expect("a library");
    run(&["run", "-p", "generate"]);
    let said = run(&["run", "-p", "consumer"]);
    assert_eq!(said.trim(), r#"{"name":"Max","species":"cat","born":"2024-02-29"}"#);
}

fn run(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(["--offline", "--quiet"])
        .args(arguments)
        .current_dir(root().join("tests/outside"))
        .env("CARGO_TARGET_DIR", root().join("target/outside"))
        .output()
        .expect("cargo runs");
    assert!(done.status.success(), "cargo {}:\n{}", arguments.join(" "), String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}
