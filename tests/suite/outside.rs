//! The generator as a library, and its output as dependencies, in a separate workspace.

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
    assert_eq!(lines, 5, "the documentation contains five lines");
    // The consumer depends on the output of the first program, so cargo needs a manifest there before.
    let stub = dir.join("generated/my-pets-types");
    fs_err::create_dir_all(stub.join("src")).expect("the folder can be made");
    fs_err::write(stub.join("Cargo.toml"), "[package]\nname = \"my-pets-types\"\nversion = \"0.1.0\"\n")
        .expect("a manifest");
    fs_err::write(stub.join("src/lib.rs"), "").expect("a library");
    run(&["run", "-p", "generate"]);
    let text = run(&["run", "-p", "consumer"]);
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

/// Imports documents and generates their crates in `generated/`. The workspace contains the program and its consumer.
fn import(arguments: &[&str]) {
    let dir = root().join("tests/outside");
    fs_err::copy(root().join("Cargo.lock"), dir.join("import/Cargo.lock")).expect("a lock file");
    run_in("", &[&["run", "--manifest-path", "import/Cargo.toml", "--"], arguments].concat());
}

fn run(arguments: &[&str]) -> String {
    run_in("", arguments)
}

fn run_in(folder: &str, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(["--offline", "--quiet"])
        .args(arguments)
        .current_dir(root().join("tests/outside").join(folder))
        .env("CARGO_TARGET_DIR", root().join("target/outside"))
        .output()
        .expect("cargo runs");
    assert!(done.status.success(), "cargo {}:\n{}", arguments.join(" "), String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}
