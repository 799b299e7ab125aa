//! Errors with their location.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Kind of a [`ParseError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// More lines, list entries, dates or bytes than the [limits](crate::limits) allow.
    TooMany,
    /// A line that is not `NAME:value`, or a rule part that is not `NAME=value`.
    Syntax,
    /// A property other than `RRULE`, `EXRULE`, `RDATE` and `EXDATE`.
    UnknownProperty,
    /// `DTSTART` or another property that is not a recurrence line.
    PropertyNotAllowed,
    /// A parameter that is unknown, repeated or has an unknown value.
    InvalidParameter,
    /// A time zone that is not in the IANA Time Zone Database.
    UnknownZone,
    /// A rule part that RFC 5545 does not define.
    UnknownPart,
    /// A rule part of RFC 5545 or an extension that this crate does not support.
    UnsupportedPart,
    /// A rule part that occurs twice.
    DuplicatePart,
    /// A rule without `FREQ`.
    MissingFrequency,
    /// Rule parts that exclude each other.
    Conflict,
    /// A value of the wrong form.
    InvalidValue,
    /// A number outside of its range.
    OutOfRange,
}

/// Error of a recurrence line, with its location.
///
/// ```
/// let error = wireform_recurrence::Recurrence::parse(["RRULE:FREQ=WEEKLY;BYDAY=MO,XX"]).unwrap_err();
/// assert_eq!((error.line(), error.column()), (1, 28));
/// assert_eq!(error.to_string(), "line 1, column 28: invalid `BYDAY` value `XX`, expected a weekday such as `MO` or `-1FR`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub(crate) kind: ParseErrorKind,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) help: Option<Cow<'static, str>>,
}

impl ParseError {
    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the number of the line, from 1. Each physical line of a folded line counts.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in bytes, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns the message without the location.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns advice on fixing the error, if there is any.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Error for ParseError {}

/// Error of a recurrence that does not fit its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetError {
    /// A rule by hours, minutes or seconds, and a start without a time.
    SubDailyDate,
    /// An `RDATE` with a time, and a start without one.
    TimedDate,
    /// An `RDATE` without a time, and a start with one.
    UntimedDate,
    /// A start before the year 0 or after 9999-12-29.
    StartOutOfRange,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SubDailyDate => "a rule of `HOURLY`, `MINUTELY` or `SECONDLY` needs a start with a time",
            Self::TimedDate => "`RDATE` has a time and the start has none, expected `RDATE;VALUE=DATE`",
            Self::UntimedDate => "`RDATE` has no time and the start has one, expected a date-time or a period",
            Self::StartOutOfRange => "the start is out of range, expected a year from 0 to 9999",
        })
    }
}

impl Error for SetError {}
