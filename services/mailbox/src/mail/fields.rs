//! Headers: found here, and understood by `mail-parser`.

use std::borrow::Cow;

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};
use wireform_store::Millis;

/// What is understood of one header is looked for in its first bytes; the whole of it is answered all the same.
const UNDERSTOOD: usize = 16 << 10;
/// The same for headers that every part has, of which there can be a thousand.
const UNDERSTOOD_OF_PARTS: usize = 2 << 10;
/// A word in another alphabet ends after so many bytes; those that keep to RFC 2047 have 75.
const WORD: usize = 1000;

/// A header as it came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'m> {
    name: &'m [u8],
    /// What follows the colon, with its line ends.
    value: &'m [u8],
}

impl<'m> Field<'m> {
    /// The name before the colon.
    pub(super) fn name(&self) -> Cow<'m, str> {
        String::from_utf8_lossy(self.name)
    }

    /// The text after the colon on one line (RFC 5322, section 2.2.3); words in other alphabets stay encoded.
    pub(super) fn value(&self) -> String {
        let unfolded: Vec<u8> = self.value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
        String::from_utf8_lossy(&unfolded).trim().to_owned()
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// What a parser of values reads, which ends with a line end.
    fn line(&self, most: usize) -> Vec<u8> {
        let cut = self.value.get(..most).unwrap_or(self.value);
        let mut line = cut.trim_ascii_end().to_vec();
        line.push(b'\n');
        line
    }

    /// The same of the end of the value, from where an identifier begins.
    fn ending(&self, most: usize) -> Vec<u8> {
        let end = self.value.get(self.value.len().saturating_sub(most)..).unwrap_or_default();
        let cut = if end.len() < self.value.len() { end.iter().position(|byte| *byte == b'<') } else { None };
        let mut line = end.get(cut.unwrap_or(0)..).unwrap_or_default().trim_ascii_end().to_vec();
        line.push(b'\n');
        line
    }

    /// What a parser of values reads, without what only looks like the beginning of a word in another alphabet: the parser would look for
    /// the end of each of them, and a line of nothing else would take the square of its length.
    fn words(&self) -> Vec<u8> {
        let mut line = self.line(UNDERSTOOD);
        let mut end = usize::MAX;
        for at in (0..line.len()).rev() {
            if line.get(at + 2..at + 4) == Some(b"?=") {
                end = at + 2;
            }
            let begins = line.get(at..at + 2) == Some(b"=?");
            if let Some(sign) = line.get_mut(at).filter(|_| begins && end - at > WORD) {
                *sign = b' ';
            }
        }
        line
    }
}

/// The headers of a mail or of a part, in their order.
#[derive(Debug, Default)]
pub(super) struct Fields<'m>(Vec<Field<'m>>);

impl<'m> Fields<'m> {
    /// Reads headers up to an empty line, or to a line that is no header; answers what follows. `room` is how many
    /// more may be kept: those beyond it are passed over.
    pub(super) fn read(text: &'m [u8], room: &mut usize) -> (Self, &'m [u8]) {
        let mut fields = Vec::new();
        let mut rest = text;
        // A file of mails may have left its separator in front.
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
            let end = end + folded(after);
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

    fn first(&self, name: &str) -> Option<&Field<'m>> {
        self.iter().find(|field| field.is(name))
    }

    /// The words of a header, decoded.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let line = self.first(name)?.words();
        match MessageStream::new(&line).parse_unstructured() {
            HeaderValue::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// The names and addresses in all headers of a name.
    pub(super) fn addresses(&self, name: &str) -> Vec<String> {
        let mut all = Vec::new();
        for field in self.iter().filter(|field| field.is(name)).take(100) {
            let line = field.words();
            if let HeaderValue::Address(addresses) = MessageStream::new(&line).parse_address() {
                for one in addresses.iter() {
                    all.extend([one.name(), one.address()].into_iter().flatten().map(str::to_owned));
                }
            }
        }
        all
    }

    /// The addresses in all headers of a name.
    pub(super) fn mailboxes(&self, name: &str) -> Vec<String> {
        let mut all = Vec::new();
        for field in self.iter().filter(|field| field.is(name)).take(100) {
            let line = field.words();
            if let HeaderValue::Address(addresses) = MessageStream::new(&line).parse_address() {
                all.extend(addresses.iter().filter_map(|one| one.address()).map(str::to_owned));
            }
        }
        all
    }

    /// The identifiers in the first header of a name, without their angle brackets. Of many it is the last that count:
    /// a conversation that has gone on for long names its latest mails at the end.
    pub(super) fn identifiers(&self, name: &str) -> Vec<String> {
        let Some(field) = self.first(name) else { return Vec::new() };
        let line = field.ending(UNDERSTOOD);
        let found = match MessageStream::new(&line).parse_id() {
            HeaderValue::Text(one) => vec![one.into_owned()],
            HeaderValue::TextList(many) => many.into_iter().map(Cow::into_owned).collect(),
            _ => Vec::new(),
        };
        found.into_iter().filter(|id| !id.trim().is_empty()).collect()
    }

    /// What the header `Date` says, where that is a time.
    pub(super) fn date(&self) -> Option<Millis> {
        read_date(&self.first("date")?.line(UNDERSTOOD_OF_PARTS))
    }

    /// A header of the form of `Content-Type`: a word or two, and attributes.
    pub(super) fn structured(&self, name: &str) -> Option<ContentType<'static>> {
        let line = self.first(name)?.line(UNDERSTOOD_OF_PARTS);
        match MessageStream::new(&line).parse_content_type().into_owned() {
            HeaderValue::ContentType(value) => Some(value),
            _ => None,
        }
    }
}

/// The time on a line that ends with a line end, written as in the header `Date`.
pub(super) fn read_date(line: &[u8]) -> Option<Millis> {
    match MessageStream::new(line).parse_date() {
        HeaderValue::DateTime(date) if date.is_valid() => Some(Millis(date.to_timestamp().saturating_mul(1000))),
        _ => None,
    }
}

/// The bytes up to the end of the first line, its line feed included.
pub(super) fn line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// Where the colon of a header is, whose name is printable and may have spaces before the colon.
fn colon(line: &[u8]) -> Option<usize> {
    let at = line.iter().position(|byte| *byte == b':')?;
    let name = line.get(..at)?.trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(at)
}

/// How many bytes of the text are lines that belong to the header before it.
fn folded(text: &[u8]) -> usize {
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
