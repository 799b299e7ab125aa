//! Bounds that contradict each other, and those beyond what the schema declares.

use crate::diagnostics::Code;
use crate::{Source, generate};

const SCHEMA: &str = "
api: shop
enums:
  State: { doc: A state., values: { open: Open., done: Done. } }
resources:
  Item:
    doc: An item.
    external: true
    fields:
      text: { type: string, required: true, doc: A text. }
      code: { type: string, required: true, length: 2..=5, doc: A code. }
      any: { type: int64, required: true, doc: A number. }
      few: { type: int32, required: true, min: 1, max: 10, doc: How many. }
      some: { type: int32, required: true, max: 10, constrained: { in: [items.create] }, doc: How many more. }
      count: { type: uint32, required: true, doc: How many there are. }
      share: { type: double, required: true, min: 0, max: 1, doc: A share. }
      state: { type: State, required: true, doc: Its state. }
      tags: { type: [string], items: ..=3, doc: Tags. }
      note: { type: string, doc: A note. }
    rules:
      - { id: item.rule, cel: CONDITION, message: it does not hold }
operations:
  items.create: { doc: Makes an item., http: POST /items, body: Item }
";

/// Returns the warning about a condition: `holds`, `never`, `part holds`, `part never`, or an empty text.
fn verdict(condition: &str) -> &'static str {
    let text = SCHEMA.replace("CONDITION", &format!("'{}'", condition.replace('\'', "''")));
    let output = generate(&[Source::new("api.yaml", text)], &crate::Options::default());
    let errors = output.diagnostics.iter().filter(|one| one.code != Code::ConstantCondition).collect::<Vec<_>>();
    assert!(errors.is_empty(), "{condition}: {errors:?}");
    let Some(warning) = output.diagnostics.first() else { return "" };
    let is_part = warning.message.contains("part of");
    match (is_part, warning.message.contains("always true")) {
        (false, true) => "holds",
        (false, false) => "never",
        (true, true) => "part holds",
        (true, false) => "part never",
    }
}

#[test]
fn contradictions_of_bounds_are_found() {
    for (condition, expected) in [
        ("size(this.text) > 5 && size(this.text) < 3", "never"),
        ("size(this.text) > 5 && 3 > size(this.text)", "never"),
        ("this.any > 10 && this.any < 5", "never"),
        ("this.any > 4 && this.any < 5", "never"),
        ("this.any >= 4 && this.any <= 4 && this.any != 4", "never"),
        ("this.text == 'a' && this.text == 'b'", "never"),
        ("this.text in ['a', 'b'] && this.text == 'c'", "never"),
        ("this.text in ['a', 'b'] && !(this.text in ['b', 'a'])", "never"),
        ("this.state == 'open' && this.state == 'done'", "never"),
        ("this.state == 'open' || this.state != 'open'", "holds"),
        ("this.any < 10 || this.any > 5", "holds"),
        ("this.any < 10 || this.any >= 10", "holds"),
        ("this.text != 'a' || this.text != 'b'", "holds"),
        ("!(this.any > 10 && this.any < 5)", "holds"),
        ("has(this.note) && (this.note == 'a' && this.note == 'b')", "never"),
        ("!has(this.note) || size(this.note) > 5 && size(this.note) < 3", "part never"),
        ("this.tags.all(tag, tag == 'a' && tag == 'b')", "part never"),
        ("this.share > 0.5 && this.share < 0.5", "never"),
        ("this.share > 0.5 && this.share <= 0.5", "never"),
    ] {
        assert_eq!(verdict(condition), expected, "{condition}");
    }
}

#[test]
fn bounds_beyond_what_is_declared_are_found() {
    for (condition, expected) in [
        ("this.few > 20", "never"),
        ("this.few > 10", "never"),
        ("this.few == 11", "never"),
        ("this.few <= 10", "holds"),
        ("this.few != 0", "holds"),
        ("this.count < 0u", "never"),
        ("this.any > 10 || this.few > 20", "part never"),
        ("size(this.code) > 5", "never"),
        ("size(this.tags) > 3", "never"),
        ("size(this.tags) <= 3", "holds"),
        ("this.code == 'abcdef'", "never"),
        ("this.share > 1.0", "never"),
    ] {
        assert_eq!(verdict(condition), expected, "{condition}");
    }
}

/// Conditions that depend on values must not be reported.
#[test]
fn what_depends_on_values_is_not_found() {
    for condition in [
        "this.any > 4 && this.any < 6",
        "this.any >= 4 && this.any <= 4",
        "this.text == 'a' || this.text == 'b'",
        "this.text != 'a' && this.text != 'b'",
        "this.state == 'open' || this.state == 'done'",
        "this.any > 10 && this.few < 5",
        "this.any < 5 || this.any > 10",
        "this.few > 9",
        "this.few < 2 || this.few >= 3",
        "this.some > 20",
        "size(this.code) == 5",
        "this.code == 'abcde'",
        "size(this.text) > 5 && this.any < 3",
        "this.share < 0.5 || this.share > 0.5",
        "this.share < 0.5 || this.share >= 0.5",
        "this.share > 0.5 && this.share < 0.50001",
        "!has(this.note) || this.note == 'a'",
        "this.tags.exists(tag, tag == 'a') && this.tags.exists(tag, tag == 'b')",
        "this.few > this.some && this.few < this.some + 1",
    ] {
        assert_eq!(verdict(condition), "", "{condition}");
    }
}
