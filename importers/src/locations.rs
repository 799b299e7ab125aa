//! Conversion of JSON pointers to lines and columns.

use std::collections::{BTreeMap, HashMap};

use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{self, Node, Value};

/// Line and column, both starting at 1; a column counts characters.
pub type LineColumn = (usize, usize);

/// Returns the locations of the values of pointers (RFC 6901) in a JSON or YAML text. Dangling pointers, and all
/// pointers if the text cannot be parsed, are absent.
#[must_use]
pub fn locate_pointers<'p>(text: &str, pointers: impl IntoIterator<Item = &'p str>) -> BTreeMap<&'p str, LineColumn> {
    let requested: HashMap<&'p str, &'p str> = pointers.into_iter().map(|pointer| (pointer, pointer)).collect();
    let mut offsets: BTreeMap<usize, Vec<&'p str>> = BTreeMap::new();
    let mut see = |pointer: &str, at: usize| {
        if let Some(pointer) = requested.get(pointer) {
            offsets.entry(at).or_default().push(pointer);
        }
    };
    if is_json(text) {
        json(text, &mut see);
    } else if let Some(document) = yaml::parse_document(0, text, usize::MAX, &mut Sink::new()) {
        visit_yaml(&document.root, &mut see);
    }
    let (mut line, mut start, mut seen) = (1, 0, 0);
    let mut found = BTreeMap::new();
    for (at, pointers) in offsets {
        let between = text.get(seen..at).unwrap_or_default();
        line += between.matches('\n').count();
        start = between.rfind('\n').map_or(start, |last| seen + last + 1);
        seen = at;
        let column = text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
        found.extend(pointers.into_iter().map(|pointer| (pointer, (line, column))));
    }
    found
}

/// Returns the line and column of a byte offset.
pub(crate) fn line_and_column(text: &str, at: usize) -> LineColumn {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// Returns whether a document starts like JSON, with a brace or a bracket, as do collections of YAML in flow style.
pub(crate) fn starts_like_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
}

/// Returns whether a document is JSON.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    starts_like_json(text) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Returns the pointer segment of a key. Unprintable characters are escaped.
pub(crate) fn pointer_segment(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1").escape_debug().collect()
}

/// Calls `see` with the JSON pointer and the byte offset of every node below and including `root`.
fn visit_yaml<'n>(root: &'n Node, see: &mut impl FnMut(&str, usize)) {
    let mut open: Vec<(String, &'n Node)> = vec![(String::new(), root)];
    while let Some((pointer, node)) = open.pop() {
        see(&pointer, node.span.start as usize);
        match &node.value {
            Value::Scalar(..) => {}
            Value::List(items) => {
                open.extend(items.iter().enumerate().map(|(index, item)| (format!("{pointer}/{index}"), item)));
            }
            Value::Map(entries) => {
                open.extend(
                    entries.iter().map(|entry| (format!("{pointer}/{}", pointer_segment(&entry.key)), &entry.value)),
                );
            }
        }
    }
}

/// Container of a value.
enum Container {
    /// List with the index of the element.
    List(usize),
    /// Object whose key was read, or comes next.
    Object,
}

/// Walks a valid JSON text.
fn json(text: &str, see: &mut impl FnMut(&str, usize)) {
    let mut walk = Walk::default();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at = walk.step(text, *byte, at, see);
    }
}

/// State of a walk through a JSON text.
#[derive(Default)]
struct Walk {
    /// Containers of the value, each with the length of its pointer.
    around: Vec<(Container, usize)>,
    pointer: String,
    is_key: bool,
}

impl Walk {
    /// Processes the token that starts with a byte, and returns its end.
    fn step(&mut self, text: &str, byte: u8, start: usize, see: &mut impl FnMut(&str, usize)) -> usize {
        match byte {
            b'"' => return self.string(text, start, see),
            b'{' | b'[' => {
                see(&self.pointer, start);
                let is_object = byte == b'{';
                let kind = if is_object { Container::Object } else { Container::List(0) };
                self.around.push((kind, self.pointer.len()));
                self.pointer.push_str(if is_object { "" } else { "/0" });
                self.is_key = is_object;
            }
            b'}' | b']' => {
                if let Some((_, length)) = self.around.pop() {
                    self.pointer.truncate(length);
                }
            }
            b':' => self.is_key = false,
            b',' => self.next(),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                // A byte order mark precedes the first value.
                if byte != 0xef {
                    see(&self.pointer, start);
                }
                // A number, `true`, `false` or `null`.
                let rest = text.as_bytes().get(start + 1..).unwrap_or_default();
                let length = rest.iter().position(|byte| b",]} \t\r\n".contains(byte)).unwrap_or(rest.len());
                return start + 1 + length;
            }
        }
        start + 1
    }

    /// Reads a string, which extends the pointer if it is a key; returns the offset of its end.
    fn string(&mut self, text: &str, start: usize, see: &mut impl FnMut(&str, usize)) -> usize {
        let end = end_of_string(text.as_bytes(), start + 1);
        if self.is_key {
            let key: String = serde_json::from_str(text.get(start..end).unwrap_or_default()).unwrap_or_default();
            self.pointer.push('/');
            self.pointer.push_str(&pointer_segment(&key));
        } else {
            see(&self.pointer, start);
        }
        end
    }

    /// Advances to the next member or element.
    fn next(&mut self) {
        let Some((kind, length)) = self.around.last_mut() else { return };
        self.pointer.truncate(*length);
        self.is_key = matches!(kind, Container::Object);
        if let Container::List(index) = kind {
            *index += 1;
            self.pointer.push_str(&format!("/{index}"));
        }
    }
}

/// Returns the offset after the closing quote of the JSON string whose content starts at `at`, or the end of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'\\' => 2,
            b'"' => return at + 1,
            _ => 1,
        };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::locate_pointers;

    #[test]
    fn pointers_have_lines_and_columns() {
        let json = "{\"a\\u002fb\": [1, {\"~\": \"é\", \"x\": true}],\n  \"é\": {\"c\": -1.5}, \"d\": []}\n";
        let yaml = "a/b:\n- 1\n- ~: é\n  x: true\né: {c: -1.5}\nd: []\n";
        let pointers = ["", "/a~1b", "/a~1b/1", "/a~1b/1/~0", "/a~1b/1/x", "/é/c", "/d", "/d/0", "/none"];
        let found = locate_pointers(json, pointers);
        let lines: Vec<_> = pointers.iter().map(|pointer| found.get(pointer).copied()).collect();
        let expected = [(1, 1), (1, 14), (1, 18), (1, 24), (1, 34), (2, 14), (2, 26)].map(Some);
        assert_eq!(lines, [expected.as_slice(), &[None, None]].concat());
        let found = locate_pointers(yaml, pointers);
        let lines: Vec<_> = pointers.iter().map(|pointer| found.get(pointer).copied()).collect();
        let expected = [(1, 1), (2, 3), (3, 3), (3, 6), (4, 6), (5, 8), (6, 4)].map(Some);
        assert_eq!(lines, [expected.as_slice(), &[None, None]].concat());
    }

    #[test]
    fn collections_in_flow_style_have_lines_and_columns() {
        let found = locate_pointers("{a: 1,\n b: [c,\n  {d: 2}]}", ["/a", "/b/1/d"]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("/a", (1, 5)), ("/b/1/d", (3, 7))]);
    }

    #[test]
    fn aliased_values_are_located_at_their_source() {
        let yaml = "a: &x\n  b: {c: 1}\nd: *x\ne:\n  <<: *x\n  f: 2\n";
        let found = locate_pointers(yaml, ["/d", "/d/b/c", "/e", "/e/b", "/e/f"]);
        let expected = [("/d", (3, 4)), ("/d/b/c", (2, 10)), ("/e", (5, 3)), ("/e/b", (2, 6)), ("/e/f", (6, 6))];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn invalid_text_has_no_locations() {
        for text in ["", "{\"", "[1, ", "a: [", "\u{feff}{\"a\": 1", "{\"a\\"] {
            assert!(locate_pointers(text, ["/a/b"]).is_empty(), "{text:?}");
        }
    }
}
