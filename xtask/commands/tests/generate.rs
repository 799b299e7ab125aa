//! `cargo xtask gen` from a user's view: written trees, checks, orphans, errors, kills.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod place;

use std::process::Stdio;

use place::{Place, SCHEMA};

#[test]
fn second_run_changes_nothing() {
    let place = Place::new();
    let (success, output) = place.run(&[]);
    assert!(success && output.contains("greeter: 10 files"), "{output}");
    assert!(place.tree()["greeter-types/src/api.rs"].contains("pub struct Greeting"));
    let before =
        fs_err::metadata(place.path("out/greeter-types/src/api.rs")).expect("it is there").modified().expect("a time");
    let (success, output) = place.run(&[]);
    assert!(success && output.contains("nothing to change"), "{output}");
    let after =
        fs_err::metadata(place.path("out/greeter-types/src/api.rs")).expect("it is there").modified().expect("a time");
    assert_eq!(before, after);
}

#[test]
fn warnings_are_repeated_when_up_to_date() {
    let place = Place::new();
    place.write("schemas/greeter/api.yaml", &SCHEMA.replace(", doc: What it says.", ""));
    let (_, first) = place.run(&[]);
    let (success, again) = place.run(&[]);
    assert!(success && again.contains("up to date"), "{again}");
    for output in [first, again] {
        assert!(output.contains("warning[W0302]: the field `text` has no description"), "{output}");
    }
}

#[test]
fn unchanged_file_keeps_modification_time() {
    let place = Place::new();
    place.write(
        "schemas/greeter/other.yaml",
        "enums: { Tone: { doc: How it sounds., external: true, values: { warm: Warmly. } } }",
    );
    assert!(place.run(&[]).0);
    let time = |path: &str| fs_err::metadata(place.path(path)).expect("it is there").modified().expect("a time");
    let before = time("out/greeter-types/src/other.rs");
    place.write("schemas/greeter/api.yaml", &SCHEMA.replace("What it says", "What is said"));
    let (success, output) = place.run(&[]);
    assert!(success && output.contains("1 file changed, 0 added, 0 removed"), "{output}");
    assert_eq!(before, time("out/greeter-types/src/other.rs"));
}

#[test]
fn check_reports_differences_and_the_fixing_command() {
    let place = Place::new();
    let more: String = (0..20).map(|n| format!("      f{n}: {{ type: string, doc: More. }}\n")).collect();
    place.write("schemas/greeter/api.yaml", &format!("{SCHEMA}{more}"));
    assert!(place.run(&[]).0);
    assert!(place.run(&["--check"]).0);
    let original = place.tree();
    place.write("out/greeter-types/src/api.rs", "// edited\n");
    fs_err::remove_file(place.path("out/greeter-types/src/lib.rs")).expect("it is there");
    place.write("out/greeter-types/src/left_over.rs", "");
    let (success, output) = place.run(&["--check"]);
    assert!(!success);
    for line in [
        "stale: greeter-types/src/api.rs",
        "missing: greeter-types/src/lib.rs",
        "orphan: greeter-types/src/left_over.rs",
        "-// edited",
        "lines more",
        "cargo xtask gen --schemas schemas --out out",
    ] {
        assert!(output.contains(line), "{line} is not in\n{output}");
    }
    let (success, output) = place.run(&["--dry-run"]);
    assert!(
        success && output.contains("nothing written") && place.path("out/greeter-types/src/left_over.rs").exists(),
        "{output}"
    );
    assert!(place.run(&[]).0);
    assert_eq!(place.tree(), original);
}

#[test]
fn crates_of_removed_api_are_removed() {
    let place = Place::new();
    place.write("schemas/other/api.yaml", &SCHEMA.replace("greeter", "other"));
    assert!(place.run(&[]).0 && place.path("out/other-types").exists());
    fs_err::remove_dir_all(place.path("schemas/other")).expect("it is there");
    assert!(place.run(&["--api", "greeter"]).0 && place.path("out/other-types").exists());
    assert!(place.run(&[]).0 && !place.path("out/other-types").exists());
}

#[test]
fn all_errors_are_reported_and_nothing_is_written() {
    let place = Place::new();
    assert!(place.run(&[]).0);
    let before = place.tree();
    place.write(
        "schemas/greeter/api.yaml",
        &SCHEMA.replace("type: string", "type: strng").replace("external", "externl"),
    );
    place.write("schemas/other/api.yaml", "api: other\nenums: { Color: {} }\n");
    let (success, output) = place.run(&[]);
    assert!(!success);
    for text in [
        "schemas/greeter/api.yaml:5:5",
        "did you mean `external`?",
        "enum `Color` has no values",
        "nothing was written",
    ] {
        assert!(output.contains(text), "{text} is not in\n{output}");
    }
    assert_eq!(place.tree(), before);
}

#[test]
fn folder_without_marker_is_not_touched() {
    let place = Place::new();
    place.write("out/precious.txt", "mine");
    let (success, output) = place.run(&[]);
    assert!(!success && output.contains("was not written by the generator"), "{output}");
    assert_eq!(place.tree().len(), 1);
}

#[test]
fn settings_reach_manifests_and_invalid_ones_are_rejected() {
    let place = Place::new();
    let (success, output) = place.run(&[
        "--prefix",
        "acme-",
        "--runtime",
        "git:https://example.com/wireform#abc",
        "--crate-version",
        "1.2.3",
    ]);
    assert!(success, "{output}");
    let manifest = &place.tree()["acme-greeter-types/Cargo.toml"];
    for line in [
        "name = \"acme-greeter-types\"",
        "version = \"1.2.3\"",
        "wireform-runtime = { git = \"https://example.com/wireform\", rev = \"abc\" }",
    ] {
        assert!(manifest.contains(line), "{manifest}");
    }
    for wrong in [["--prefix", "../x"], ["--runtime", "path:a\"b"], ["--runtime", "nonsense"], ["--api", "missing"]] {
        let (success, output) = place.run(&wrong);
        assert!(!success && !output.is_empty(), "{wrong:?}: {output}");
    }
}

#[test]
fn path_without_runtime_is_rejected() {
    let place = Place::new();
    place.write("libraries/runtime/Cargo.toml", "[package]\nname = \"wireform-runtime\"\n");
    assert!(place.run(&["--runtime", "path:../../libraries/runtime"]).0);
    let before = place.tree();
    place.write("schemas/greeter/api.yaml", &SCHEMA.replace("What it says", "What is said"));
    for arguments in
        [&["--runtime", "path:../libraries/runtime"][..], &["--runtime", "path:../../libraries", "--check"]]
    {
        let (success, output) = place.run(arguments);
        assert!(!success && output.contains("no runtime found at `") && output.contains("libraries"), "{output}");
        let help =
            if arguments.len() > 2 { "help: use its folder `runtime`" } else { "help: a path after `--runtime path:`" };
        assert!(output.contains(help), "{output}");
    }
    assert_eq!(place.tree(), before);
}

#[test]
fn invalid_utf8_and_folders_without_schemas_are_reported() {
    let place = Place::new();
    fs_err::write(place.path("schemas/greeter/bad.yaml"), b"resources: \xff\n").expect("a file");
    let (success, output) = place.run(&[]);
    assert!(!success && output.contains("invalid UTF-8") && output.contains("bad.yaml:1:12"), "{output}");
    fs_err::remove_dir_all(place.path("schemas")).expect("it is there");
    let (success, output) = place.run(&[]);
    assert!(!success && output.contains("folder `schemas` not found"), "{output}");
}

/// A process that is killed at any time leaves the old tree or the new one.
#[test]
fn killed_run_leaves_whole_tree() {
    let place = Place::new();
    let many: String = (0..150)
        .map(|n| format!("  R{n}: {{ doc: One., external: true, fields: {{ a: {{ type: string, doc: A. }} }} }}\n"))
        .collect();
    let schemas = [
        format!("api: greeter\nresources:\n{many}"),
        format!("api: greeter\nresources:\n{}", many.replace("type: string", "type: int32")),
    ];
    let mut trees = Vec::new();
    for schema in &schemas {
        place.write("schemas/greeter/api.yaml", schema);
        assert!(place.run(&[]).0);
        trees.push(place.tree());
    }
    assert_ne!(trees[0], trees[1]);
    let mut seen = [0, 0];
    for round in 0_u64..40 {
        place.write("schemas/greeter/api.yaml", &schemas[usize::from(round % 2 == 0)]);
        let mut child =
            place.command(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs");
        std::thread::sleep(std::time::Duration::from_micros(round * 700));
        let _ = child.kill();
        child.wait().expect("it ends");
        let left = place.tree();
        let which = trees.iter().position(|tree| *tree == left);
        seen[which.expect("the tree is one of the two")] += 1;
    }
    assert!(place.run(&[]).0);
    let entries = fs_err::read_dir(place.dir.path()).expect("the folder").count();
    assert_eq!(entries, 2, "what a killed run left is removed by the next; trees seen: {seen:?}");
}

/// A schema that is saved during a watch is generated; an error does not end the watch.
#[test]
fn watch_generates_on_every_save() {
    let place = Place::new();
    let mut child =
        place.command(&["--watch"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs");
    let shows = |text: &str| {
        let file = place.path("out/greeter-types/src/api.rs");
        // The limit only ends the test if the watch does nothing.
        let seen = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            fs_err::read_to_string(&file).is_ok_and(|there| there.contains(text))
        });
        assert!(seen, "`{text}` never came");
    };
    shows("What it says.");
    place.write("schemas/greeter/api.yaml", "not: a schema");
    place.write("schemas/greeter/api.yaml", &SCHEMA.replace("What it says", "What is said"));
    shows("What is said.");
    place.write(
        "schemas/greeter/more.yaml",
        "enums: { Tone: { doc: How it sounds., external: true, values: { warm: Warmly. } } }",
    );
    let lib = place.path("out/greeter-types/src/more.rs");
    let seen = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        lib.exists()
    });
    let _ = child.kill();
    child.wait().expect("it ends");
    assert!(seen, "a new file was not generated");
}

#[test]
fn build_artifacts_are_kept_and_checks_write_nothing() {
    let place = Place::new();
    let (success, output) = place.run(&["--dry-run"]);
    assert!(success && !place.path("out").exists(), "{output}");
    assert!(!place.run(&["--check"]).0 && !place.path("out").exists());
    assert!(place.run(&[]).0);
    place.write("out/greeter-types/target/debug/x", "built");
    place.write("out/greeter-types/Cargo.lock", "locked");
    assert!(place.run(&["--check"]).0);
    place.write("schemas/greeter/api.yaml", &SCHEMA.replace("What it says", "What is said"));
    assert!(place.run(&[]).0);
    let tree = place.tree();
    assert!(tree.contains_key("greeter-types/target/debug/x") && tree.contains_key("greeter-types/Cargo.lock"));
    assert!(tree["greeter-types/src/api.rs"].contains("What is said"));
}
