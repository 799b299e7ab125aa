//! `cargo xtask import` from a user's view: written folders, repeated runs, overlays, manual changes, errors.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};

const NOTES: &str = r#"{
  "kind": "discovery#restDescription", "name": "notes", "version": "v1", "title": "Notes", "description": "Keeps notes.",
  "rootUrl": "https://notes.example.com/", "servicePath": "", "protocol": "rest",
  "schemas": {"Note": {"id": "Note", "type": "object", "description": "A note.", "properties": {
    "id": {"type": "string", "description": "Its name."},
    "text": {"type": "string", "description": "What it says."}}}},
  "resources": {"notes": {"methods": {"get": {
    "id": "notes.notes.get", "path": "v1/notes/{id}", "httpMethod": "GET", "description": "Gets a note.",
    "parameters": {"id": {"type": "string", "description": "Which one.", "required": true, "location": "path"}},
    "response": {"$ref": "Note"}}}}}
}"#;

/// Temporary folder with a document.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        place.write("notes.json", NOTES);
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

    fn text(&self, path: &str) -> String {
        fs_err::read_to_string(self.path(path)).expect("a file")
    }

    fn command(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let Output { status, stdout, stderr } =
            command.current_dir(self.dir.path()).args(arguments).output().expect("the command runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    fn import(&self, arguments: &[&str]) -> (bool, String) {
        self.command(&[&["import", "discovery", "--into", "schemas"], arguments].concat())
    }

    /// Returns the files in the folder of the API.
    fn files(&self) -> BTreeMap<String, String> {
        let entries = fs_err::read_dir(self.path("schemas/notes-v1")).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.map(|name| (name.clone(), self.text(&format!("schemas/notes-v1/{name}")))).collect()
    }
}

#[test]
fn a_document_becomes_a_folder_that_the_generator_takes() {
    let place = Place::new();
    let (fine, said) = place.import(&["notes.json"]);
    assert!(fine && said.contains("4 added"), "{said}");
    let files = place.files();
    assert!(files["types.yaml"].contains("text: { type: string, doc: What it says. }"), "{files:?}");
    assert_eq!(place.import(&["notes.json"]), (true, "schemas/notes-v1: nothing to change\n".to_owned()));
    assert_eq!(place.files(), files);
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(fine && place.path("out/notes-v1-types").is_dir(), "{said}");
}

#[test]
fn other_schemas_are_not_generated_into_the_crates_of_the_repository() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    // `--check` writes nothing if the test fails.
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--check"]);
    assert!(!fine && said.contains("--out <DIR>"), "{said}");
}

#[test]
fn what_a_document_does_not_describe_is_counted_and_not_told_one_by_one() {
    let place = Place::new();
    place.write(
        "notes.json",
        &NOTES.replace(r#", "description": "Its name.""#, "").replace(r#", "description": "A note.""#, ""),
    );
    assert!(place.import(&["notes.json"]).0);
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(fine && said.contains("notes-v1: 2 of W0302") && !said.contains("warning"), "{said}");
}

#[test]
fn a_newer_document_changes_the_lines_that_it_changes() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    place.write("notes.json", &NOTES.replace("What it says.", "The words."));
    let (fine, said) = place.import(&["notes.json"]);
    assert!(fine && said.contains("1 file changed, 0 added, 0 removed"), "{said}");
    let after = place.files();
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before["types.yaml"].lines().collect(), after["types.yaml"].lines().collect());
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    // The changed line and the checksum.
    assert_eq!((changed, old.len()), (2, new.len()));
}

#[test]
fn what_people_say_outlives_the_next_import() {
    let place = Place::new();
    let overlay = "change:\n  resources: { Note: { fields: { text: { doc: The words. } } } }\n";
    place.write("schemas/notes-v1/overlay.yaml", overlay);
    for _ in 0..2 {
        let (fine, said) = place.import(&["notes.json"]);
        assert!(fine, "{said}");
        assert!(place.files()["types.yaml"].contains("doc: The words."), "{:?}", place.files());
        assert_eq!(place.files()["overlay.yaml"], overlay);
    }
    // The import has applied the overlay, and the generator does not read it as a schema.
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(fine, "{said}");
    let before = place.files();
    place.write("notes.json", &NOTES.replace("\"text\"", "\"words\""));
    let (fine, said) = place.import(&["notes.json"]);
    let place_of_it = "schemas/notes-v1/overlay.yaml:2:34: `resources.Note.fields.text`: the document does not have it";
    assert!(!fine && said.contains(place_of_it), "{said}");
    assert_eq!(place.files(), before);
}

#[test]
fn what_the_schema_reader_refuses_of_an_overlay_is_told_at_the_overlay() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    for (said, at) in
        [("{ dok: x }", "2:42: `resources.Note.fields.text.dok`"), ("{ type: stirng }", "2:42: `resources")]
    {
        let overlay = format!("change:\n  resources: {{ Note: {{ fields: {{ text: {said} }} }} }}\n");
        place.write("schemas/notes-v1/overlay.yaml", &overlay);
        let (fine, told) = place.import(&["notes.json"]);
        assert!(!fine && told.contains(&format!("schemas/notes-v1/overlay.yaml:{at}")), "{told}");
    }
    place.write("schemas/notes-v1/overlay.yaml", "add:\n  resources: { Note: { fields: { pen: { type: Pen } } } }\n");
    let (fine, told) = place.import(&["notes.json"]);
    assert!(
        !fine && told.contains("overlay.yaml:2:41: `resources.Note.fields.pen.type`") && told.contains("Pen"),
        "{told}"
    );
    fs_err::remove_file(place.path("schemas/notes-v1/overlay.yaml")).expect("a file");
    assert_eq!(place.files(), before);
    // Definitions in the user's own files next to the imported ones are known.
    place.write("schemas/notes-v1/mine.yaml", "enums: { Pen: { doc: A pen., values: { blue: Is blue. } } }\n");
    place.write("schemas/notes-v1/overlay.yaml", "add:\n  resources: { Note: { fields: { pen: { type: Pen } } } }\n");
    let (fine, told) = place.import(&["notes.json", "--force"]);
    assert!(fine, "{told}");
}

#[test]
fn a_file_that_somebody_changed_is_not_written_over() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let written = place.files();
    let edited = written["types.yaml"].replace("What it says.", "The words.");
    place.write("schemas/notes-v1/types.yaml", &edited);
    let (fine, said) = place.import(&["notes.json"]);
    assert!(
        !fine && said.contains("types.yaml") && said.contains("overlay.yaml") && said.contains("--force"),
        "{said}"
    );
    assert!(said.contains("-      text: { type: string, doc: The words. }"), "{said}");
    assert_eq!(place.files()["types.yaml"], edited);
    assert!(place.import(&["notes.json", "--force"]).0);
    assert_eq!(place.files(), written);
}

#[test]
fn a_file_that_no_import_wrote_stays() {
    let place = Place::new();
    place.write("schemas/notes-v1/mine.yaml", "enums: {}\n");
    let (fine, said) = place.import(&["notes.json"]);
    assert!(!fine && said.contains("`mine.yaml` was not written by an import"), "{said}");
    assert!(place.import(&["notes.json", "--force"]).0);
    assert_eq!(place.files()["mine.yaml"], "enums: {}\n");
    place.write("schemas/notes-v1/types.yaml", "enums: {}\n");
    let (fine, said) = place.import(&["notes.json", "--force"]);
    assert!(!fine && said.contains("which would take its name"), "{said}");
}

#[test]
fn losses_are_told_with_their_places_and_have_to_be_allowed() {
    let place = Place::new();
    place.write(
        "notes.json",
        &NOTES.replace(
            r#""id": {"type": "string", "description": "Its"#,
            r#""id": {"type": "string", "format": "runes", "description": "Its"#,
        ),
    );
    let (fine, said) = place.import(&["notes.json"]);
    let told = "notes.json:5:11#/schemas/Note/properties/id: the format `runes` is left out";
    assert!(!fine && said.contains(&format!("loss: {told}")) && said.contains("error: 1 loss;"), "{said}");
    assert!(place.import(&["notes.json", "--allow-losses"]).0);
}

#[test]
fn losses_are_summed_by_kind_with_one_example_each() {
    let place = Place::new();
    let members: String = (0..30)
        .map(|at| {
            format!(r#""m{at}": {{"type": "string", "format": "f{at}"}}, "n{at}": {{"not": {{}}, "type": "string"}}, "#)
        })
        .collect();
    place.write("notes.json", &NOTES.replace(r#""text": {"#, &format!(r#"{members}"text": {{"#)));
    let (fine, said) = place.import(&["notes.json"]);
    assert!(!fine && said.contains("error: 60 losses;"), "{said}");
    assert_eq!(said.matches("loss: ").count(), 2, "{said}");
    assert_eq!(said.matches("(and 29 more of this kind, see `--losses`)").count(), 2, "{said}");
    for flag in ["--losses", "--all"] {
        let (_, said) = place.import(&["notes.json", flag]);
        assert_eq!(said.matches("loss: ").count(), 60, "{said}");
        assert!(!said.contains("more of this kind"), "{said}");
    }
}

#[test]
fn a_document_of_the_other_kind_names_the_other_command() {
    let place = Place::new();
    for document in [SHOP, "info: {}\nopenapi: 3.0.0\n", r#"{"openapi": "3.0.0"}"#, r#"{"swagger": "2.0"}"#] {
        place.write("notes.json", document);
        let (fine, said) = place.import(&["notes.json"]);
        assert!(!fine && said.contains("error: notes.json:1:") && said.contains("`import openapi`"), "{said}");
        assert!(!said.contains("not JSON"), "{said}");
    }
    place.write("shop.yaml", NOTES);
    let (fine, said) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    assert!(!fine && said.contains("shop.yaml:2:11#/kind: ") && said.contains("`import discovery`"), "{said}");
}

#[test]
fn two_documents_of_one_api_are_one_too_many() {
    let place = Place::new();
    place.write("again.json", NOTES);
    let (fine, said) = place.import(&["notes.json", "again.json"]);
    assert!(!fine && said.contains("`notes.json` and `again.json` describe the same API, `notes-v1`"), "{said}");
    assert!(!place.path("schemas/notes-v1").exists());
}

#[test]
fn another_api_with_the_same_name_is_not_written_over() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    let songs = |path: &str| NOTES.replace("v1/notes/{id}", path).replace("notes.example.com", "songs.example.com");
    place.write("notes.json", &songs("v1/songs/{id}"));
    let (fine, said) = place.import(&["notes.json"]);
    assert!(!fine && said.contains("schemas/notes-v1") && said.contains("none of its operations"), "{said}");
    assert_eq!(place.files(), before);
    assert!(place.import(&["notes.json", "--force"]).0);
    // Other paths on the same server are the same API.
    place.write("notes.json", &songs("v1/tunes/{id}"));
    assert!(place.import(&["notes.json"]).0);
}

#[test]
fn mistakes_are_told_with_their_lines_and_nothing_is_written() {
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
    for (text, told) in table {
        place.write("bad.json", text);
        let (fine, said) = place.import(&["notes.json", "bad.json"]);
        assert!(!fine && said.contains(told), "{text}: {said}");
        assert!(!place.path("schemas/notes-v1").exists(), "{text}");
    }
    fs_err::write(place.path("bad.json"), b"{\"name\": \"\xff\"}").expect("a file");
    let (fine, said) = place.import(&["bad.json"]);
    assert!(!fine && said.contains("`bad.json` is not text in UTF-8"), "{said}");
    let (fine, said) = place.import(&["none.json"]);
    assert!(!fine && said.contains("none.json"), "{said}");
}

const SHOP: &str = "openapi: 3.0.3
info: { title: Shop API, version: v1 }
paths:
  /items/{id}:
    get:
      operationId: items.get
      summary: Reads a thing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200': { description: The thing., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
components:
  schemas:
    Item:
      description: A thing for sale.
      properties:
        id: { type: string, description: Its name. }
        price: { description: What it costs., oneOf: [{ type: number }, { type: string }] }
";

#[test]
fn an_openapi_document_becomes_a_folder_that_the_generator_takes() {
    let place = Place::new();
    place.write("shop.yaml", SHOP);
    let import = |place: &Place| place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    let (fine, said) = import(&place);
    assert!(fine && place.text("schemas/shop/operations.yaml").contains("http: GET /items/{id}"), "{said}");
    assert_eq!(import(&place), (true, "schemas/shop: nothing to change\n".to_owned()));
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(fine && place.path("out/shop-types").is_dir(), "{said}");
    // The generated document can be imported again, as the same schema.
    place.write("shop.yaml", &place.text("out/shop-server/openapi.json"));
    let (fine, said) = place.command(&["import", "openapi", "--into", "again", "shop.yaml"]);
    assert!(fine && place.text("again/shop/operations.yaml").contains("http: GET /items/{id}"), "{said}");
}

#[test]
fn another_version_of_an_api_is_imported_beside_it_and_not_over_it() {
    let place = Place::new();
    let import =
        |more: &[&str]| place.command(&[&["import", "openapi", "--into", "schemas", "shop.yaml"], more].concat());
    let with = |version: &str, path: &str| {
        let info = format!("servers: [{{ url: 'https://shop.example.com/{path}' }}]\ninfo:");
        SHOP.replace("info:", &info).replace("version: v1", &format!("version: {version}"))
    };
    place.write("shop.yaml", &with("1.0.0", "v1"));
    assert!(import(&[]).0);
    place.write("shop.yaml", &with("1.1.0", "v1"));
    assert!(import(&[]).0, "a newer document of the same paths");
    let before = place.text("schemas/shop/api.yaml");
    place.write("shop.yaml", &with("2.0.0", "v2"));
    let (fine, said) = import(&[]);
    assert!(!fine && said.contains("version 1.1.0 of the API `shop`") && said.contains("`--name`"), "{said}");
    assert_eq!(place.text("schemas/shop/api.yaml"), before);
    let (fine, said) = import(&["--name", "shop-v2"]);
    assert!(fine && place.text("schemas/shop-v2/api.yaml").contains("api: shop-v2\n"), "{said}");
    assert_eq!(place.text("schemas/shop/api.yaml"), before);
    // The overlay in the folder of that name is applied.
    place.write("schemas/shop-v2/overlay.yaml", "change: { title: The other shop }\n");
    let (fine, said) = import(&["--name", "shop-v2"]);
    assert!(fine && place.text("schemas/shop-v2/api.yaml").contains("title: The other shop"), "{said}");
    assert!(!import(&["--name", "../shop"]).0);
    assert!(!import(&["--name", "shop-v3", "shop.yaml"]).0);
    assert!(import(&["--force"]).0);
}

#[test]
fn mistakes_of_an_openapi_document_are_told_with_their_lines() {
    let table = [
        (SHOP.replace("#/components/schemas/Item", "items.yaml#/Item"), "shop.yaml:11:82", "bundle all of them"),
        (SHOP.replace("info:", "openapi:"), "shop.yaml:2:1", "duplicate key `openapi`"),
        (SHOP.replace("Reads a thing", "*words"), "shop.yaml:7:16", "no anchor for alias `*words` found before it"),
        (SHOP.replace("3.0.3", "2.0"), "shop.yaml:1:10", "is neither version 3.0 nor 3.1"),
        (format!("{SHOP}    Deep: {}\n", "{ a: ".repeat(50_000)), "shop.yaml:19", "is nested too deeply"),
    ];
    let place = Place::new();
    for (text, at, told) in table {
        place.write("shop.yaml", &text);
        let (fine, said) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
        assert!(!fine && said.contains(at) && said.contains(told), "{said}");
        assert!(!place.path("schemas").exists());
    }
    // A dangling reference is a loss, and everything else is written.
    place.write("shop.yaml", &SHOP.replace("schemas/Item'", "schemas/Thing'"));
    let (fine, said) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    assert!(!fine && said.contains("loss: shop.yaml:11:82") && said.contains("nothing found at"), "{said}");
    assert!(place.path("schemas").exists());
}
