//! Path of a position in a JSON text.
//!
//! The text up to the position is scanned for brackets, commas and names only. The scan does not depend on types, so it
//! is compiled once, and decoding costs nothing more as long as it succeeds.

use std::fmt::Write as _;
use std::ops::Range;

/// Maximum number of levels in a path. `serde_json` fails to decode deeper ones, but it skips unknown fields with them.
const MAX_LEVELS: usize = 128;
/// Longer names are truncated, and so is a longer path: both come from the input.
const MAX_NAME_CHARS: usize = 64;
/// Length in bytes after which a path is truncated.
const MAX_PATH_BYTES: usize = 512;

/// Returns the number of bytes up to and including this column (in bytes, from 1) of this line (from 1).
pub(super) fn offset(input: &[u8], line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(newlines) => {
            let newline = input.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(newlines);
            newline.map_or(input.len(), |(at, _)| at + 1)
        }
    };
    start.saturating_add(column).min(input.len())
}

/// Returns the path of the value at the end of the text.
pub(super) fn locate(text: &[u8]) -> String {
    let mut levels = Vec::new();
    // Levels beyond the limit are only counted.
    let mut unnamed = 0_usize;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' if levels.len() == MAX_LEVELS => unnamed += 1,
            b'{' => levels.push(Level::Object { name: None, in_value: false }),
            b'[' => levels.push(Level::List { index: 0 }),
            b'}' | b']' if unnamed > 0 => unnamed -= 1,
            b'}' | b']' => drop(levels.pop()),
            b'"' => {
                at = end_of_string(text, at);
                if unnamed == 0 {
                    levels.last_mut().into_iter().for_each(|level| level.record_string(start..at));
                }
            }
            b',' | b':' if unnamed == 0 => {
                levels.last_mut().into_iter().for_each(|level| level.record_separator(*byte));
            }
            _ => {}
        }
    }
    format_path(text, &levels)
}

/// Open list or object.
enum Level {
    List { index: usize },
    Object { name: Option<Range<usize>>, in_value: bool },
}

impl Level {
    /// Records a string: a name, if this is an object between fields.
    fn record_string(&mut self, range: Range<usize>) {
        if let Self::Object { name, in_value: false } = self {
            *name = Some(range);
        }
    }

    /// Records a comma or a colon.
    fn record_separator(&mut self, byte: u8) {
        match self {
            Self::List { index } => *index += usize::from(byte == b','),
            Self::Object { in_value, .. } => *in_value = byte == b':',
        }
    }
}

/// Returns the end of a string that starts before `at`: after its closing quote, or the end of the text.
fn end_of_string(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Formats the path of the open levels, such as `items[2].name`, truncated if it is long.
fn format_path(text: &[u8], levels: &[Level]) -> String {
    let mut path = String::new();
    for level in levels {
        if path.len() > MAX_PATH_BYTES {
            path.push('…');
            break;
        }
        match level {
            // Writing to a string does not fail.
            Level::List { index } => {
                let _ = write!(path, "[{index}]");
            }
            Level::Object { name: Some(name), in_value: true } => push_name(&mut path, text, name.clone()),
            // Between fields, the error is that of the object itself.
            Level::Object { .. } => break,
        }
    }
    path
}

/// Appends a name, whose JSON string has this range in the text: `.name`, or quoted in brackets if it is unusual.
fn push_name(path: &mut String, text: &[u8], range: Range<usize>) {
    let quoted = text.get(range).unwrap_or_default();
    let name: String = serde_json::from_slice(quoted).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$');
    if !name.is_empty() && name.len() <= MAX_NAME_CHARS && name.chars().all(plain) {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&name);
    } else {
        let cut: String = name.chars().take(MAX_NAME_CHARS).collect();
        let more = if cut.len() < name.len() { "…" } else { "" };
        // As above. The debug form escapes line breaks.
        let _ = write!(path, "[{cut:?}{more}]");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_positions() {
        for (text, path) in [
            ("", ""),
            ("12", ""),
            ("{", ""),
            (r#"{"a""#, ""),
            (r#"{"a":"#, "a"),
            (r#"{"a": 1"#, "a"),
            (r#"{"a": 1,"#, ""),
            (r#"{"a": {"x": [1, 2]}, "b": [[], [{"c": "]}"#, "b[1][0].c"),
            (r#"{"a": {"x": 1}"#, "a"),
            (r#"{"a\"b": ["#, r#"["a\"b"][0]"#),
            (r#"{"\u0061": "#, "a"),
            (r#"{"": "#, r#"[""]"#),
            (r#"{"a": {"b c": "#, r#"a["b c"]"#),
            (r#"{"a": "\\", "b": "\""#, "b"),
            (r#"}}]]{"a":"#, "a"),
            ("{\"a\":\"\\", "a"),
        ] {
            assert_eq!(locate(text.as_bytes()), path, "{text}");
        }
    }

    #[test]
    fn paths_are_bounded() {
        let deep = "[".repeat(100_000);
        assert!(locate(deep.as_bytes()).len() < 600);
        let closed = format!("{{\"a\": {}{}", "[".repeat(1000), "]".repeat(1000));
        assert_eq!(locate(closed.as_bytes()), "a");
        let wide = format!("{{\"{}\": ", "x".repeat(100_000));
        assert!(locate(wide.as_bytes()).len() < 80);
        let odd = "{\"\u{1f600}\": ".repeat(200);
        assert!(locate(odd.as_bytes()).len() < 600);
    }

    #[test]
    fn offsets() {
        let input = b"ab\ncd\n";
        assert_eq!(
            [(1, 0), (1, 2), (2, 0), (2, 1), (3, 0), (9, 9), (0, 0)].map(|(l, c)| offset(input, l, c)),
            [0, 2, 3, 4, 6, 6, 0]
        );
    }
}
