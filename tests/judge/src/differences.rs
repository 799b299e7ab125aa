//! Differences between the generated types and the oracle, by kind.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Number, Value};
use wireform_importers::Loss;

use crate::Direction;
use crate::document::Document;
use crate::driver::Outcome;
use crate::oracle::Fault;

/// Value of a schema with its verdict.
pub struct Case<'d> {
    pub document: &'d Document,
    pub losses: &'d [Loss],
    pub index: usize,
    pub schema: &'d str,
    pub direction: Direction,
    pub value: Value,
    /// What makes the value invalid; `None` if it is valid.
    pub fault: Option<Fault>,
}

impl Case<'_> {
    /// Returns the line that the program reads.
    pub fn line(&self) -> String {
        let direction = if self.direction == Direction::Request { "request" } else { "response" };
        format!("{}\t{}\t{direction}\t{}", self.document.api, self.index, self.value)
    }

    /// Returns whether the import has reported a loss of the violated keyword, at its schema or around that.
    fn is_lost(&self, fault: &Fault) -> bool {
        // The oracle knows alternatives by one name.
        let losses: Vec<String> = self.losses.iter().map(|loss| loss.at.replace("/oneOf", "/anyOf") + "/").collect();
        fault.pointers.iter().any(|pointer| {
            let (schema, keyword) = (format!("{pointer}/"), format!("{pointer}/{}/", fault.keyword));
            losses.iter().any(|loss| loss != "/" && schema.starts_with(loss.as_str()) || loss.starts_with(&keyword))
        })
    }
}

/// Document and what is different.
type Kind = (String, String);

/// Differences by kind.
#[derive(Default)]
pub struct Differences {
    kinds: BTreeMap<Kind, Vec<String>>,
    /// Number of valid and of invalid values.
    counts: [usize; 2],
    /// Number of invalid values whose constraint is a reported loss.
    lost: usize,
}

impl Differences {
    /// Records a document that is not judged.
    pub fn add_document(&mut self, document: &str, problem: &str) {
        self.add(document, general(problem), problem.to_owned());
    }

    fn add(&mut self, document: &str, kind: String, example: String) {
        self.kinds.entry((document.to_owned(), kind)).or_default().push(example);
    }

    /// Compares what happened to a value with what was expected.
    pub fn compare(&mut self, case: &Case<'_>, outcome: &Outcome) {
        self.counts[usize::from(case.fault.is_some())] += 1;
        let (kind, happened) = match (&case.fault, outcome) {
            (None, Outcome::Refused(message)) => (format!("valid: {}", general(message)), message.clone()),
            (None, Outcome::Written(text)) => match changed(&case.value, text) {
                Some(change) => (format!("valid: {change}"), text.clone()),
                None => return,
            },
            (Some(_), Outcome::Refused(message)) if message != "panics" => return,
            (Some(_), Outcome::Refused(message)) => ("invalid: panics".to_owned(), message.clone()),
            (Some(fault), Outcome::Written(_)) if case.is_lost(fault) => {
                self.lost += 1;
                return;
            }
            (Some(fault), Outcome::Written(text)) => {
                let last = fault.pointers.last().cloned().unwrap_or_default();
                (
                    format!("invalid: `{}` is accepted", fault.keyword),
                    format!("{text} (violates {last}/{})", fault.keyword),
                )
            }
        };
        let direction = if case.direction == Direction::Request { "request" } else { "response" };
        let value = case.value.to_string();
        let example =
            format!("#{} ({direction})\n    sent:     {}\n    happened: {}", case.schema, cut(&value), cut(&happened));
        self.add(&case.document.name, kind, example);
    }

    /// Formats the differences, the most frequent kinds first.
    pub fn render(&self, all: bool) -> String {
        let mut text = String::new();
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|(_, examples)| std::cmp::Reverse(examples.len()));
        for ((document, kind), examples) in kinds {
            let _ = writeln!(text, "\n{} × {document}: {kind}", examples.len());
            // The shortest example is the simplest.
            let mut sorted: Vec<&String> = examples.iter().collect();
            sorted.sort_by_key(|example| example.len());
            for example in sorted.iter().take(if all { usize::MAX } else { 1 }) {
                let _ = writeln!(text, "  {example}");
            }
        }
        let [valid, invalid] = self.counts;
        let differences: usize = self.kinds.values().map(Vec::len).sum();
        let _ = writeln!(
            text,
            "\n{valid} valid values and {invalid} invalid ones, {} of them of reported losses: {differences} differences of {} kinds",
            self.lost,
            self.kinds.len()
        );
        text
    }

    /// Compares the kinds with the reasons; returns false if a kind has no reason, or a reason has no kind.
    ///
    /// A reason without a kind is obsolete only if the values are those of a known seed.
    pub fn check_reasons(&self, file: Option<&Path>, is_fixed: bool) -> anyhow::Result<bool> {
        let text = file.map(fs_err::read_to_string).transpose()?.unwrap_or_default();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let reasons: Vec<&str> = lines.filter_map(|line| Some(line.split_once(" | ")?.0)).collect();
        let fits = |reason: &str, (document, kind): &Kind| {
            reason
                .strip_suffix(kind.as_str())
                .and_then(|start| start.strip_suffix(": "))
                .is_some_and(|of| of == "*" || of == document)
        };
        let mut is_fine = true;
        for kind in self.kinds.keys().filter(|kind| !reasons.iter().any(|reason| fits(reason, kind))) {
            println!("without a reason: {}: {}", kind.0, kind.1);
            is_fine = false;
        }
        let is_obsolete = |reason: &&&str| is_fixed && !self.kinds.keys().any(|kind| fits(reason, kind));
        for reason in reasons.iter().filter(is_obsolete) {
            println!("obsolete reason: {reason}");
            is_fine = false;
        }
        Ok(is_fine)
    }
}

/// Returns a message without its paths, names, values and numbers.
fn general(message: &str) -> String {
    let first = message.split("; ").next().unwrap_or_default();
    let text = match first.strip_prefix("violates: ").and_then(|rest| rest.split_once(": ")) {
        Some((_, rest)) => format!("violates: {}", rest.find(") ").map_or(rest, |end| &rest[..=end])),
        None => first.split(" at line ").next().unwrap_or_default().to_owned(),
    };
    // The path in front of an error of decoding.
    let text = match (text.strip_prefix("cannot be decoded: "), text.find("invalid ")) {
        (Some(_), Some(at)) => format!("cannot be decoded: {}", &text[at..]),
        _ => text,
    };
    let quoted = match (text.find('"'), text.rfind('"')) {
        (Some(start), Some(end)) if start < end => format!("{}\"…{}", &text[..start], &text[end..]),
        _ => text,
    };
    let words: String = quoted.split('`').step_by(2).collect::<Vec<_>>().join("`…`");
    words
        .split(|c: char| c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("0")
        .chars()
        .take(120)
        .collect()
}

fn cut(text: &str) -> String {
    let cut: String = text.chars().take(300).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// Returns how the written JSON differs from a value.
fn changed(value: &Value, text: &str) -> Option<String> {
    let Ok(written) = serde_json::from_str::<Value>(text) else { return Some("written as invalid JSON".to_owned()) };
    difference(value, &written)
}

/// Returns the first difference of two values.
fn difference(sent: &Value, written: &Value) -> Option<String> {
    let name = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    match (sent, written) {
        (Value::Object(sent), Value::Object(written)) => {
            for (key, value) in sent {
                let Some(other) = written.get(key) else {
                    return Some(format!("a member is lost that is {}", name(value)));
                };
                if let Some(found) = difference(value, other) {
                    return Some(found);
                }
            }
            written
                .iter()
                .find(|(key, _)| !sent.contains_key(*key))
                .map(|(_, value)| format!("a member is added that is {}", name(value)))
        }
        (Value::Array(sent), Value::Array(written)) if sent.len() == written.len() => {
            sent.iter().zip(written).find_map(|(sent, written)| difference(sent, written))
        }
        _ if sent == written => None,
        (Value::Number(sent), Value::Number(written)) if is_same_number(sent, written) => {
            Some("a number is written in another form".to_owned())
        }
        _ if name(sent) == name(written) => Some(format!("{} is written as another one", name(sent))),
        _ => Some(format!("{} is written as {}", name(sent), name(written))),
    }
}

/// Returns whether two numbers have the same value. Integers that are not distinguished as floats differ.
fn is_same_number(one: &Number, other: &Number) -> bool {
    let whole = |number: &Number| {
        // Every float without a fraction below this limit is an integer of this size.
        let float = || number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e30);
        number.as_i128().or_else(|| float().map(|float| float as i128))
    };
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_value_is_a_difference() {
        let table = [
            (r#"{"a":[1,null]}"#, r#"{ "a": [1, null] }"#, None),
            ("5", "5.0", Some("a number is written in another form")),
            ("9007199254740993", "9007199254740992.0", Some("a number is written as another one")),
            (r#"{"a":null}"#, "{}", Some("a member is lost that is null")),
            ("{}", r#"{"a":"b"}"#, Some("a member is added that is a text")),
            ("[1]", "[1,2]", Some("a list is written as another one")),
            ("1", "null", Some("a number is written as null")),
            ("1", "", Some("written as invalid JSON")),
        ];
        for (sent, written, expected) in table {
            let sent = serde_json::from_str(sent).expect("JSON");
            assert_eq!(changed(&sent, written).as_deref(), expected);
        }
    }

    #[test]
    fn differences_and_reasons_must_agree() {
        let file = std::env::temp_dir().join(format!("wireform-judge-{}.txt", std::process::id()));
        let mut differences = Differences::default();
        differences.add("a.json", "valid: violates: is required".to_owned(), String::new());
        let table = [
            ("", [false, false]),
            ("# comment\na.json: valid: violates: is required | why\n", [true, true]),
            ("*: valid: violates: is required | why\n", [true, true]),
            ("b.json: valid: violates: is required | why\n", [false, false]),
            ("*: valid: violates: is required | why\n*: gone | why\n", [false, true]),
        ];
        for (reasons, expected) in table {
            fs_err::write(&file, reasons).expect("a file");
            let checked =
                [true, false].map(|is_fixed| differences.check_reasons(Some(&file), is_fixed).expect("a file"));
            assert_eq!(checked, expected, "{reasons}");
        }
        fs_err::remove_file(&file).expect("the file");
    }

    #[test]
    fn kinds_do_not_depend_on_values() {
        for (message, kind) in [
            (
                "cannot be decoded: [3].id: invalid value: integer `70000`, expected a 16-bit integer at line 1 column 4",
                "cannot be decoded: invalid value: integer `…`, expected a 0-bit integer",
            ),
            (
                "cannot be decoded: invalid type: string \"a \\\" 1\", expected a boolean at line 1 column 4",
                "cannot be decoded: invalid type: string \"…\", expected a boolean",
            ),
            (
                "violates: a.b[0]: is required (required) a.c: is required (required)",
                "violates: is required (required)",
            ),
        ] {
            assert_eq!(general(message), kind);
        }
    }
}
