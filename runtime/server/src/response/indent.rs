//! Indentation of compact JSON. Numbers and strings are kept byte by byte.

/// Maximum ratio of the indented size to the compact one. Nested lists would be hundreds of times as long; ordinary
/// resources are twice as long.
const MAX_RATIO: usize = 8;

/// Writes each field and each element on a line of its own, with two spaces for each level. A text that would become
/// more than eight times as long is returned unchanged.
pub fn indent(compact: Vec<u8>) -> Vec<u8> {
    let most = compact.len().saturating_mul(MAX_RATIO);
    let mut writer = Writer { text: Vec::with_capacity(compact.len() * 2), depth: 0 };
    let mut rest = compact.as_slice();
    while let [first, after @ ..] = rest {
        rest = match first {
            b'"' => {
                let (quoted, after) = rest.split_at(string_length(rest));
                writer.text.extend_from_slice(quoted);
                after
            }
            b'{' | b'[' => writer.open(*first, after),
            b'}' | b']' => {
                writer.depth = writer.depth.saturating_sub(1);
                writer.new_line();
                writer.text.push(*first);
                after
            }
            b',' => {
                writer.text.push(b',');
                writer.new_line();
                after
            }
            b':' => {
                writer.text.extend_from_slice(b": ");
                after
            }
            other => {
                writer.text.push(*other);
                after
            }
        };
        if writer.text.len() > most {
            return compact;
        }
    }
    writer.text.push(b'\n');
    writer.text
}

/// Indented text so far, and the current nesting depth.
struct Writer {
    text: Vec<u8>,
    depth: usize,
}

impl Writer {
    /// Starts a line with two spaces per level.
    fn new_line(&mut self) {
        self.text.push(b'\n');
        self.text.resize(self.text.len() + 2 * self.depth, b' ');
    }

    /// Opens an object or a list, and closes it at once if it is empty.
    fn open<'t>(&mut self, open: u8, after: &'t [u8]) -> &'t [u8] {
        self.text.push(open);
        match after {
            [close @ (b'}' | b']'), after @ ..] => {
                self.text.push(*close);
                after
            }
            _ => {
                self.depth += 1;
                self.new_line();
                after
            }
        }
    }
}

/// Returns the length of the string that starts here, with its quotes.
fn string_length(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().skip(1).position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => *byte == b'"',
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn text(compact: &str) -> String {
        String::from_utf8(indent(compact.into())).unwrap()
    }

    #[test]
    fn members_have_lines_of_their_own() {
        assert_eq!(text(r#"{"a":[],"b":{}}"#), "{\n  \"a\": [],\n  \"b\": {}\n}\n");
        assert_eq!(text(r#"[{"x":1.50,"y":"a,:{}[]\\\"b\\"}]"#), {
            "[\n  {\n    \"x\": 1.50,\n    \"y\": \"a,:{}[]\\\\\\\"b\\\\\"\n  }\n]\n"
        });
        assert_eq!(text("18446744073709551616"), "18446744073709551616\n");
    }

    #[test]
    fn indented_size_is_limited() {
        let deep = format!("{}{}1{}", "[".repeat(100), "1,".repeat(10_000), "]".repeat(100));
        assert_eq!(text(&deep), deep);
        let broken = "\"abc\\";
        assert_eq!(text(broken), format!("{broken}\n"));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn output_equals_that_of_serde_json(value in values()) {
            let compact = serde_json::to_vec(&value).unwrap();
            let pretty = serde_json::to_string_pretty(&value).unwrap() + "\n";
            let indented = String::from_utf8(indent(compact.clone())).unwrap();
            prop_assert!(indented == pretty || (pretty.len() > compact.len() * MAX_RATIO && indented.as_bytes() == compact));
        }
    }
}
