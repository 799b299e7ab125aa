//! Content lines: unfolding, and locations in the folded text.

use std::borrow::Cow;

use crate::error::{ParseError, ParseErrorKind};

/// Error within a content line, with its offset in bytes of the unfolded text.
#[derive(Debug)]
pub(super) struct LineError {
    pub offset: usize,
    pub kind: ParseErrorKind,
    pub message: String,
    pub help: Option<Cow<'static, str>>,
}

impl LineError {
    pub fn new(kind: ParseErrorKind, at: usize, message: String) -> Self {
        Self { offset: at, kind, message, help: None }
    }

    pub fn with_help(self, help: impl Into<Cow<'static, str>>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// Part of a content line, with its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<'a> {
    pub text: &'a str,
    pub offset: usize,
}

impl<'a> Fragment<'a> {
    /// Splits at the first occurrence of a separator.
    pub fn split_once(self, separator: char) -> Option<(Self, Self)> {
        self.split_at(self.text.find(separator)?)
    }

    /// Splits around the ASCII character at an index.
    fn split_at(self, index: usize) -> Option<(Self, Self)> {
        let (before, after) = (self.text.get(..index)?, self.text.get(index + 1..)?);
        Some((Self { text: before, offset: self.offset }, Self { text: after, offset: self.offset + index + 1 }))
    }

    /// Splits at the first separator outside of double quotes.
    pub fn split_unquoted(self, separators: [u8; 2]) -> Option<(Self, Self, u8)> {
        let mut quoted = false;
        let found = self.text.bytes().enumerate().find(|&(_, byte)| {
            quoted ^= byte == b'"';
            !quoted && separators.contains(&byte)
        });
        let (index, byte) = found?;
        let (before, after) = self.split_at(index)?;
        Some((before, after, byte))
    }

    /// Splits at every separator; empty pieces are kept.
    pub fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let piece = rest?;
            match piece.split_once(separator) {
                Some((before, after)) => {
                    rest = Some(after);
                    Some(before)
                }
                None => rest.take(),
            }
        })
    }

    /// Returns whether the piece is a word, without regard to case.
    pub fn eq_ignore_case(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Returns the beginning of the piece for a message, with control characters and quotation marks escaped.
    pub fn excerpt(self) -> String {
        const MAX: usize = 40;
        let mut shown: String = self.text.chars().take(MAX).flat_map(char::escape_debug).collect();
        if self.text.chars().nth(MAX).is_some() {
            shown.push('…');
        }
        shown
    }

    /// Creates an error at the start of the piece.
    pub fn error(self, kind: ParseErrorKind, message: String) -> LineError {
        LineError::new(kind, self.offset, message)
    }

    /// Creates the error of an invalid value of a part or property.
    pub fn invalid_value(self, name: &str, expected: &str) -> LineError {
        let message = format!("invalid `{name}` value `{}`, expected {expected}", self.excerpt());
        self.error(ParseErrorKind::InvalidValue, message)
    }
}

/// Unfolded content line.
pub(super) struct Content {
    text: String,
    /// Start of each physical line in the text, its line number, and the number of bytes before its first column.
    segments: Vec<(usize, usize, usize)>,
}

impl Content {
    /// Returns the whole line, for parsing.
    pub fn fragment(&self) -> Fragment<'_> {
        Fragment { text: &self.text, offset: 0 }
    }

    /// Returns the number of bytes of the unfolded line.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Converts an error to one with a location in the folded text.
    pub fn error(&self, fault: LineError) -> ParseError {
        let segment = self.segments.iter().rev().find(|(start, ..)| *start <= fault.offset);
        let (start, line, before) = segment.copied().unwrap_or((0, 1, 0));
        ParseError {
            kind: fault.kind,
            line,
            column: before + fault.offset - start + 1,
            message: fault.message,
            help: fault.help,
        }
    }
}

/// Splits a text into content lines, skipping empty ones.
pub(super) fn unfold(text: &str) -> Vec<Content> {
    let mut contents: Vec<Content> = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), contents.last_mut()) {
            (Some(rest), Some(content)) => {
                content.segments.push((content.text.len(), index + 1, 1));
                content.text.push_str(rest);
            }
            _ if line.is_empty() => {}
            _ => contents.push(Content { text: line.to_owned(), segments: vec![(0, index + 1, 0)] }),
        }
    }
    contents
}

/// Returns the content line of a list element. Columns are those of the element, including folds.
///
/// # Errors
/// Returns an error if the element is empty or has several content lines.
pub(super) fn parse_element(text: &str, number: usize) -> Result<Content, ParseError> {
    let error = |column, message: &str| ParseError {
        kind: ParseErrorKind::Syntax,
        line: number,
        column,
        message: message.to_owned(),
        help: None,
    };
    let mut contents = unfold(text).into_iter();
    let Some(mut content) = contents.next() else {
        return Err(error(1, "the line is empty, expected `RRULE:FREQ=…`"));
    };
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let start = |line: usize| starts.get(line - 1).copied().unwrap_or(0);
    if let Some((_, line, _)) = contents.next().and_then(|second| second.segments.first().copied()) {
        return Err(error(start(line) + 1, "a second line begins here, expected one line in each element"));
    }
    for (_, line, before) in &mut content.segments {
        *before += start(*line);
        *line = number;
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(content: &Content, at: usize) -> (usize, usize) {
        let error = content.error(LineError::new(ParseErrorKind::Syntax, at, String::new()));
        (error.line, error.column)
    }

    #[test]
    fn folds_are_removed_and_locations_kept() {
        let contents = unfold("\r\nRRULE:FR\r\n EQ=DA\n\tILY\r\n\r\nRDATE:x");
        let texts: Vec<&str> = contents.iter().map(|content| content.text.as_str()).collect();
        assert_eq!(texts, ["RRULE:FREQ=DAILY", "RDATE:x"]);
        assert_eq!([0, 7, 8, 13].map(|at| locate(&contents[0], at)), [(2, 1), (2, 8), (3, 2), (4, 2)]);
        assert_eq!(locate(&contents[1], 6), (6, 7));
    }

    #[test]
    fn an_element_is_one_line() {
        let content = parse_element("RRULE:FR\r\n EQ=DAILY\r\n", 3).unwrap();
        assert_eq!((content.text.as_str(), locate(&content, 8)), ("RRULE:FREQ=DAILY", (3, 12)));
        let error = parse_element("RRULE:FREQ=DAILY\nRDATE:x", 2).err().unwrap();
        assert_eq!((error.line, error.column), (2, 18));
        assert!(parse_element("\r\n", 1).is_err());
    }

    #[test]
    fn quoted_separators_do_not_separate() {
        let piece = Fragment { text: "A=\"x:y;z\":w", offset: 5 };
        let (before, after, byte) = piece.split_unquoted([b':', b';']).unwrap();
        assert_eq!((before.text, after.text, after.offset, byte), ("A=\"x:y;z\"", "w", 15, b':'));
    }

    #[test]
    fn long_values_are_shortened() {
        let shown = Fragment { text: &"é".repeat(50), offset: 0 }.excerpt();
        assert_eq!(shown.chars().count(), 41);
    }
}
