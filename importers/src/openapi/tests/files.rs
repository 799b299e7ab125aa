//! Documents of several files.

mod names;
mod reports;

use std::collections::BTreeMap;

use serde_json::json;

use super::{lost, read, read_all};
use crate::openapi::import_as;
use crate::{FileReader, Import, ImportError, Options, TextFile};

/// Files in memory, by path. A text `-> PATH` is a symbolic link.
#[derive(Debug)]
struct Memory(BTreeMap<String, String>);

impl FileReader for Memory {
    fn document(&self) -> &str {
        "api.yaml"
    }

    fn read(&self, path: &str, _: usize) -> Result<TextFile, String> {
        let link = self.0.get(path).and_then(|text| text.strip_prefix("-> "));
        let path = link.unwrap_or(path);
        let text = self.0.get(path).ok_or("file not found")?;
        Ok(TextFile { path: path.to_owned(), text: text.clone() })
    }
}

/// Text before the paths of each document.
const HEAD: &str = "openapi: 3.0.3\ninfo: { title: Notes, version: v1 }\n";

/// Imports the document `api.yaml`, after its head, with other files.
fn try_import(document: &str, files: &[(&str, &str)]) -> Result<Import, ImportError> {
    let mut files: BTreeMap<String, String> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let document = format!("{HEAD}{document}");
    files.insert("api.yaml".to_owned(), document.clone());
    import_as(&document, &Options { files: Some(&Memory(files)), ..Options::default() }, None)
}

fn import(document: &str, files: &[(&str, &str)]) -> Import {
    let import = try_import(document, files).expect("a document");
    read_all(&import);
    import
}

/// Returns an operation that responds with a schema.
fn get(schema: &str) -> String {
    format!(
        "get: {{ responses: {{ '200': {{ description: It., content: {{ application/json: {{ schema: {schema} }} }} }} }} }}"
    )
}

/// Returns a document with an operation for each schema.
fn paths(schemas: &[&str]) -> String {
    let path = |(index, schema): (usize, &&str)| format!("  /p{index}: {{ {} }}\n", get(schema));
    format!("paths:\n{}", schemas.iter().enumerate().map(path).collect::<String>())
}

/// A document of several files is imported like the same one in one file.
#[test]
fn every_part_can_be_in_another_file() {
    let one = "
paths:
  /notes/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    put:
      operationId: putNote
      parameters: [{ $ref: '#/components/parameters/dry' }]
      requestBody: { $ref: '#/components/requestBodies/note' }
      responses: { '200': { $ref: '#/components/responses/note' }, '404': { $ref: '#/components/responses/Missing' } }
  /tags:
    get: { operationId: listTags, responses: { '200': { description: Tags., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tag' } } } } } } }
components:
  parameters:
    id: { name: id, in: path, required: true, schema: { type: string, maxLength: 9 } }
    dry: { name: dry, in: query, schema: { type: boolean } }
  requestBodies:
    note: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, examples: { a: { value: { text: b } } } } } }
  responses:
    note:
      description: A note.
      headers: { X-Count: { $ref: '#/components/headers/Count' } }
      content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
    Missing: { description: Missing., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  headers:
    Count: { schema: { type: integer } }
  schemas:
    Tag: { type: object, properties: { name: { type: string }, notes: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
    Note: { type: object, required: [text], properties: { text: { type: string }, tags: { type: array, items: { $ref: '#/components/schemas/Tag' } }, size: { $ref: '#/components/schemas/Size' } } }
    Size: { type: object, properties: { lines: { type: integer } } }
    Error: { type: object, properties: { message: { type: string } } }
";
    let several = "
paths:
  /notes/{id}: { $ref: paths/note.yaml }
  /tags: { $ref: 'paths/all.yaml#/~1tags' }
components:
  schemas: { Error: { type: object, properties: { message: { type: string } } } }
";
    let files = [
        (
            "paths/note.yaml",
            "
parameters: [{ $ref: '../common/spec.yaml#/components/parameters/id' }]
put:
  operationId: putNote
  parameters: [{ $ref: ../common/dry.yaml }]
  requestBody: { $ref: '../common/spec.yaml#/components/requestBodies/note' }
  responses: { '200': { $ref: ../responses/note.yaml }, '404': { $ref: '#/x-missing' } }
x-missing: { description: Missing., content: { application/json: { schema: { $ref: '../api.yaml#/components/schemas/Error' } } } }
",
        ),
        (
            "paths/all.yaml",
            "/tags:\n  get: { operationId: listTags, responses: { '200': { description: Tags., content: { application/json: { schema: { type: array, items: { $ref: ../schemas/Tag.json } } } } } } }\n",
        ),
        ("common/dry.yaml", "name: dry\nin: query\nschema: { type: boolean }\n"),
        (
            "common/spec.yaml",
            "
components:
  parameters: { id: { name: id, in: path, required: true, schema: { type: string, maxLength: 9 } } }
  requestBodies:
    note: { content: { application/json: { schema: { $ref: '../schemas/Note.yaml' }, examples: { a: { $ref: ../example.json } } } } }
  headers: { Count: { schema: { type: integer } } }
",
        ),
        ("example.json", "{\"value\": {\"text\": \"b\"}}"),
        (
            "responses/note.yaml",
            "description: A note.\nheaders: { X-Count: { $ref: '../common/spec.yaml#/components/headers/Count' } }\ncontent: { application/json: { schema: { $ref: ../schemas/Note.yaml } } }\n",
        ),
        (
            "schemas/Tag.json",
            "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}, \"notes\": {\"type\": \"array\", \"items\": {\"$ref\": \"Note.yaml\"}}}}",
        ),
        (
            "schemas/Note.yaml",
            "
type: object
required: [text]
properties: { text: { type: string }, tags: { type: array, items: { $ref: Tag.json } }, size: { $ref: '#/$defs/Size' } }
$defs: { Size: { type: object, properties: { lines: { type: integer } } } }
",
        ),
    ];
    let (one, several) = (import(one, &[]), import(several, &files));
    assert_eq!(several.files, one.files);
    assert_eq!((lost(&several), lost(&one)), (vec![], vec![]));
    let texts: Vec<&String> = several.documents.keys().collect();
    assert_eq!(texts.len(), files.len(), "{texts:?}");
}

/// Identity is by file and pointer.
#[test]
fn every_spelling_of_a_reference_is_the_same_schema() {
    let import = import(
        &format!(
            "{}components: {{ schemas: {{ Alias: {{ $ref: 'b/Note.yaml' }} }} }}\n",
            paths(&[
                "{ $ref: 'b/Note.yaml' }",
                "{ $ref: './b/Note.yaml#' }",
                "{ $ref: 'c/../b/%4eote.yaml' }",
                "{ $ref: 'link.yaml' }",
                "{ $ref: '#/components/schemas/Alias' }",
                "{ $ref: 'all.yaml#/N%6fte' }",
                "{ $ref: 'b/Note.yaml#/properties/next' }",
            ])
        ),
        &[
            ("b/Note.yaml", "type: object\nproperties: { next: { $ref: Note.yaml }, self: { $ref: '#' } }\n"),
            ("link.yaml", "-> b/Note.yaml"),
            ("all.yaml", "Note: { $ref: ./b/../link.yaml }\n"),
        ],
    );
    let found = read(&import);
    let expected = json!({ "Alias": { "fields": { "next": { "type": "Alias" }, "self": { "type": "Alias" } } } });
    assert_eq!(found["resources"], expected);
    let operations = found["operations"].as_object().expect("operations");
    assert_eq!(operations.len(), 7);
    assert!(operations.values().all(|one| one["response"]["type"] == "Alias"), "{operations:?}");
    assert_eq!(lost(&import), []);
}

#[test]
fn cycles_across_files_end() {
    let import = import(
        &format!(
            "{}components: {{ schemas: {{ A: {{ type: object, properties: {{ b: {{ $ref: 'b.yaml#/B' }} }} }} }} }}\n",
            paths(&["{ $ref: 'b.yaml#/B' }", "{ $ref: 'b.yaml#/Loop' }", "{ $ref: 'c.yaml#/Tree' }"])
        ),
        &[
            (
                "b.yaml",
                "B: { type: object, properties: { a: { $ref: 'api.yaml#/components/schemas/A' } } }\nLoop: { $ref: 'c.yaml#/Loop' }\n",
            ),
            (
                "c.yaml",
                "Loop: { $ref: 'b.yaml#/Loop' }\nTree: { allOf: [{ $ref: 'c.yaml#/Tree' }, { $ref: 'b.yaml#/B' }] }\n",
            ),
        ],
    );
    let found = read(&import);
    assert_eq!(found["resources"]["A"]["fields"]["b"]["type"], "B");
    assert_eq!(found["resources"]["B"]["fields"]["a"]["type"], "A");
    assert!(lost(&import).iter().all(|(_, what)| what.contains("becomes `any`")), "{:?}", lost(&import));
    assert!(!lost(&import).is_empty());
}

#[test]
fn maps_and_lists_can_be_other_files() {
    let import = import(
        "paths: { $ref: paths.yaml }\ncomponents: { schemas: { $ref: 'all.yaml#/schemas' } }\n",
        &[
            (
                "paths.yaml",
                &format!(
                    "/a: {{ parameters: {{ $ref: list.yaml }}, {} }}\n/b: {{ $ref: b.yaml }}\n",
                    get("{ $ref: 'all.yaml#/schemas/Note' }")
                ),
            ),
            ("list.yaml", "- { name: q, in: query, schema: { $ref: 'all.yaml#/schemas/Tag/properties/a' } }\n"),
            ("b.yaml", &get("{ $ref: 'api.yaml#/components/schemas/Tag' }")),
            (
                "all.yaml",
                "schemas: { Note: { type: object, properties: { $ref: '#/members' } }, Tag: { type: object, properties: { a: { type: string } } } }\nmembers: { b: { type: integer, x-no: 1 } }\n",
            ),
        ],
    );
    let found = read(&import);
    assert_eq!(found["operations"].as_object().map(|all| all.len()), Some(2));
    assert_eq!(found["operations"]["get_a"]["query"]["q"]["type"], "string", "{:?}", import.files);
    assert_eq!(lost(&import), []);
}

/// Examples are not references, and what they seem to refer to is not read.
#[test]
fn examples_are_values() {
    let schema = "{ type: object, properties: { a: { type: object, example: { $ref: no.json } } } }";
    let content = format!("{{ application/json: {{ schema: {schema}, example: {{ $ref: no.json }} }} }}");
    let document = format!(
        "paths: {{ /a: {{ get: {{ responses: {{ '200': {{ description: It., content: {content} }} }} }} }} }}\n"
    );
    let import = import(&document, &[]);
    assert_eq!(lost(&import), []);
}
