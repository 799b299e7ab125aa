//! Digits of the numbers of a JSON document, which the JSON parser rounds to 64 bits.

use wireform_codegen::model::Decimal;

use crate::value::Value;

/// Replaces the numbers of a parsed document that were rounded by those in its text, which have the same order.
pub fn restore(value: &mut Value, text: &str) {
    restore_next(value, &mut Numbers { text, at: 0 });
}

fn restore_next(value: &mut Value, numbers: &mut Numbers<'_>) {
    match value {
        Value::Number(rounded) => {
            if let Some(written) = numbers.next().filter(|written| is_rounded(written, rounded)) {
                written.clone_into(rounded);
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| restore_next(item, numbers)),
        Value::Object(members) => members.iter_mut().for_each(|(_, value)| restore_next(value, numbers)),
        _ => {}
    }
}

/// Returns whether a number differs from its text. A text of 15 digits or fewer without an exponent has no other number.
fn is_rounded(written: &str, rounded: &str) -> bool {
    written != rounded && (written.len() > 15 || written.contains(['e', 'E'])) && {
        let exact = Decimal::parse_json(written);
        exact.is_none() || exact != Decimal::parse_json(rounded)
    }
}

/// Iterator over the numbers of a valid JSON text.
struct Numbers<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Numbers<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if *byte == b'-' || byte.is_ascii_digit() {
                let start = self.at;
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                while bytes.get(self.at).is_some_and(is_part) {
                    self.at += 1;
                }
                return self.text.get(start..self.at);
            }
            let is_string = *byte == b'"';
            self.at += 1;
            while let Some(byte) = bytes.get(self.at).filter(|_| is_string) {
                // An escaped character, such as a quotation mark, is no end.
                self.at += if *byte == b'\\' { 2 } else { 1 };
                if *byte == b'"' {
                    break;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_rounded_get_their_digits_back() {
        let text =
            r#"{"a\"1":[1, -2.50, "3\\"], "b": 12345678901234567890123, "c": {"d": 0.12345678901234567891, "e": 1e3}}"#;
        let mut value: Value = serde_json::from_str(text).expect("JSON");
        restore(&mut value, text);
        let number = |text: &str| Value::Number(text.to_owned());
        assert_eq!(
            value.get("a\"1"),
            Some(&Value::List(vec![number("1"), number("-2.5"), Value::Text("3\\".to_owned())]))
        );
        assert_eq!(value.get("b"), Some(&number("12345678901234567890123")));
        let inner = value.get("c").expect("an object");
        assert_eq!(
            (inner.get("d"), inner.get("e")),
            (Some(&number("0.12345678901234567891")), Some(&number("1000.0")))
        );
    }
}
