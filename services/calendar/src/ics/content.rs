//! Content lines: folds, parameters and escapes (RFC 5545, section 3.1; RFC 6868).

mod writer;

use std::borrow::Cow;

pub(crate) use self::writer::Writer;
use super::MAX_LINE_BYTES;

/// Content line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Property {
    /// Name in upper case.
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Raw value.
    pub(crate) value: String,
    /// Line number, starting at 1.
    pub(crate) line: usize,
}

/// Parameter of a content line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Name in upper case.
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// Unfolded line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: String,
    /// Reason why the text differs from the file.
    pub(crate) error: Option<&'static str>,
}

/// Converts a file to UTF-8: removes a byte order mark, and decodes UTF-16 if the mark indicates it.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).skip(1).map(|pair| unit([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(rest),
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => Cow::Borrowed(bytes),
    }
}

/// Returns the unfolded lines of a text, skipping empty ones. Folds are between bytes, and may split a character.
pub(crate) fn unfold_lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let mut physical = bytes.split(|byte| *byte == b'\n').enumerate().peekable();
    std::iter::from_fn(move || {
        loop {
            let (index, first) = physical.next()?;
            let first = first.strip_suffix(b"\r").unwrap_or(first);
            let mut whole = Cow::Borrowed(first);
            let mut is_long = first.len() > MAX_LINE_BYTES;
            while let Some((_, next)) = physical.next_if(|(_, next)| next.starts_with(b" ") || next.starts_with(b"\t"))
            {
                let next = next.strip_suffix(b"\r").unwrap_or(next);
                is_long |= whole.len() + next.len() > MAX_LINE_BYTES;
                if !is_long {
                    whole.to_mut().extend(next.get(1..).unwrap_or_default());
                }
            }
            if whole.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Some(decode_line(index + 1, &whole, is_long));
        }
    })
}

/// Decodes an unfolded line as UTF-8, or else as Latin-1. Of a line that is too long, only the beginning is kept for
/// the report of the loss.
fn decode_line(number: usize, bytes: &[u8], is_long: bool) -> Line {
    let bytes = if is_long { bytes.get(..100).unwrap_or(bytes) } else { bytes };
    match std::str::from_utf8(bytes) {
        _ if is_long => {
            let fault = Some("the line is too long");
            Line { number, text: String::from_utf8_lossy(bytes).into_owned(), error: fault }
        }
        Ok(text) => Line { number, text: text.to_owned(), error: None },
        Err(_) => {
            let text = bytes.iter().map(|byte| char::from(*byte)).collect();
            Line { number, text, error: Some("the line is not UTF-8 and is read as Latin-1") }
        }
    }
}

/// Parses an unfolded line; `None` if it has no name or no value.
pub(crate) fn parse_property(line: &Line) -> Option<Property> {
    let text = line.text.as_str();
    let end = text.find([':', ';'])?;
    let name = text.get(..end).filter(|name| is_name(name))?.to_ascii_uppercase();
    let mut parameters = Vec::new();
    let mut rest = text.get(end..)?;
    while let Some(after) = rest.strip_prefix(';') {
        let (parameter, after) = parse_parameter(after)?;
        parameters.push(parameter);
        rest = after;
    }
    let value = rest.strip_prefix(':')?.to_owned();
    Some(Property { name, parameters, value, line: line.number })
}

/// Returns whether a text is the name of a property: ASCII letters, digits and `-`; `_` and `.` are accepted as well.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Parses a parameter; returns it and the rest.
fn parse_parameter(text: &str) -> Option<(Parameter, &str)> {
    let end = text.find(['=', ';', ':'])?;
    let name = text.get(..end)?.trim().to_ascii_uppercase();
    let mut rest = text.get(end..)?;
    let mut values = Vec::new();
    while let Some(after) = rest.strip_prefix(if values.is_empty() { '=' } else { ',' }) {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find([',', ';', ':']).unwrap_or(after.len())),
        };
        values.push(unescape_parameter(value));
        rest = next;
    }
    rest.starts_with([';', ':']).then_some((Parameter { name, values }, rest))
}

/// Reverts the escapes of RFC 6868.
fn unescape_parameter(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('^') {
        text.push_str(before);
        let escaped = after.chars().next().and_then(|next| match next {
            'n' | 'N' => Some('\n'),
            '\'' => Some('"'),
            '^' => Some('^'),
            _ => None,
        });
        text.push(escaped.unwrap_or('^'));
        rest = if escaped.is_some() { after.get(1..).unwrap_or_default() } else { after };
    }
    text.push_str(rest);
    text
}

impl Property {
    /// Returns the first value of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name)?;
        parameter.values.first().map(String::as_str)
    }

    /// Returns the unescaped text value.
    pub(crate) fn text(&self) -> String {
        unescape(&self.value)
    }

    /// Returns the value in upper case.
    pub(crate) fn upper_case_value(&self) -> String {
        self.value.trim().to_ascii_uppercase()
    }
}

/// Reverts the escapes of text.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(escaped) => text.push(escaped),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Property> {
        unfold_lines(&decode(text)).filter_map(|line| parse_property(&line)).collect()
    }

    #[test]
    fn folds_are_removed_within_characters() {
        let read = read("SUMMARY:Caf\u{e9}\r\n\r\nDESCRIPTION:a\n b\r\n\tc".as_bytes());
        assert_eq!((read[0].value.as_str(), read[1].value.as_str()), ("Caf\u{e9}", "abc"));
        assert_eq!((read[0].line, read[1].line), (1, 3));
        let split = unfold_lines(b"SUMMARY:\xc3\r\n \xa9").next().unwrap();
        assert_eq!((split.text.as_str(), split.error), ("SUMMARY:\u{e9}", None));
        let latin = unfold_lines(b"SUMMARY:\xe9").next().unwrap();
        assert!(latin.text.ends_with('\u{e9}') && latin.error.is_some());
    }

    #[test]
    fn parameters_have_values_with_quotes() {
        let read = read(b"ATTENDEE;CN=\"Babbage; Charles: ^'C^'\";MEMBER=\"a\",\"b\";RSVP=TRUE:mailto:c@example.com");
        let parameter = |name| read[0].parameter(name);
        assert_eq!(parameter("CN"), Some("Babbage; Charles: \"C\""));
        assert_eq!(read[0].parameters[1].values, ["a", "b"]);
        assert_eq!((parameter("RSVP"), read[0].value.as_str()), (Some("TRUE"), "mailto:c@example.com"));
    }

    #[test]
    fn invalid_lines_are_not_properties() {
        for text in ["", "SUMMARY", ":x", "A B:x", "A;B", "A;B=\"x:y", "A;B=x", "\u{e9}:x"] {
            assert_eq!(read(text.as_bytes()), [], "{text}");
        }
    }

    #[test]
    fn long_lines_are_truncated() {
        let long = format!("DESCRIPTION:{}\r\n {}", "x".repeat(MAX_LINE_BYTES), "y".repeat(10));
        let line = unfold_lines(long.as_bytes()).next().unwrap();
        assert!(line.error.is_some() && line.text.len() <= 100);
    }

    #[test]
    fn utf_16_is_decoded() {
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend("A:\u{e9}".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(read(&bytes)[0].value, "\u{e9}");
    }
}
