//! Written schemas are parsed with the same result by the schema reader and by another YAML parser.

use serde_yaml::Value as Serde;
use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema;
use wireform_codegen::schema::text::format_file;
use wireform_codegen::schema::write::Write as _;
use wireform_codegen::schema::yaml::{self, Entry, Node, Style, Value};
use wireform_codegen::{Source, load};

use crate::inputs::{self, schema_folders};

/// Parses a text with the schema reader, without spans.
fn read(text: &str) -> Node {
    let mut sink = Sink::new();
    let node = yaml::parse(0, text, &mut sink);
    without_spans(&node.unwrap_or_else(|| panic!("{:?}\n{text}", sink.into_sorted())))
}

fn without_spans(node: &Node) -> Node {
    Node::from(match &node.value {
        Value::List(items) => Value::List(items.iter().map(without_spans).collect()),
        Value::Map(entries) => Value::Map(
            entries.iter().map(|entry| Entry::new(entry.key.as_str(), without_spans(&entry.value))).collect::<Vec<_>>(),
        ),
        scalar @ Value::Scalar(..) => scalar.clone(),
    })
}

/// Returns the node with all scalars as strings, since only the key determines the type of an unquoted one.
fn texts(node: &Node) -> Node {
    Node::from(match &node.value {
        Value::List(items) => Value::List(items.iter().map(texts).collect()),
        Value::Map(entries) => {
            Value::Map(entries.iter().map(|entry| Entry::new(entry.key.as_str(), texts(&entry.value))).collect())
        }
        Value::Scalar(text, _) => Value::Scalar(text.clone(), Style::Text),
    })
}

/// Returns the expected result of the other parser: quoted scalars are strings, and no others.
fn serde(node: &Node) -> Serde {
    match &node.value {
        Value::Scalar(text, Style::Text) => Serde::from(text.as_str()),
        Value::Scalar(text, Style::Plain) => serde_yaml::from_str(text).expect("a scalar"),
        Value::List(items) => Serde::Sequence(items.iter().map(serde).collect()),
        Value::Map(entries) => {
            Serde::Mapping(entries.iter().map(|entry| (Serde::from(entry.key.as_str()), serde(&entry.value))).collect())
        }
    }
}

/// Writes a node, and checks that both parsers return it.
fn check(whole: &Node) -> String {
    let text = format_file(whole);
    assert_eq!(texts(&read(&text)), texts(whole), "{text}");
    let back: Serde = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, serde(whole), "{text}");
    text
}

#[test]
fn short_values_are_inline_and_prose_is_folded() {
    let written = read(
        r#"{"api": "notes-v1", "doc": "Keeps notes: all of them.", "endpoints": {"east": {"url": "https://e.example.com"}},
        "resources": {"Note": {"doc": "A note that somebody wrote down, which is kept for as long as anybody wants to read it, and then for another year: nobody knows.",
        "fields": {"text": {"type": ["string"], "pattern": "\\d+ \"", "default": "on", "max": 7, "required": {"in": ["notes.put"]}}}}}}"#,
    );
    let expected = r#"api: notes-v1
doc: "Keeps notes: all of them."
endpoints:
  east: { url: https://e.example.com }
resources:
  Note:
    doc: >-
      A note that somebody wrote down, which is kept for as long as anybody wants to read it, and then for another year:
      nobody knows.
    fields:
      text: { type: [string], pattern: '\d+ "', default: "on", max: 7, required: { in: [notes.put] } }
"#;
    assert_eq!(format_file(&written), expected);
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 40] = [
            "a", "B", "0", "7", " ", "  ", ": ", ":", " #", "#", "-", "- ", "? ", ", ", "[", "]", "{", "}", "'", "\"",
            "\\", "&", "*", "!", "|", ">", "%", "@", "`", "\n", "\t", "\r", "\u{0}", "\u{85}", "\u{2028}", "\u{feff}",
            "é", "word ", "on", "null",
        ];
        let length = if self.roll(8) == 0 { 200 } else { self.roll(6) };
        (0..length).map(|_| PIECES[self.roll(PIECES.len())]).collect()
    }

    fn value(&mut self, depth: usize) -> Node {
        match self.roll(if depth == 0 { 4 } else { 6 }) {
            0 => Node::plain((i64::try_from(self.roll(1000)).unwrap_or_default() - 500).to_string()),
            1 => Node::plain(["true", "false", "null"][self.roll(3)]),
            2 | 3 => Node::quoted(self.text()),
            4 => Node::list((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
            _ => self.mapping(depth - 1),
        }
    }

    fn mapping(&mut self, depth: usize) -> Node {
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..self.roll(4) + 1 {
            let entry = Entry::new(self.text(), self.value(depth));
            if entries.iter().all(|other| other.key != entry.key) {
                entries.push(entry);
            }
        }
        Node::map(entries)
    }
}

#[test]
fn written_values_are_read_back() {
    let mut dice = Dice(7);
    for _ in 0..3000 {
        let depth = dice.roll(5);
        let Value::Map(mut entries) = dice.mapping(depth).value else { continue };
        entries.push(Entry::new("resources", dice.mapping(depth)));
        check(&Node::map(entries));
    }
}

#[test]
fn long_keys_are_read_back() {
    let whole = Node::map(vec![Entry::new("k".repeat(100_000), Node::plain("1"))]);
    for whole in [whole.clone(), Node::map(vec![Entry::new("a", whole)])] {
        // The schema reader rejects keys of this length.
        let back: Serde = serde_yaml::from_str(&format_file(&whole)).expect("YAML");
        assert_eq!(back, serde(&whole));
    }
}

/// Returns the contents of a schema, without spans and the order of its sections.
fn meant(sources: &[Source]) -> String {
    let mut api = load(sources).unwrap_or_else(|output| panic!("{:#?}", output.diagnostics));
    api.modules.clear();
    let text = format!("{api:?}");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect::<String>()
}

#[test]
fn schemas_round_trip() {
    let all: Vec<Vec<Source>> = schema_folders().iter().map(|folder| inputs::schema(folder)).collect();
    assert!(all.len() > 30, "{}", all.len());
    for sources in all {
        let rewritten = sources.iter().map(|source| {
            let files = schema::read_files(std::slice::from_ref(source), &mut Sink::new());
            let [whole] = files.as_slice() else { panic!("{} cannot be read", source.path) };
            let text = check(&whole.write());
            Source::new(&source.path, text)
        });
        let rewritten: Vec<Source> = rewritten.collect();
        assert_eq!(meant(&rewritten), meant(&sources), "{}", sources[0].path);
    }
}
