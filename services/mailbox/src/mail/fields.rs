//! Headers, which are split here and parsed by `mail-parser`.

use std::borrow::Cow;

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};
use wireform_store::Millis;

/// Maximum number of bytes of a header that are parsed; responses contain the whole header.
const MAX_PARSED: usize = 16 << 10;
/// The same for headers that every part has, of which there can be a thousand.
const MAX_PARSED_OF_PARTS: usize = 2 << 10;
/// Maximum length of an encoded word in bytes; RFC 2047 allows 75.
const MAX_ENCODED_WORD: usize = 1000;

/// Raw header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'m> {
    name: &'m [u8],
    /// Text after the colon, with its line ends.
    value: &'m [u8],
}

impl<'m> Field<'m> {
    /// Returns the name before the colon.
    pub(super) fn name(&self) -> Cow<'m, str> {
        String::from_utf8_lossy(self.name)
    }

    /// Returns the unfolded text after the colon (RFC 5322, section 2.2.3); encoded words stay encoded.
    pub(super) fn value(&self) -> String {
        let unfolded: Vec<u8> = self.value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
        String::from_utf8_lossy(&unfolded).trim().to_owned()
    }

    fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the input for a parser of values, which ends with a line end.
    fn parser_input(&self, max: usize) -> Vec<u8> {
        let cut = self.value.get(..max).unwrap_or(self.value);
        let mut line = cut.trim_ascii_end().to_vec();
        line.push(b'\n');
        line
    }

    /// Returns the same for the end of the value, starting at an identifier.
    fn trailing_input(&self, max: usize) -> Vec<u8> {
        let end = self.value.get(self.value.len().saturating_sub(max)..).unwrap_or_default();
        let cut = if end.len() < self.value.len() { end.iter().position(|byte| *byte == b'<') } else { None };
        let mut line = end.get(cut.unwrap_or(0)..).unwrap_or_default().trim_ascii_end().to_vec();
        line.push(b'\n');
        line
    }

    /// Returns the input for a parser of values without incomplete encoded words: the parser would search for the end
    /// of each, which is quadratic for a line of nothing else.
    fn parser_input_without_incomplete_words(&self) -> Vec<u8> {
        let mut line = self.parser_input(MAX_PARSED);
        let mut end = usize::MAX;
        for at in (0..line.len()).rev() {
            if line.get(at + 2..at + 4) == Some(b"?=") {
                end = at + 2;
            }
            let begins = line.get(at..at + 2) == Some(b"=?");
            if let Some(sign) = line.get_mut(at).filter(|_| begins && end - at > MAX_ENCODED_WORD) {
                *sign = b' ';
            }
        }
        line
    }
}

/// Headers of a mail or of a part, in order.
#[derive(Debug, Default)]
pub(super) struct Fields<'m>(Vec<Field<'m>>);

impl<'m> Fields<'m> {
    /// Parses headers up to an empty line, or to a line that is no header; returns the rest. `room` is the number of
    /// headers that may still be kept: further ones are skipped.
    pub(super) fn read(text: &'m [u8], room: &mut usize) -> (Self, &'m [u8]) {
        let mut fields = Vec::new();
        let mut rest = text;
        // A mail from an mbox file may begin with a separator line.
        if rest.starts_with(b"From ") || rest.starts_with(b">From ") {
            rest = rest.get(line_end(rest)..).unwrap_or_default();
        }
        loop {
            let end = line_end(rest);
            let (line, after) = rest.split_at(end);
            if line.trim_ascii().is_empty() {
                return (Self(fields), after);
            }
            let Some(colon) = colon(line) else { return (Self(fields), rest) };
            let end = end + continuation_length(after);
            let (field, after) = rest.split_at(end);
            if *room > 0 {
                *room -= 1;
                let (name, value) = field.split_at(colon);
                fields.push(Field { name: name.trim_ascii_end(), value: value.get(1..).unwrap_or_default() });
            }
            rest = after;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Field<'m>> {
        self.0.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first header of a name, in any case.
    fn first(&self, name: &str) -> Option<&Field<'m>> {
        self.iter().find(|field| field.has_name(name))
    }

    /// Returns the decoded text of a header.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let line = self.first(name)?.parser_input_without_incomplete_words();
        match MessageStream::new(&line).parse_unstructured() {
            HeaderValue::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// Returns the names and addresses in all headers with a name.
    pub(super) fn addresses(&self, name: &str) -> Vec<String> {
        let mut all = Vec::new();
        for field in self.iter().filter(|field| field.has_name(name)).take(100) {
            let line = field.parser_input_without_incomplete_words();
            if let HeaderValue::Address(addresses) = MessageStream::new(&line).parse_address() {
                for one in addresses.iter() {
                    all.extend([one.name(), one.address()].into_iter().flatten().map(str::to_owned));
                }
            }
        }
        all
    }

    /// Returns the addresses in all headers with a name.
    pub(super) fn mailboxes(&self, name: &str) -> Vec<String> {
        let mut all = Vec::new();
        for field in self.iter().filter(|field| field.has_name(name)).take(100) {
            let line = field.parser_input_without_incomplete_words();
            if let HeaderValue::Address(addresses) = MessageStream::new(&line).parse_address() {
                all.extend(addresses.iter().filter_map(|one| one.address()).map(str::to_owned));
            }
        }
        all
    }

    /// Returns the identifiers in the first header with a name, without angle brackets. Of too many, the last ones are
    /// kept: a long conversation lists its latest mails at the end.
    pub(super) fn identifiers(&self, name: &str) -> Vec<String> {
        let Some(field) = self.first(name) else { return Vec::new() };
        let line = field.trailing_input(MAX_PARSED);
        let found = match MessageStream::new(&line).parse_id() {
            HeaderValue::Text(one) => vec![one.into_owned()],
            HeaderValue::TextList(many) => many.into_iter().map(Cow::into_owned).collect(),
            _ => Vec::new(),
        };
        found.into_iter().filter(|id| !id.trim().is_empty()).collect()
    }

    /// Returns the time of the header `Date`, if it is valid.
    pub(super) fn date(&self) -> Option<Millis> {
        read_date(&self.first("date")?.parser_input(MAX_PARSED_OF_PARTS))
    }

    /// Parses a header in the form of `Content-Type`: a value and parameters.
    pub(super) fn structured(&self, name: &str) -> Option<ContentType<'static>> {
        let line = self.first(name)?.parser_input(MAX_PARSED_OF_PARTS);
        match MessageStream::new(&line).parse_content_type().into_owned() {
            HeaderValue::ContentType(value) => Some(value),
            _ => None,
        }
    }
}

/// Parses a line in the format of the header `Date`, with its line end.
pub(super) fn read_date(line: &[u8]) -> Option<Millis> {
    match MessageStream::new(line).parse_date() {
        HeaderValue::DateTime(date) if date.is_valid() => Some(Millis(date.to_timestamp().saturating_mul(1000))),
        _ => None,
    }
}

/// Returns the length of the first line, including its line feed.
pub(super) fn line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// Returns the index of a header's colon. The name must be printable and may be followed by spaces.
fn colon(line: &[u8]) -> Option<usize> {
    let at = line.iter().position(|byte| *byte == b':')?;
    let name = line.get(..at)?.trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(at)
}

/// Returns the length of the continuation lines of a header.
fn continuation_length(text: &[u8]) -> usize {
    let mut end = 0;
    while let Some(rest) = text.get(end..) {
        let line = rest.get(..line_end(rest)).unwrap_or_default();
        let begins_with_space = matches!(line.first(), Some(b' ' | b'\t'));
        if !begins_with_space || line.trim_ascii().is_empty() {
            break;
        }
        end += line.len();
    }
    end
}
