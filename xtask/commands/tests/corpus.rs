//! `cargo xtask corpus` with our own documents: imported ones, broken ones, and unchanged ones.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use std::path::PathBuf;
use std::process::{Command, Output};

const NOTES: &str = r##"{
  "kind": "discovery#restDescription", "name": "notes", "version": "v1", "title": "Notes", "description": "Keeps notes.",
  "rootUrl": "https://notes.example.com/", "servicePath": "", "protocol": "rest",
  "schemas": {
    "Note": {"id": "Note", "type": "object", "description": "A note.", "properties": {
      "id": {"type": "string", "description": "Its name."},
      "colour": {"type": "string", "description": "What it looks like.", "enum": ["RED", "GREEN"],
                 "enumDescriptions": ["As blood.", "As grass."]}}}
  },
  "resources": {"notes": {"methods": {"get": {
    "id": "notes.notes.get", "path": "v1/notes/{id}", "httpMethod": "GET", "description": "Gets a note.",
    "parameterOrder": ["id"], "parameters": {"id": {"type": "string", "description": "Which one.",
    "required": true, "location": "path"}}, "response": {"$ref": "Note"}}}}}
}"##;

/// Document without methods, whose crates are checked quickly.
const COLOURS: &str = r#"{
  "kind": "discovery#restDescription", "name": "colours", "version": "v1", "title": "Colours", "protocol": "rest",
  "rootUrl": "https://colours.example.com/", "servicePath": "", "resources": {}, "schemas": {
    "Colour": {"id": "Colour", "type": "object", "description": "A colour.", "properties": {
      "name": {"type": "string", "description": "What it is called."}}}}
}"#;

/// Temporary folder with documents.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(documents: &[(&str, &str)]) -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        documents.iter().for_each(|(name, text)| place.write(&format!("docs/{name}"), text));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.path(path);
        fs_err::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs_err::write(file, text).expect("a file");
    }

    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-commands"));
        command.current_dir(self.dir.path()).args(["corpus", "docs", "--keep", "kept"]).args(arguments);
        let Output { status, stdout, stderr } = command.output().expect("the command runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }
}

/// Returns the columns of the row of a document, and its result.
fn row<'t>(reported: &'t str, name: &str) -> (Vec<&'t str>, &'t str) {
    let row = reported.lines().find(|line| line.starts_with(name)).expect(reported);
    let columns: Vec<&str> = row.split_whitespace().collect();
    let verdict = ["ok", "failed:", "1 of", "2 of"].iter().find_map(|start| row.find(&format!("  {start}")));
    (columns, verdict.map_or("", |at| row[at..].trim()))
}

#[test]
fn broken_document_is_a_row() {
    let place = Place::new(&[
        ("broken.json", "{\n  \"kind\": \"discovery#restDescription\",\n  \"name\": notes"),
        ("notes.json", NOTES),
        ("list.json", "[]"),
        ("old.yaml", "swagger: '2.0'\npaths: {}\n"),
        ("wrong.json", "{\n  \"kind\": \"discovery#restDescription\",\n  \"name\": 7\n}"),
        (".hidden/notes.json", NOTES),
    ]);
    let (success, reported) = place.run(&["--no-check"]);
    assert!(!success, "{reported}");
    let (columns, verdict) = row(&reported, "notes.json");
    assert_eq!((&columns[1..3], verdict), (["1", "1"].as_slice(), "ok"), "{reported}");
    let (_, verdict) = row(&reported, "broken.json");
    assert!(verdict.contains("invalid JSON") && verdict.contains("line 3 column 12"), "{reported}");
    assert!(row(&reported, "old.yaml").1.contains("OpenAPI 2"), "{reported}");
    assert!(row(&reported, "wrong.json").1.contains("cannot import the document at 3:11: `/name`"), "{reported}");
    assert!(
        !reported.contains("list.json") && reported.ends_with("1 other file does not describe an API\n"),
        "{reported}"
    );
    assert!(row(&reported, "4 in all").1.starts_with("1 of 4 ok, not checked"), "{reported}");
    assert!(place.path("kept/schemas/notes-v1/api.yaml").is_file());
    assert!(place.path("kept/crates/notes-v1-client/Cargo.toml").is_file());

    let (success, reported) = place.run(&["--no-check", "--filter", "notes"]);
    assert!(success && reported.contains("1 of 1 ok"), "{reported}");
}

#[test]
fn documents_with_equal_names_are_named_after_files() {
    let documents = [("one/notes.json", NOTES), ("two/notes.json", NOTES), ("again.json", NOTES), ("c.json", COLOURS)];
    let place = Place::new(&documents);
    let (success, reported) = place.run(&["--no-check", "--jobs", "2"]);
    assert!(success && reported.contains("  4 of 4 ok, not checked"), "{reported}");
    let expected = [
        ("one/notes.json", "ok, as `one-notes`"),
        ("two/notes.json", "ok, as `two-notes`"),
        ("again.json", "ok, as `again`"),
        ("c.json", "ok"),
    ];
    for (document, verdict) in expected {
        assert_eq!(row(&reported, document).1, verdict, "{reported}");
    }
    for api in ["one-notes", "two-notes", "again", "colours-v1"] {
        let text = fs_err::read_to_string(place.path(&format!("kept/schemas/{api}/api.yaml"))).expect("a schema");
        assert!(text.contains(&format!("api: {api}\n")), "{text}");
    }

    // A name that becomes free is used, even if nothing else has changed.
    fs_err::remove_file(place.path("docs/again.json")).expect("a file");
    fs_err::remove_file(place.path("docs/two/notes.json")).expect("a file");
    let (success, reported) = place.run(&["--no-check"]);
    assert!(
        success && row(&reported, "one/notes.json").1 == "ok" && row(&reported, "c.json").1 == "ok, unchanged",
        "{reported}"
    );
    assert!(place.path("kept/schemas/notes-v1/api.yaml").is_file());
}

#[test]
fn unchanged_documents_are_skipped() {
    let place = Place::new(&[("notes.json", NOTES), ("colours.json", COLOURS)]);
    let first = place.run(&["--no-check", "--jobs", "1"]);
    assert!(first.0 && row(&first.1, "notes.json").1 == "ok", "{}", first.1);
    place.write("docs/colours.json", &COLOURS.replace("What it is called.", "How it is called."));
    let (success, reported) = place.run(&["--no-check"]);
    assert!(
        success && row(&reported, "notes.json").1 == "ok, unchanged" && row(&reported, "colours.json").1 == "ok",
        "{reported}"
    );
    assert_eq!(row(&first.1, "notes.json").0[..5], row(&reported, "notes.json").0[..5]);
}

/// Documents of several files are read with them, also from elsewhere below the folder.
#[test]
fn parts_of_documents_are_no_documents() {
    let head = "openapi: 3.0.3\ninfo: { title: Pens, version: v1 }\n";
    let item = "get: { operationId: pens.get, responses: { '200': { $ref: ../common/all.yaml#/components/responses/pen } } }\n";
    let all = format!(
        "{head}paths: {{}}\ncomponents:\n  responses: {{ pen: {{ description: A pen., content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Pen' }} }} }} }} }}\n  \
         schemas: {{ Pen: {{ type: object, properties: {{ ink: {{ type: string }} }} }} }}\n"
    );
    let document = format!("{head}paths: {{ /pens: {{ $ref: './pens.yaml' }} }}\n");
    let place = Place::new(&[
        ("a/api.yaml", &document),
        ("a/pens.yaml", item),
        ("common/all.yaml", &all),
        ("words.yaml", "- a\n"),
    ]);
    let (success, reported) = place.run(&["--no-check"]);
    assert!(success && row(&reported, "1 in all").1.starts_with("1 of 1 ok"), "{reported}");
    let (_, reported) = place.run(&["--no-check"]);
    assert_eq!(row(&reported, "a/api.yaml").1, "ok, unchanged", "{reported}");
    assert!(row(&reported, "1 in all").1.starts_with("1 of 1 ok"), "{reported}");
    place.write("docs/common/all.yaml", &all.replace("ink", "colour"));
    let (_, reported) = place.run(&["--no-check"]);
    assert_eq!(row(&reported, "a/api.yaml").1, "ok", "{reported}");
}

#[test]
fn losses_are_listed_also_for_unchanged_documents() {
    let place = Place::new(&[("notes.json", &NOTES.replace("\"protocol\"", "\"auto\": 1,\n  \"protocol\""))]);
    let (success, reported) = place.run(&["--no-check"]);
    assert!(success && row(&reported, "notes.json").0[3] == "1", "{reported}");
    assert!(reported.contains("1 loss, parts of the documents"), "{reported}");
    let (success, reported) = place.run(&["--no-check", "--losses"]);
    assert!(success && row(&reported, "notes.json").1 == "ok, unchanged", "{reported}");
    assert!(reported.contains("\nloss: notes.json:3:") && reported.contains("#/auto: "), "{reported}");
}

#[test]
fn warnings_are_listed_with_their_places() {
    let get = |id: &str, security: &str| {
        format!(
            "  /{id}: {{ get: {{ operationId: {id}, {security}summary: Reads, responses: {{ '204': {{ description: Done. }} }} }} }}\n"
        )
    };
    let pens = format!(
        "openapi: 3.1.0\ninfo: {{ title: Pens, version: v1, description: Pens. }}\npaths:\n{}{}components:\n  securitySchemes: {{ key: {{ type: apiKey, in: header, name: X-Key }} }}\n",
        get("a", ""),
        get("c", "security: [{ key: [] }], ")
    );
    let place = Place::new(&[("pens.yaml", &pens)]);
    let located = "\nwarning: pens.yaml:4:14#/paths/~1a/get: W0307: `a` is public: it has neither `scopes` nor `security` (`schemas/pens/operations.yaml:";
    for result in ["ok", "ok, unchanged"] {
        let (success, reported) = place.run(&["--no-check", "--losses"]);
        assert!(success && row(&reported, "pens.yaml").1 == result, "{reported}");
        assert!(reported.contains(located) && reported.matches("warning: ").count() == 1, "{reported}");
    }
    let (_, reported) = place.run(&["--no-check"]);
    assert!(!reported.contains("warning: "), "{reported}");
}

#[test]
fn single_document_is_a_corpus() {
    let place = Place::new(&[("notes.json", NOTES), ("list.json", "[]"), ("colours.json", COLOURS)]);
    let run = |document: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-commands"));
        command.current_dir(place.dir.path()).args(["corpus", document, "--keep", "kept", "--no-check"]);
        let Output { status, stdout, stderr } = command.output().expect("the command runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    };
    let (success, reported) = run("docs/notes.json");
    assert!(success && row(&reported, "1 in all").1.starts_with("1 of 1 ok"), "{reported}");
    let (success, reported) = run("docs/list.json");
    assert!(!success && reported.contains("no Discovery or OpenAPI document found"), "{reported}");
    let (success, reported) = run("docs/nothing.json");
    assert!(!success && reported.contains("file or folder `docs/nothing.json` not found"), "{reported}");
    // The output of a run in the folder is not a document.
    place.write("docs/kept/.wireform-corpus", "");
    place.write("docs/kept/crates/notes-v1-server/openapi.json", "{\"openapi\": \"3.1.0\"}");
    let (success, reported) = run("docs");
    assert!(success && row(&reported, "2 in all").1.starts_with("2 of 2 ok"), "{reported}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_once_and_names_are_sanitized() {
    let place = Place::new(&[("plain/notes.json", NOTES), ("\u{1b}[2J+a.json", COLOURS)]);
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, place.path(at)).expect("a link");
    fs_err::create_dir_all(place.path("elsewhere")).expect("a folder");
    fs_err::rename(place.path("docs/plain/notes.json"), place.path("elsewhere/notes.json")).expect("a file");
    link("../elsewhere", "docs/linked");
    link("..", "docs/plain/up");
    link("nowhere.json", "docs/gone.json");
    let (success, reported) = place.run(&["--no-check"]);
    assert!(!success && row(&reported, "linked/notes.json").1 == "ok", "{reported}");
    assert!(row(&reported, "gone.json").1.contains("failed to open file"), "{reported}");
    assert!(row(&reported, "\\u{1b}[2J+a.json").1 == "ok" && !reported.contains('\u{1b}'), "{reported}");
    assert!(row(&reported, "3 in all").1.starts_with("2 of 3"), "{reported}");
}

#[test]
fn manifest_of_counts_is_compared() {
    let place = Place::new(&[("notes.json", NOTES)]);
    place.write("docs/MANIFEST.json", r#"{"rows": [{"file": "notes.json", "methods": 1, "schemas": 2}]}"#);
    let (success, reported) = place.run(&["--no-check"]);
    assert!(!success && row(&reported, "notes.json").1.contains("the manifest expects 2 schemas"), "{reported}");
    place.write("counts.json", "{}");
    let (success, reported) = place.run(&["--no-check", "--manifest", "counts.json"]);
    assert!(!success && reported.contains("invalid manifest `counts.json`"), "{reported}");
}

#[test]
fn foreign_folder_is_not_touched() {
    let place = Place::new(&[("notes.json", NOTES)]);
    place.write("kept/diary.txt", "mine");
    let (success, reported) = place.run(&["--no-check"]);
    assert!(!success && reported.contains("was not written by `corpus`"), "{reported}");
    let (success, reported) = place.run(&["--no-check", "--filter", "nothing"]);
    assert!(!success && reported.contains("file that matches `--filter` found"), "{reported}");
}

#[test]
fn compiler_messages_are_assigned_to_documents() {
    let place = Place::new(&[("colours.json", COLOURS)]);
    let (success, reported) = place.run(&[]);
    assert!(success && row(&reported, "1 in all").1.contains("1 of 1 ok, checked in"), "{reported}");

    // The generated code is damaged without the command noticing, so that it is not generated again.
    let library = place.path("kept/crates/colours-v1-types/src/lib.rs");
    let text = fs_err::read_to_string(&library).expect("a library");
    fs_err::write(&library, format!("{text}\nfn nobody_calls_this() {{}}\n")).expect("a file");
    let (success, reported) = place.run(&[]);
    let (_, verdict) = row(&reported, "colours.json");
    assert!(
        !success
            && verdict
                .contains("warning: function `nobody_calls_this` is never used at crates/colours-v1-types/src/lib.rs:"),
        "{reported}"
    );
}
