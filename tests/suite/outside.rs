//! The generator as a library, and its output as dependencies, in a separate workspace.

use std::process::Command;
use std::sync::LazyLock;

use wireform_tests::{cargo, root, target};

#[test]
fn another_repository_generates_and_consumes() {
    let dir = root().join("tests/outside");
    let main = fs_err::read_to_string(dir.join("generate/src/main.rs")).expect("the program is there");
    let lines = main
        .split("// five lines\n")
        .nth(1)
        .expect("the marks are there")
        .lines()
        .filter(|line| line.trim_start().len() > 1)
        .count();
    assert_eq!(lines, 5, "the documentation contains five lines");
    run("generate", &[]);
    let text = run_in("", &["run", "-p", "consumer"]);
    assert_eq!(text.trim(), r#"{"name":"Max","species":"cat","born":"2024-02-29"}"#);
}

/// The documents are short and our own, with features that are hard to import: JSON values of several types, and nested
/// forms with lists that are paged by a cursor.
#[test]
fn programs_use_what_was_made_of_documents() {
    fs_err::copy(root().join("Cargo.lock"), root().join("tests/outside/programs/Cargo.lock")).expect("a lock file");
    import(&["parley", "documents/parley.yaml", "parcels", "documents/parcels.yaml"]);
    assert_eq!(run_in("programs", &["run", "-p", "parley"]), "It is 18 °C.\nToo many.\n");
    let text = run_in("programs", &["run", "-p", "parcels"]);
    assert_eq!(text, "p0 from Max\np1 from c1\np2 from c2\np3 from c3, who is gone\nrecipient\n");
}

/// Like the test above, with public documents, which are not in the repository.
#[test]
#[cfg_attr(not(large_documents), ignore = "WIREFORM_DOCUMENTS names no folder with openai.json and stripe.json")]
fn programs_use_what_was_made_of_large_documents() {
    let dir = std::env::var("WIREFORM_DOCUMENTS").expect("the variable is set at build time");
    fs_err::copy(root().join("Cargo.lock"), root().join("tests/outside/large/Cargo.lock")).expect("a lock file");
    import(&["openai", &format!("{dir}/openai.json"), "stripe", &format!("{dir}/stripe.json")]);
    assert_eq!(run_in("large", &["run", "-p", "openai"]), "look\n");
    assert_eq!(run_in("large", &["run", "-p", "stripe"]), "cus_1\nch_1 of cus_1\nch_2 of cus_1\nch_3 of cus_1\n");
}

/// Programs that generate, built together: both contain the generator.
static PROGRAMS: LazyLock<()> = LazyLock::new(|| {
    let dir = root().join("tests/outside");
    fs_err::copy(root().join("Cargo.lock"), dir.join("Cargo.lock")).expect("the lock file can be copied");
    // The consumer depends on the output of the first program, so cargo needs a manifest there before.
    let stub = dir.join("generated/my-pets-types");
    fs_err::create_dir_all(stub.join("src")).expect("the folder can be made");
    fs_err::write(stub.join("Cargo.toml"), "[package]\nname = \"my-pets-types\"\nversion = \"0.1.0\"\n")
        .expect("a manifest");
    fs_err::write(stub.join("src/lib.rs"), "").expect("a library");
    run_in("", &["build", "-p", "generate", "-p", "import"]);
});

/// Imports documents and generates their crates in `generated/`.
fn import(arguments: &[&str]) {
    run("import", arguments);
}

/// Runs a program that generates.
fn run(program: &str, arguments: &[&str]) {
    LazyLock::force(&PROGRAMS);
    let program = target().join("debug").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    let done = Command::new(program).args(arguments).current_dir(root().join("tests/outside")).output();
    let done = done.expect("the program was built");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn run_in(folder: &str, arguments: &[&str]) -> String {
    let done = cargo(&root().join("tests/outside").join(folder)).args(arguments).output().expect("cargo runs");
    assert!(done.status.success(), "cargo {}:\n{}", arguments.join(" "), String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}
