//! Conditions across the members of an object, which become rules.

use serde_json::{Value, json};

use super::{import, read, schemas};

/// Imports a schema with members of several types and these keywords, and returns its rules and its losses.
fn rules(keywords: Value) -> (Vec<(String, String)>, Vec<String>) {
    let mut schema = json!({
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": { "type": "string" },
            "a": { "type": "string" },
            "b": { "type": "integer" },
            "c": { "type": "array", "items": { "type": "string" } },
            "kind": { "type": "string", "enum": ["book", "film"] },
            "flag": { "type": "boolean" },
            "size": { "type": "number" },
            "maybe": { "type": ["string", "null"] },
            "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
            "made": { "type": "string", "readOnly": true },
            "od-d": { "type": "string" }
        }
    });
    schema.as_object_mut().expect("an object").extend(keywords.as_object().expect("keywords").clone());
    let import = schemas(json!({ "Note": schema }));
    let found = read(&import)["resources"]["Note"]["rules"].as_array().cloned().unwrap_or_default();
    let text = |rule: &Value, key: &str| rule[key].as_str().unwrap_or_default().to_owned();
    let found = found.iter().map(|rule| (text(rule, "cel"), text(rule, "message"))).collect();
    (found, import.losses.iter().map(|loss| format!("{}: {}", loss.at, loss.what)).collect())
}

#[test]
fn conditions_become_rules() {
    let table = [
        (
            json!({ "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            ("has(this.a) || has(this.b)", "give at least one of `a` and `b`"),
        ),
        (
            json!({ "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            ("has(this.a) != has(this.b)", "give exactly one of `a` and `b`"),
        ),
        (
            json!({ "oneOf": [{ "required": ["a"] }, { "required": ["b"] }, { "required": ["maybe"] }] }),
            (
                "[has(this.a), has(this.b), has(this.maybe)].exists_one(holds, holds)",
                "give exactly one of `a`, `b` and `maybe`",
            ),
        ),
        (
            json!({ "anyOf": [{ "required": ["a", "either"] }, { "required": ["b"], "title": "B" }] }),
            (
                "(has(this.a) && has(this.either)) || has(this.b)",
                "`a` is present and `either` is present or `b` is present",
            ),
        ),
        (
            json!({ "dependentRequired": { "a": ["b", "id"] } }),
            ("!has(this.a) || has(this.b)", "`b` is present if `a` is present"),
        ),
        (
            json!({ "dependentSchemas": { "a": { "required": ["b"], "properties": { "flag": { "const": true } } } } }),
            (
                "!has(this.a) || (has(this.b) && (!has(this.flag) || this.flag))",
                "`b` is present and `flag` is `true` if `flag` is present if `a` is present",
            ),
        ),
        (
            json!({
                "if": { "required": ["kind"], "properties": { "kind": { "const": "book" } } },
                "then": { "required": ["a"] }
            }),
            (
                "!(has(this.kind) && this.kind == 'book') || has(this.a)",
                "`a` is present if `kind` is present and `kind` is `book`",
            ),
        ),
        (
            json!({
                "if": { "properties": { "id": { "enum": ["x'", "y"] } } },
                "else": { "required": ["size"], "properties": { "size": { "type": "number", "minimum": 2 } } }
            }),
            (
                r"(this.id == 'x\'' || this.id == 'y') || (has(this.size) && this.size >= 2.0)",
                r"`size` is present and `size` is at least `2.0` if it is not the case that `id` is `x\'` or `id` is `y`",
            ),
        ),
        (
            json!({ "not": { "required": ["a", "b"] } }),
            ("!(has(this.a) && has(this.b))", "it is not the case that `a` is present and `b` is present"),
        ),
    ];
    for (keywords, (cel, message)) in table {
        let (found, lost) = rules(keywords.clone());
        assert_eq!((found, lost), (vec![(cel.to_owned(), message.to_owned())], Vec::<String>::new()), "{keywords}");
    }
}

#[test]
fn conditions_that_always_hold_need_no_rule() {
    let (found, lost) = rules(json!({ "anyOf": [{ "required": ["id"] }, { "required": ["a"] }] }));
    assert_eq!((found.len(), lost.len()), (0, 0));
}

#[test]
fn conditions_that_no_rule_can_state_are_losses() {
    let table = [
        (
            json!({ "dependentRequired": { "a": ["od-d"] } }),
            "/dependentRequired/a: left out: a condition cannot contain the name `od-d`",
        ),
        (
            json!({ "anyOf": [{ "required": ["a"] }, { "required": ["other"] }] }),
            "/anyOf/0: left out: a condition cannot contain the unknown field `other`",
        ),
        (
            json!({ "not": { "required": ["made"] } }),
            "/not: left out: a condition cannot contain the field `made`, which is `readOnly` or `writeOnly`",
        ),
        (json!({ "not": { "minProperties": 2 } }), "/not: left out: `minProperties` cannot be a condition"),
        (
            json!({ "not": { "properties": { "a": { "pattern": "x" } } } }),
            "/not: left out: `pattern` of a field cannot be a condition",
        ),
        (
            json!({ "not": { "properties": { "maybe": { "const": "x" } } } }),
            "/not: left out: the field `maybe`, which can be null, cannot be compared",
        ),
        (
            json!({ "not": { "properties": { "kind": { "const": "game" } } } }),
            "/not: left out: the field `kind` cannot be compared with this value",
        ),
        (json!({ "not": { "required": ["id"] } }), "/not: left out: no object satisfies it"),
    ];
    for (keywords, loss) in table {
        let (found, lost) = rules(keywords.clone());
        assert_eq!(
            (found.len(), lost.first().map(String::as_str)),
            (0, Some(format!("/components/schemas/Note{loss}").as_str())),
            "{keywords}"
        );
    }
    let import = schemas(
        json!({ "Note": { "type": "object", "properties": { "it": { "type": "string", "not": { "const": "x" } } } } }),
    );
    let lost: Vec<&str> = import.losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(lost, ["left out: negated schemas are not supported"]);
}

#[test]
fn conditions_of_bodies_and_of_shared_parts_become_rules() {
    let import = schemas(json!({
        "Base": { "type": "object", "properties": { "a": { "type": "string" } } },
        "Note": {
            "allOf": [
                { "$ref": "#/components/schemas/Base" },
                { "properties": { "tags": { "type": "array", "items": { "type": "string" } } } },
                { "anyOf": [{ "required": ["a"] }, { "required": ["tags"] }] },
                { "dependentRequired": { "a": ["tags"] } },
                { "dependentRequired": { "tags": ["a"] } }
            ]
        }
    }));
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    let note = read(&import)["resources"]["Note"].clone();
    // An empty list satisfies `required`.
    assert_eq!(note["fields"]["tags"]["presence"], "explicit");
    let ids: Vec<&str> =
        note["rules"].as_array().expect("rules").iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids, ["note.any_of", "note.dependent_required", "note.dependent_required_2"]);
}

/// Each listed value of a condition is compared with those of the field, of which there can be as many.
#[test]
fn large_conditions_end() {
    let names: Vec<String> = (0..20_000).map(|at| format!("m{at}")).collect();
    let note = json!({
        "type": "object",
        "properties": { "it": { "type": "string", "enum": names } },
        "not": { "properties": { "it": { "enum": names } } }
    });
    let document = json!({
        "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" }, "components": { "schemas": { "Note": note } }
    });
    let started = std::time::Instant::now();
    let import = import(&document.to_string()).expect("a document");
    assert!(import.losses.iter().any(|loss| loss.what.contains("as a condition it has")), "{:?}", import.losses);
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn rules_have_different_identifiers() {
    let condition = json!({ "not": { "required": ["a", "b"] } });
    let mut note = json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } } });
    note["allOf"] = json!([condition, condition, condition]);
    let import = schemas(json!({ "Note": note, "Note.Not": note, "note.not_2": note }));
    let resources = read(&import)["resources"].as_object().expect("resources").clone();
    let rules = resources.values().flat_map(|one| one["rules"].as_array().expect("rules"));
    let ids: Vec<&str> = rules.filter_map(|rule| rule["id"].as_str()).collect();
    let different: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!((ids.len(), different.len()), (9, 9), "{ids:?}");
}
