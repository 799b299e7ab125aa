//! Discovery documents: written folders, repeated runs and errors.

use super::place::{NOTES, Place, SHOP};

#[test]
fn discovery_import_can_be_generated() {
    let place = Place::new();
    let (success, output) = place.import(&["notes.json"]);
    assert!(success && output.contains("4 added"), "{output}");
    let files = place.files();
    assert!(files["types.yaml"].contains("text: { type: string, doc: What it says. }"), "{files:?}");
    let (success, output) = place.import(&["notes.json"]);
    assert!(success && output.starts_with("schemas/notes-v1: nothing to change\n"), "{output}");
    assert_eq!(place.files(), files);
    let (success, output) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(success && place.path("out/notes-v1-types").is_dir(), "{output}");
}

#[test]
fn other_schemas_require_an_output_folder() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    // `--check` writes nothing if the test fails.
    let (success, output) = place.command(&["gen", "--schemas", "schemas", "--check"]);
    assert!(!success && output.contains("--out <DIR>"), "{output}");
}

#[test]
fn warnings_of_imported_files_are_counted() {
    let place = Place::new();
    place.write(
        "notes.json",
        &NOTES.replace(r#", "description": "Its name.""#, "").replace(r#", "description": "A note.""#, ""),
    );
    assert!(place.import(&["notes.json"]).0);
    let (success, output) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(success && output.contains("notes-v1: 2 of W0302") && !output.contains("warning["), "{output}");
}

#[test]
fn newer_document_changes_only_affected_lines() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    place.write("notes.json", &NOTES.replace("What it says.", "The words."));
    let (success, output) = place.import(&["notes.json"]);
    assert!(success && output.contains("1 file changed, 0 added, 0 removed"), "{output}");
    let after = place.files();
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before["types.yaml"].lines().collect(), after["types.yaml"].lines().collect());
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    // The changed line and the checksum.
    assert_eq!((changed, old.len()), (2, new.len()));
}

#[test]
fn document_of_other_kind_is_reported_with_command() {
    let place = Place::new();
    for document in [SHOP, "info: {}\nopenapi: 3.0.0\n", r#"{"openapi": "3.0.0"}"#, r#"{"swagger": "2.0"}"#] {
        place.write("notes.json", document);
        let (success, output) = place.import(&["notes.json"]);
        assert!(!success && output.contains("error: notes.json:1:") && output.contains("`import openapi`"), "{output}");
        assert!(!output.contains("not JSON"), "{output}");
    }
    place.write("shop.yaml", NOTES);
    let (success, output) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    assert!(!success && output.contains("shop.yaml:2:11#/kind: ") && output.contains("`import discovery`"), "{output}");
}

#[test]
fn discovery_errors_are_located_and_nothing_is_written() {
    let place = Place::new();
    let cut = &NOTES[..NOTES.len() - 2];
    let deep = format!(r#"{{"name": {}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    let table: [(&str, &str); 6] = [
        (cut, "bad.json:10:36"),
        ("", "bad.json:1:"),
        ("[]", "bad.json:1:1"),
        (&deep, "bad.json:1:"),
        ("{\n  \"schemas\": {},\n  \"name\": \"///\"\n}", "bad.json:3:11"),
        (
            "{\n  \"kind\": \"discovery#restDescription\",\n  \"name\": \"a\",\n  \"rootUrl\": \"javascript:x\"\n}",
            "bad.json:4:14",
        ),
    ];
    for (text, reported) in table {
        place.write("bad.json", text);
        let (success, output) = place.import(&["notes.json", "bad.json"]);
        assert!(!success && output.contains(reported), "{text}: {output}");
        assert!(!place.path("schemas/notes-v1").exists(), "{text}");
    }
    fs_err::write(place.path("bad.json"), b"{\"name\": \"\xff\"}").expect("a file");
    let (success, output) = place.import(&["bad.json"]);
    assert!(!success && output.contains("`bad.json` is not UTF-8 text"), "{output}");
    let (success, output) = place.import(&["none.json"]);
    assert!(!success && output.contains("none.json"), "{output}");
}
