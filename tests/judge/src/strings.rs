//! Texts of a length, a format or a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value};

use crate::random::Random;
use crate::values::{Amount, size};

/// Longest text.
const MAX_LENGTH: usize = 600;

/// Returns a text for a schema.
pub fn text(all: &Map<String, Value>, bound: Amount, random: &mut Random) -> String {
    let least = size(all, "minLength").unwrap_or(0);
    let most = size(all, "maxLength").unwrap_or(least.max(12)).min(MAX_LENGTH);
    if let Some(text) = all.get("format").and_then(Value::as_str).and_then(|format| of_format(format, random)) {
        return text;
    }
    if let Some(parsed) =
        all.get("pattern").and_then(Value::as_str).and_then(|pattern| regex_syntax::parse(pattern).ok())
    {
        let mut text = String::new();
        of_pattern(&parsed, bound, random, &mut text);
        return text;
    }
    let length = match bound {
        Amount::Least => least,
        Amount::Most => most,
        Amount::Some => (1 + random.below(8)).clamp(least, most.max(least)),
    };
    let letters: Vec<char> = "abcXYZ 019-_/é😀\"\\\n".chars().collect();
    (0..length).map(|_| letters[random.below(letters.len())]).collect()
}

fn of_format(format: &str, random: &mut Random) -> Option<String> {
    let all: &[&str] = match format {
        "date" => &["2024-02-29", "1999-12-31"],
        "date-time" => &[
            "2024-02-29T23:59:59Z",
            "1999-12-31T00:00:00.5Z",
            "2020-06-01T12:00:00+02:00",
            "2020-06-01T12:00:00.123456Z",
        ],
        "time" => &["12:30:00Z", "23:59:59.5Z"],
        "duration" => &["P1D", "PT1H30M"],
        "email" => &["ana@example.com"],
        "hostname" => &["example.com"],
        "ipv4" => &["192.0.2.1"],
        "ipv6" => &["2001:db8::1"],
        "uri" | "url" => &["https://example.com/a?b=c#d", "urn:isbn:0451450523"],
        "uri-reference" => &["/a/b", "https://example.com/"],
        "uuid" => &["123e4567-e89b-42d3-a456-426614174000"],
        "byte" | "base64" => &["", "aGVsbG8=", "AAEC"],
        "json-pointer" => &["/a/b"],
        "regex" => &["^a+$"],
        "int32" | "int64" | "uint64" => &["0", "7"],
        "decimal" => &["1.50", "0"],
        _ => return None,
    };
    Some(random.of(all).to_owned())
}

/// Writes a text that a pattern matches.
fn of_pattern(hir: &Hir, bound: Amount, random: &mut Random, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.push(of_class(class, random)),
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).unwrap_or(0);
            let most = repetition.max.and_then(|max| usize::try_from(max).ok()).unwrap_or(least + 3).min(least + 300);
            let count = match bound {
                Amount::Least => least,
                Amount::Most => most,
                Amount::Some => least + random.below(most - least + 1).min(8),
            };
            (0..count).for_each(|_| of_pattern(&repetition.sub, bound, random, text));
        }
        HirKind::Capture(capture) => of_pattern(&capture.sub, bound, random, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| of_pattern(part, bound, random, text)),
        HirKind::Alternation(parts) => {
            if let Some(part) = parts.get(random.below(parts.len())) {
                of_pattern(part, bound, random, text);
            }
        }
    }
}

/// Returns a character of a class, printable ASCII if there is one.
fn of_class(class: &Class, random: &mut Random) -> char {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
    };
    let contains = |c: &char| ranges.iter().any(|(start, end)| (start..=end).contains(&c));
    let plain: Vec<char> = (' '..='~').filter(contains).collect();
    match plain.get(random.below(plain.len())) {
        Some(c) => *c,
        None => ranges.first().map_or('?', |(start, _)| *start),
    }
}
