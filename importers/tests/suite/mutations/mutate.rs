//! Changes of documents.

use serde_json::{Map, Value, json};

use super::random::Random;

/// Texts that try to become code, a path, another line, or another kind of value.
const TEXTS: &[&str] = &[
    "",
    " ",
    "../../x",
    "..",
    "/etc/passwd",
    "C:\\x",
    "a/b",
    "\u{202e}txt",
    "r#",
    "r#type",
    "self",
    "Self",
    "_",
    "__",
    "\"#",
    "\"##; fn x() {}",
    "*/",
    "/*",
    "//!",
    "{}",
    "{x}",
    "{+x}",
    "{",
    "}",
    "`",
    "```",
    "\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{1b}[2J",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "- x",
    "? x",
    ": x",
    "# x",
    "&a",
    "*a",
    "!t",
    "<<",
    "null",
    "~",
    "yes",
    "1",
    "-1",
    "1e999",
    "018",
    "99999999999999999999",
    "ß",
    "İ",
    "日本",
    "💥",
    "e\u{301}",
    "type",
    "async",
    "gen",
    "None",
    "String",
    "Vec",
    "Api",
    "crate",
    "CON",
    "any",
    "object",
    "(?<x>",
    "[",
    "^$",
    "\\",
    "(a|a)*b",
    "a{1000}{1000}",
    "#/components/schemas/A",
    "#/",
    "#",
    "https://x/{y}",
    "http://[",
    "*/*",
    "text/plain; charset=\"",
];

/// Collects the pointers to all values of a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                places(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at_, it)| places(it, &format!("{at}/{at_}"), found)),
        _ => {}
    }
}

/// Returns an unexpected value.
fn unexpected_value(document: &Value, all: &[String], random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => {
            random.of(&[&json!(0), &json!(-1), &json!(1e300), &json!(u64::MAX), &json!(0.5), &json!(i64::MIN)]).clone()
        }
        3 => json!([]),
        4 => json!({}),
        5 => json!(random.of(TEXTS)),
        // Another part of the same document, which can contain this one.
        _ => document.pointer(&all[random.below(all.len())]).cloned().unwrap_or_default(),
    }
}

fn rename(members: &mut Map<String, Value>, random: &mut Random) {
    let at = random.below(members.len());
    let renamed = |(index, (key, value)): (usize, (String, Value))| {
        (if index == at { random.of(TEXTS).to_owned() } else { key }, value)
    };
    *members = std::mem::take(members).into_iter().enumerate().map(renamed).collect();
}

/// Returns the document with a few changes.
pub fn mutate(document: &Value, random: &mut Random) -> Value {
    let mut changed = document.clone();
    for _ in 0..=random.below(4) {
        let mut all = Vec::new();
        places(&changed, "", &mut all);
        let (place, with) = (all[random.below(all.len())].clone(), unexpected_value(&changed, &all, random));
        let Some(part) = changed.pointer_mut(&place) else { continue };
        match (random.below(4), part) {
            (0, Value::Object(members)) if !members.is_empty() => rename(members, random),
            (1, Value::Object(members)) => drop(members.insert(random.of(TEXTS).to_owned(), with)),
            (1, Value::Array(items)) => items.push(with),
            (2, Value::String(text)) => text.push_str(random.of(TEXTS)),
            (_, part) => *part = with,
        }
    }
    changed
}
