//! Temporary folder with a document, and the command as users run it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Discovery document.
pub const NOTES: &str = r#"{
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

/// OpenAPI document.
pub const SHOP: &str = "openapi: 3.0.3
info: { title: Shop API, version: v1 }
paths:
  /items/{id}:
    get:
      operationId: items.get
      summary: Reads a thing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: The thing.
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
components:
  schemas:
    Item:
      description: A thing for sale.
      properties:
        id: { type: string, description: Its name. }
        price: { description: What it costs., oneOf: [{ type: number, format: double }, { type: string }] }
";

/// Temporary folder with a document.
pub struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        place.write("notes.json", NOTES);
        place
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.path(path);
        fs_err::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs_err::write(file, text).expect("a file");
    }

    pub fn text(&self, path: &str) -> String {
        fs_err::read_to_string(self.path(path)).expect("a file")
    }

    pub fn command(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-commands"));
        let Output { status, stdout, stderr } =
            command.current_dir(self.dir.path()).args(arguments).output().expect("the command runs");
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    pub fn import(&self, arguments: &[&str]) -> (bool, String) {
        self.command(&[&["import", "discovery", "--into", "schemas"], arguments].concat())
    }

    /// Returns the files in the folder of the API.
    pub fn files(&self) -> BTreeMap<String, String> {
        let entries = fs_err::read_dir(self.path("schemas/notes-v1")).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.map(|name| (name.clone(), self.text(&format!("schemas/notes-v1/{name}")))).collect()
    }
}
