//! Parsing of recurrence lines.

mod content;
mod dates;
mod line;
mod rule;
mod value;

use std::str::FromStr;

use self::content::{Content, Fragment, LineError};
use crate::error::{ParseError, ParseErrorKind};
use crate::limits::{MAX_DATES, MAX_LINE_BYTES, MAX_LINES};
use crate::recurrence::Recurrence;
use crate::rule::Rule;

impl Recurrence {
    /// Parses lines given as the elements of a list. Line numbers of errors count the elements.
    ///
    /// # Errors
    /// Returns an error if a line is not an `RRULE`, `EXRULE`, `RDATE` or `EXDATE` of RFC 5545 and RFC 2445, or a
    /// [limit](crate::limits) is exceeded.
    pub fn parse<I: IntoIterator<Item: AsRef<str>>>(lines: I) -> Result<Self, ParseError> {
        let mut recurrence = Self::default();
        for (index, line) in lines.into_iter().enumerate() {
            let content = content::parse_element(line.as_ref(), index + 1)?;
            recurrence.read(index, &content)?;
        }
        Ok(recurrence)
    }

    /// Parses a text of lines, which may be folded. Line numbers of errors count the physical lines.
    ///
    /// # Errors
    /// Same as [`parse`](Self::parse).
    pub fn parse_text(text: &str) -> Result<Self, ParseError> {
        let mut recurrence = Self::default();
        for (index, content) in content::unfold(text).iter().enumerate() {
            recurrence.read(index, content)?;
        }
        Ok(recurrence)
    }

    /// Parses the line with this index into the recurrence, within the limits.
    fn read(&mut self, index: usize, content: &Content) -> Result<(), ParseError> {
        let too_many = |at, message| content.error(LineError::new(ParseErrorKind::TooMany, at, message));
        if index == MAX_LINES {
            return Err(too_many(0, format!("too many recurrence lines, expected at most {MAX_LINES}")));
        }
        if content.len() > MAX_LINE_BYTES {
            let message = format!("the line is too long, expected at most {MAX_LINE_BYTES} bytes");
            return Err(too_many(MAX_LINE_BYTES, message));
        }
        line::parse_line(content.fragment(), self).map_err(|fault| content.error(fault))?;
        let count = |lists: &[crate::DateList]| lists.iter().map(|list| list.dates().len()).sum::<usize>();
        if count(&self.rdates).max(count(&self.exdates)) > MAX_DATES {
            return Err(too_many(0, format!("too many dates, expected at most {MAX_DATES} of a property")));
        }
        Ok(())
    }
}

impl FromStr for Recurrence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse_text(text)
    }
}

impl FromStr for Rule {
    type Err = ParseError;

    /// Parses the value of a rule, without the prefix `RRULE:`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (kind, column) = (ParseErrorKind::TooMany, MAX_LINE_BYTES + 1);
        if text.len() > MAX_LINE_BYTES {
            let message = format!("the rule is too long, expected at most {MAX_LINE_BYTES} bytes");
            return Err(ParseError { kind, line: 1, column, message, help: None });
        }
        rule::parse_rule(Fragment { text, offset: 0 }).map_err(|fault| ParseError {
            kind: fault.kind,
            line: 1,
            column: fault.offset + 1,
            message: fault.message,
            help: fault.help,
        })
    }
}
