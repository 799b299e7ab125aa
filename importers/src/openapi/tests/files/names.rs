//! Names of the schemas of other files, and those that discriminators refer to.

use serde_json::json;

use super::{import, paths};
use crate::openapi::tests::{lost, read};

/// Schemas with equal names are named after their files, in the order of specificity.
#[test]
fn names_that_clash_are_those_of_the_files() {
    let schema = |member: &str| format!("type: object\nproperties: {{ {member}: {{ type: string }} }}\n");
    let import = import(
        &format!(
            "{}components: {{ schemas: {{ User: {{ type: object, properties: {{ here: {{ type: string }} }} }} }} }}\n",
            paths(&[
                "{ $ref: '#/components/schemas/User' }",
                "{ $ref: 'common/spec.yaml#/components/schemas/User' }",
                "{ $ref: 'a/item.yaml' }",
                "{ $ref: 'b/item.yaml' }",
                "{ $ref: 'b/plain-thing.yaml' }",
            ])
        ),
        &[
            (
                "common/spec.yaml",
                "components: { schemas: { User: { type: object, properties: { there: { type: string } } } } }\n",
            ),
            ("a/item.yaml", &schema("a")),
            ("b/item.yaml", &schema("b")),
            ("b/plain-thing.yaml", &schema("c")),
        ],
    );
    let found = read(&import);
    let members = |name: &str| found["resources"][name]["fields"].as_object().map(|all| all.keys().cloned().collect());
    for (name, member) in [("User", "here"), ("SpecUser", "there"), ("AItem", "a"), ("BItem", "b"), ("PlainThing", "c")]
    {
        assert_eq!(members(name), Some(vec![member.to_owned()]), "{name}: {:?}", import.files);
    }
    let note = import.notes.iter().find(|note| note.what.starts_with("named `SpecUser`")).expect("a note");
    assert_eq!((note.file.as_deref(), &*note.at), (Some("common/spec.yaml"), "/components/schemas/User"));
}

/// The values of a discriminator are the names in the files, not those among the components.
#[test]
fn discriminators_refer_to_schemas_of_other_files() {
    let base = "
components:
  schemas:
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { name: { type: string } } }] }
    Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { bark: { type: string } } }] }
    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Other: { type: object, properties: { kind: { type: string } } }
";
    let named = import(
        &format!(
            "{}components: {{ schemas: {{ Cat: {{ type: object, properties: {{ here: {{ type: string }} }} }} }} }}\n",
            paths(&["{ $ref: 'pets.yaml#/components/schemas/Pet' }", "{ $ref: '#/components/schemas/Cat' }"])
        ),
        &[("pets.yaml", base)],
    );
    let found = read(&named);
    // Nothing refers to the subtypes, and one of them has the name of another schema.
    assert_eq!(found["unions"]["Pet"]["variants"]["Cat"], "PetsCat", "{:?}", named.files);
    assert_eq!(found["unions"]["Pet"]["variants"]["Dog"], "Dog");
    assert!(found["resources"]["Other"].is_null());
    let pet = |mapping: &str| {
        let object = "type: object, required: [kind], properties: { kind: { type: string }";
        let files = [
            (
                "x/pet.yaml",
                format!(
                    "oneOf: [{{ $ref: ./cat.yaml }}, {{ $ref: 'all.yaml#/components/schemas/Dog' }}]\ndiscriminator: {{ propertyName: kind, mapping: {{ {mapping} }} }}\n"
                ),
            ),
            ("x/cat.yaml", format!("allOf: [{{ {object}, a: {{ type: string }} }} }}]\n")),
            ("x/all.yaml", format!("components: {{ schemas: {{ Dog: {{ {object}, b: {{ type: string }} }} }} }} }}")),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let import = import(&paths(&["{ $ref: x/pet.yaml }"]), &files);
        assert_eq!(lost(&import), []);
        read(&import)["unions"]["Pet"]["variants"].clone()
    };
    let mapped = pet("c: ./cat.yaml, d: 'all.yaml#/components/schemas/Dog', e: ../x/%63at.yaml");
    assert_eq!(mapped, json!({ "c": "Cat", "d": "Dog", "e": "Cat" }));
    // A whole file has its own name.
    assert_eq!(pet("d: all.yaml#/components/schemas/Dog"), json!({ "cat": "Cat", "d": "Dog" }));
}
