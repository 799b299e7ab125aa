mod cross_check;
mod internal;
mod parse;
mod ranges;
mod recovery;
mod references;
mod requests;
mod typing;

use crate::diagnostics::Code;
use crate::{Source, load};

/// Resource with fields of every kind, and operations that take it.
const SCHEMA: &str = r#"
api: shop
enums:
  State: { doc: A state., values: { open: Open., done: { doc: Done., aliases: [closed] } } }
resources:
  Item:
    doc: An item.
    fields:
      id: { type: string, behavior: [required], doc: Its name. }
      note: { type: string, doc: A note. }
      count: { type: int32, doc: How many. }
      size: { type: uint64, encoding: decimal_string, doc: How large. }
      share: { type: double, doc: A share. }
      small: { type: float, doc: A small share. }
      done: { type: bool, default: false, doc: Whether. }
      state: { type: State, default: open, doc: Its state. }
      other: { type: State, doc: Another state. }
      start: { type: datetime, required: { in: [items.create] }, doc: When. }
      day: { type: date, doc: The day. }
      wait: { type: duration, doc: How long. }
      data: { type: bytes, doc: Bytes. }
      any: { type: any, doc: Anything. }
      object: { type: object, doc: An object. }
      tags: { type: [string], doc: Tags. }
      anything: { type: [any], doc: Anything. }
      labels: { type: { string: string }, doc: Labels. }
      parts: { type: [Part], doc: Parts. }
      part: { type: Part, doc: A part. }
    rules:
      - { id: item.rule, operations: OPERATIONS, cel: CONDITION, message: it does not hold }
  Part:
    doc: A part.
    fields:
      name: { type: string, doc: Its name. }
      inner: { type: Part, doc: A part of the part. }
      weight: { type: double, effective_when: EFFECTIVE, doc: Its weight. }
operations:
  items.create:
    doc: Makes an item.
    http: POST /items
    query:
      dryRun: { type: bool, doc: Whether to try. }
      limit: { type: uint32, default: 10, doc: How many. }
      zone: { type: string, wire_name: filter.zone, doc: Where. }
      states: { type: [State], doc: Which states. }
    body: Item
    response: Item
    rules: [{ id: items.create, cel: REQUEST, message: it does not hold }]
  items.patch:
    doc: Changes an item.
    http: PATCH /items/{itemId}
    path: { itemId: { type: string, doc: The item. } }
    query: { limit: { type: uint32, default: 10, doc: How many. } }
    body: { type: Item, as: merge_patch }
    response: Item
    rules: [{ id: items.patch, cel: PATCH, message: it does not hold }]
  items.list:
    doc: Lists items.
    http: GET /items
    response: Part
    rules: [{ id: items.list, cel: LIST, message: it does not hold }]
"#;

fn schema(place: &str, condition: &str, operations: &str) -> String {
    let quoted = format!("'{}'", condition.replace('\'', "''"));
    let mut text = SCHEMA.replace("OPERATIONS", operations);
    for hole in ["CONDITION", "EFFECTIVE", "REQUEST", "PATCH,", "LIST"] {
        let value = if hole.trim_end_matches(',') == place { quoted.as_str() } else { "'true'" };
        let comma = if hole.ends_with(',') { "," } else { "" };
        text = text.replace(&format!(": {hole}"), &format!(": {value}{comma}"));
    }
    text
}

/// Returns the diagnostics of a condition: the code, the part of the condition, and the message.
fn diagnostics_at(place: &str, condition: &str, operations: &str) -> Vec<(String, String, String)> {
    let text = schema(place, condition, operations);
    let Err(output) = load(&[Source::new("api.yaml", text.as_str())]) else { return Vec::new() };
    let part = |one: &crate::Diagnostic| text[one.span.start as usize..one.span.end as usize].replace("''", "'");
    // The other conditions are always true.
    let relevant =
        output.diagnostics.iter().filter(|one| (one.code, part(one).as_str()) != (Code::ConstantCondition, "true"));
    relevant.map(|one| (one.code.text().to_owned(), part(one), one.message.clone())).collect()
}

fn diagnostics_of(condition: &str) -> Vec<(String, String, String)> {
    diagnostics_at("CONDITION", condition, "[]")
}

#[test]
fn what_a_condition_reads() {
    let text = schema("CONDITION", "has(this.part.inner.name) || this.done || this.tags.all(t, t == this.id)", "[]");
    let api = load(&[Source::new("api.yaml", text)]).expect("it is right");
    let condition = &api.conditions.of_resource(crate::model::ResourceId(0))[0];
    let names: Vec<&str> =
        condition.read_fields().iter().map(|field| api.resources[0].fields[*field].name.wire.as_str()).collect();
    assert_eq!(names, ["id", "done", "tags", "part"]);
}

#[test]
fn what_is_always_the_same_is_warned_of() {
    let warned = |condition: &str| {
        let text = schema("CONDITION", condition, "[]");
        let output = crate::check(&[Source::new("api.yaml", text.as_str())]);
        let at = text.find(&condition.replace('\'', "''")).expect("the text contains the condition");
        let here = |one: &&crate::Diagnostic| one.span.start as usize == at && one.code == Code::ConstantCondition;
        let found = output.diagnostics.iter().find(here);
        found.map(|one| one.message.contains("is always true"))
    };
    for (condition, holds) in [
        ("this.id == this.id", true),
        ("this.id < this.id", false),
        ("this.done || !this.done", true),
        ("this.done && !this.done", false),
        ("1 + 1 == 2 || 1 < 2", true),
        ("'a' == 'b'", false),
        ("size(this.tags) >= 0", true),
        ("0 > size(this.id)", false),
        ("!has(this.size) ? true : this.size >= 0u", true),
        ("this.done ? 1 < 2 : 'a' < 'b'", true),
        ("has(this.note) && false", false),
    ] {
        assert_eq!(warned(condition), Some(holds), "{condition}");
    }
    for condition in [
        "this.done",
        "this.id == 'x'",
        "size(this.tags) > 0",
        "0 >= size(this.id)",
        "has(this.note) ? this.note != '' : this.done",
        "!has(this.count) || this.count >= 0",
        "timestamp('2020-01-01T00:00:00Z') == timestamp('2020-01-01T01:00:00+01:00')",
        "this.tags.all(t, t == this.id) || !this.tags.all(t, t == '')",
    ] {
        assert_eq!(warned(condition), None, "{condition}");
    }
}

#[test]
fn what_takes_the_square_of_its_input_is_warned_of() {
    let warned = |condition: &str| {
        let output = crate::generate(
            &[Source::new("api.yaml", schema("CONDITION", condition, "[]"))],
            &crate::Options::default(),
        );
        assert!(output.files.is_some(), "{condition}");
        output.diagnostics.iter().any(|one| one.code.text() == "W0304")
    };
    for condition in [
        "this.tags.all(a, this.tags.exists_one(b, a == b))",
        "this.tags.all(a, this.parts.map(p, has(p.name), p.name).exists(b, a == b))",
        "this.parts.all(p, p in this.parts)",
        "this.parts.all(p, !has(p.weight) || p.weight in this.parts.map(q, has(q.weight), q.weight))",
    ] {
        assert!(warned(condition), "{condition}");
    }
    for condition in [
        "this.tags.all(a, a in this.tags)",
        "this.parts.all(p, !has(p.name) || p.name in this.tags.map(t, t + 'x'))",
        "this.parts.all(p, !has(p.weight) || p.weight in [1.0, 2.0])",
        "this.tags.all(a, a in this.labels)",
        "has(this.part) && this.part in this.parts",
    ] {
        assert!(!warned(condition), "{condition}");
    }
}

/// Tests the conditions of all schemas in the repository.
#[test]
fn the_schemas_are_right() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    for api in ["script", "mailbox", "calendar"] {
        let mut sources = Vec::new();
        for entry in std::fs::read_dir(root.join(api)).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            sources.push(Source::new(path.to_string_lossy(), std::fs::read_to_string(&path).expect("it is text")));
        }
        let included = |path: &str| std::fs::read(path).map(Some);
        let sources = crate::with_includes(sources, included).expect("included files can be read");
        let output = crate::generate(&sources, &crate::Options::default());
        let rendered: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
        assert!(rendered.is_empty(), "{}", rendered.join("\n\n"));
    }
}
