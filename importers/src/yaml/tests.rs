#![allow(clippy::expect_used)] // a test that fails says so by panicking

use serde_yaml::{Mapping, Value};
use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml;

use super::file;

fn value(text: &str) -> Mapping {
    serde_yaml::from_str(text).expect("a mapping")
}

#[test]
fn what_fits_stands_on_one_line_and_prose_is_folded() {
    let written = value(
        r#"{"api": "notes-v1", "doc": "Keeps notes: all of them.", "endpoints": {"east": {"url": "https://e.example.com"}},
        "resources": {"Note": {"doc": "A note that somebody wrote down, which is kept for as long as anybody wants to read it, and then for another year: nobody knows.",
        "fields": {"text": {"type": ["string"], "pattern": "\\d+ \"", "default": "on", "required": {"in": ["notes.put"]}}}}}}"#,
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
      text: { type: [string], pattern: '\d+ "', default: "on", required: { in: [notes.put] } }
"#;
    assert_eq!(file(&written), expected);
}

/// Numbers that look like chance and are the same in every run.
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

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth == 0 { 3 } else { 5 }) {
            0 => Value::from(i64::try_from(self.roll(1000)).unwrap_or_default() - 500),
            1 | 2 => Value::String(self.text()),
            3 => Value::Sequence((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
            _ => Value::Mapping(self.mapping(depth - 1)),
        }
    }

    fn mapping(&mut self, depth: usize) -> Mapping {
        (0..self.roll(4) + 1).map(|_| (Value::String(self.text()), self.value(depth))).collect()
    }
}

/// What the reader of schemas reads, with every scalar as its text.
fn plain(node: &yaml::Node) -> Value {
    match &node.value {
        yaml::Value::Scalar(text, _) => Value::String(text.clone()),
        yaml::Value::List(items) => Value::Sequence(items.iter().map(plain).collect()),
        yaml::Value::Map(entries) => entries
            .iter()
            .map(|entry| (Value::String(entry.key.clone()), plain(&entry.value)))
            .collect::<Mapping>()
            .into(),
    }
}

fn texts(value: &Value) -> Value {
    match value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(texts).collect()),
        Value::Mapping(inner) => {
            inner.iter().map(|(key, value)| (key.clone(), texts(value))).collect::<Mapping>().into()
        }
        Value::Number(number) => Value::String(number.to_string()),
        other => other.clone(),
    }
}

#[test]
fn whatever_is_written_is_read_back() {
    let mut dice = Dice(7);
    for _ in 0..3000 {
        let depth = dice.roll(5);
        let mut whole = dice.mapping(depth);
        whole.insert(Value::from("resources"), Value::Mapping(dice.mapping(depth)));
        let text = file(&whole);
        let back: Mapping = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(back, whole, "{text}");
        let mut sink = Sink::new();
        let read = yaml::parse(0, &text, &mut sink);
        let read = read.unwrap_or_else(|| panic!("{:?}\n{text}", sink.into_sorted()));
        assert_eq!(plain(&read), texts(&Value::Mapping(whole)), "{text}");
    }
}

#[test]
fn a_key_of_any_length_is_a_key() {
    let long = "k".repeat(100_000);
    let whole: Mapping = [(Value::String(long.clone()), Value::from(1))].into_iter().collect();
    for whole in [whole.clone(), [(Value::from("a"), Value::Mapping(whole))].into_iter().collect()] {
        assert_eq!(value(&file(&whole)), whole);
    }
}
