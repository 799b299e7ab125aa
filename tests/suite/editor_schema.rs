//! The JSON Schema of the language, as an editor uses it: it accepts every schema that the parser accepts, and rejects
//! common errors.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use wireform_tests::{folders, root};

fn compile(schemas: &mut Schemas) -> SchemaIndex {
    let text = fs_err::read_to_string(root().join("schemas/wireform.schema.json")).expect("the schema is there");
    let mut compiler = Compiler::new();
    compiler.add_resource("wireform.json", serde_json::from_str(&text).expect("JSON")).expect("a resource");
    compiler.compile("wireform.json", schemas).expect("a JSON Schema")
}

/// Converts YAML to JSON like the language server of an editor.
fn as_json(text: &str) -> Value {
    let value: serde_yaml::Value = serde_yaml::from_str(text).expect("YAML");
    plain(&value)
}

/// Converts a value. Keys of JSON are strings; those of YAML can be numbers, such as a status.
fn plain(value: &serde_yaml::Value) -> Value {
    match value {
        serde_yaml::Value::Mapping(map) => map
            .iter()
            .map(|(key, value)| {
                let key = key
                    .as_str()
                    .map_or_else(|| serde_yaml::to_string(key).unwrap_or_default().trim().to_owned(), str::to_owned);
                (key, plain(value))
            })
            .collect(),
        serde_yaml::Value::Sequence(items) => items.iter().map(plain).collect(),
        other => serde_json::to_value(other).unwrap_or(Value::Null),
    }
}

#[test]
fn takes_every_schema_that_the_reader_takes() {
    let mut schemas = Schemas::new();
    let index = compile(&mut schemas);
    for dir in ["schemas", "tests/cases"].iter().flat_map(|dir| folders(&root().join(dir))) {
        for source in wireform_tests::sources(&dir) {
            let value = as_json(&source.text);
            let verdict = schemas.validate(&value, index);
            assert!(verdict.is_ok(), "{} {}: {:#}", dir.display(), source.path, verdict.expect_err("refused"));
        }
    }
}

#[test]
fn refuses_slips() {
    let mut schemas = Schemas::new();
    let index = compile(&mut schemas);
    let slips = [
        "resorces: {}",
        "resources: { A: { feilds: {} } }",
        "resources: { A: { fields: { a: { doc: No type. } } } }",
        "resources: { A: { fields: { a: { type: string, behavior: [outputonly] } } } }",
        "resources: { A: { fields: { a: { type: [string, int32] } } } }",
        "operations: { a.b: { doc: No address. } }",
        "enums: { A: { values: [a, b] } }",
    ];
    for slip in slips {
        let value = as_json(slip);
        assert!(schemas.validate(&value, index).is_err(), "{slip}");
    }
}
