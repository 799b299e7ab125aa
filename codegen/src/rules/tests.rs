mod cross_check;
mod internal;
mod parse;
mod ranges;
mod recovery;
mod requests;

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
fn mistakes_at(place: &str, condition: &str, operations: &str) -> Vec<(String, String, String)> {
    let text = schema(place, condition, operations);
    let Err(output) = load(&[Source::new("api.yaml", text.as_str())]) else { return Vec::new() };
    let part = |one: &crate::Diagnostic| text[one.span.start as usize..one.span.end as usize].replace("''", "'");
    // The other conditions are always true.
    let told =
        output.diagnostics.iter().filter(|one| (one.code, part(one).as_str()) != (Code::ConstantCondition, "true"));
    told.map(|one| (one.code.text().to_owned(), part(one), one.message.clone())).collect()
}

fn mistakes(condition: &str) -> Vec<(String, String, String)> {
    mistakes_at("CONDITION", condition, "[]")
}

#[test]
fn what_is_well_typed() {
    for condition in [
        "true",
        "has(this.note) && this.note.startsWith('a')",
        "!has(this.note) || this.note.size() > 1",
        "has(this.note) ? this.note != '' : this.done",
        "!(has(this.note) && has(this.count)) || this.count > size(this.note)",
        "!(!has(this.note) || this.note == '')",
        "this.id == 'x' && this.done",
        "this.state == 'open' || this.state in ['done', 'closed'] || this.state == State.open",
        "!has(this.other) || this.other == this.state",
        "!has(this.size) || this.size > 3 && this.size == 3u && this.size in [1, 2]",
        "!has(this.share) || this.share * 2 > 1 && this.share > 1.5",
        "!has(this.size) || !has(this.count) || this.size > this.count",
        "has(this.part.inner.name) && this.part.inner.name == this.id && this.part.inner.inner == this.part.inner.inner || true"
            .split(" && this.part.inner.inner")
            .next()
            .unwrap(),
        "this.parts.all(p, has(p.inner) && has(p.inner.name) && p.inner.name != '')",
        "this.parts.exists_one(p, has(p.name)) || this.tags.existsOne(t, t == 'a')",
        "this.parts.map(p, has(p.name), p.name).unique() && unique(this.tags)",
        "this.parts.map(p, has(p.name) && has(p.weight), [p.name, p.weight]).unique()",
        "size(this.parts.filter(p, has(p.name))) <= 1",
        "this.tags.map(t, t + 'x') == ['ax'] && this.tags == []",
        "'a' in this.tags && this.tags[0] == 'a' && 'k' in this.labels && this.labels['k'] == this.labels.k",
        "has(this.labels.k) && has(this.object.k) && this.labels.all(k, k != '')",
        "this.anything.all(a, a != null) && (!has(this.any) || this.any == null)",
        "!has(this.start) || (hasOffset(this.start) && this.start > timestamp('2020-01-01T00:00:00Z'))",
        "!has(this.start) || this.start + duration('1h') > this.start - duration('1.5s')",
        "!has(this.start) || this.start - this.start < duration('1h') && this.start.getFullYear('Europe/Zurich') > 2000",
        "!has(this.day) || this.day >= date('2020-02-29') && this.day.getMonth() == 1",
        "!has(this.wait) || this.wait.getSeconds() > 3 && this.wait == duration('3s')",
        "!has(this.data) || size(this.data) > 3 && this.data != b'a'",
        "!has(this.count) || -this.count < 3 - 2 * this.count / 2 % 3",
        "!has(this.count) || int('3') == this.count && double(this.count) > 0.5 && string(this.count) == '3' && uint(3) == 3u",
        "this.id.matches('^[a-z]+$') && matches(this.id, 'a') && this.id.isIp(4) && isIpPrefix(this.id, 6, true)",
        "isNan(1.5) || 1.isInf() || this.id.isHostAndPort(true)",
    ] {
        assert_eq!(mistakes(condition), [], "{condition}");
    }
}

#[test]
fn what_is_not() {
    let told = |code: &str, part: &str, message: &str| (code.to_owned(), part.to_owned(), message.to_owned());
    for (condition, code, part, message) in [
        ("this.nota == ''", "E0227", "nota", "unknown field `nota` of the resource `Item`"),
        ("that.note == ''", "E0227", "that", "unknown name `that`"),
        (
            "params.x == 1",
            "E0227",
            "params",
            "unknown name `params`: the rule belongs to a resource, not to an operation",
        ),
        ("isMail(this.id)", "E0227", "isMail", "unknown function `isMail`"),
        ("this.note == ''", "E0229", "this.note", "the field may be absent here"),
        ("has(this.note) || this.note == ''", "E0229", "this.note", "the field may be absent here"),
        ("this.part.name == ''", "E0229", "this.part", "the field may be absent here"),
        ("has(this.part) && this.part.name == ''", "E0229", "this.part.name", "the field may be absent here"),
        ("this.start > timestamp('2020-01-01T00:00:00Z')", "E0229", "this.start", "the field may be absent here"),
        ("this.id == 1", "E0228", "this.id == 1", "cannot compare a string with an integer"),
        ("this.done == 'true'", "E0228", "this.done == 'true'", "cannot compare a boolean with a string"),
        ("this.id", "E0228", "this.id", "expected a boolean, found a string"),
        ("this.id && true", "E0228", "this.id", "expected a boolean, found a string"),
        ("this.state == 'opn'", "E0230", "'opn'", "unknown value `opn` of the enum `State`"),
        ("this.state in ['open', 'x']", "E0230", "'x'", "unknown value `x` of the enum `State`"),
        (
            "this.state < 'open'",
            "E0228",
            "this.state < 'open'",
            "cannot compare a value of the enum `State` with a string",
        ),
        (
            "this.state > this.state",
            "E0228",
            "this.state > this.state",
            "a value of the enum `State` cannot be ordered",
        ),
        (
            "this.id == null",
            "E0228",
            "this.id == null",
            "a string is never null: use `has()` to check whether it is present",
        ),
        ("this.anything.all(a, a == 'x')", "E0228", "a == 'x'", "cannot compare any JSON value with a string"),
        (
            "this.tags.all(t, u, true)",
            "E0226",
            "this.tags.all(t, u, true)",
            "comprehensions with two variables are not supported",
        ),
        ("{'a': 1} == this", "E0226", "{'a': 1}", "map literals are not supported"),
        ("type(this.id) == this.id", "E0226", "type", "the conversion to a type (`type(x)`) is not supported"),
        ("this.id.lowerAscii() == 'a'", "E0226", "lowerAscii", "the string extension `lowerAscii` is not supported"),
        ("now > timestamp('2020-01-01T00:00:00Z')", "E0226", "now", "the current time (`now`) is not supported"),
        ("math.greatest(1, 2) == 2", "E0226", "math.greatest(1, 2)", "the functions of `math` are not supported"),
        ("this.id.matches(this.id)", "E0226", "this.id", "patterns that are not literals are not supported"),
        ("this.id.matches('(')", "E0208", "'('", "invalid pattern: unclosed group"),
        (
            "timestamp('2020') > timestamp('2020-01-01T00:00:00Z')",
            "E0230",
            "timestamp('2020')",
            "`2020` is not a timestamp",
        ),
        ("has(this)", "E0228", "this", "`has()` expects a field: `has(this.title)`"),
        ("size(3) == 1", "E0228", "size(3)", "`size` cannot be called with an integer"),
        ("this.id.startsWith()", "E0228", "this.id.startsWith()", "`startsWith` cannot be called with a string"),
        ("this.tags + ['a'] == []", "E0226", "this.tags + ['a']", "concatenations of lists are not supported"),
        ("this.id + 1 == ''", "E0228", "this.id + 1", "cannot apply `+` to a string and an integer"),
        ("[1, 'a'] == []", "E0228", "'a'", "expected an integer like the first element of the list, found a string"),
        (
            "true ? 1 == 1 : 'x'",
            "E0228",
            "true ? 1 == 1 : 'x'",
            "the values of the conditional have different types: a boolean and a string",
        ),
        ("isIp(this.id, 5)", "E0230", "isIp(this.id, 5)", "unknown IP version 5"),
        ("a ||", "E0225", "", "unexpected end of the condition"),
        ("this.id == 'x", "E0225", "'x", "unterminated string"),
        ("Item{id: 'a'} == this", "E0226", "Item{id: 'a'}", "message literals are not supported"),
    ] {
        assert_eq!(mistakes(condition), [told(code, part, message)], "{condition}");
    }
}

#[test]
fn every_mistake_is_told() {
    let found = mistakes("this.nota == '' && (this.id == 1 || this.note == '') && foo(this.bar)");
    let parts: Vec<&str> = found.iter().map(|(_, part, _)| part.as_str()).collect();
    assert_eq!(parts, ["nota", "this.id == 1", "this.note", "foo", "bar"]);
}

#[test]
fn required_where_the_rule_holds() {
    let condition = "this.start > timestamp('2020-01-01T00:00:00Z')";
    assert_eq!(mistakes_at("CONDITION", condition, "[items.create]"), []);
    assert_eq!(mistakes_at("CONDITION", condition, "[items.create, items.patch]").len(), 1);
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
        let at = text.find(&condition.replace('\'', "''")).expect("it stands there");
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
        let sources = crate::with_includes(sources, included).expect("what is included can be read");
        let output = crate::generate(&sources, &crate::Options::default());
        let told: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
        assert!(told.is_empty(), "{}", told.join("\n\n"));
    }
}
