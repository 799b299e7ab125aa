//! Entity tags and conditions on them (RFC 9110, sections 8.8.3 and 13.1).

mod condition;

pub use condition::ETagCondition;

use std::fmt;
use std::str::FromStr;

use crate::parse_error::{ParseError, ParseErrorKind};

/// Maximum length, in bytes, of an entity tag or a list of them. Servers commonly limit a header to this length.
pub const MAX_ETAG_LENGTH: usize = 8192;

/// Entity tag: identifies a version of a resource.
///
/// Its text is that of a header, with the quotes. Equality is that of the text; [`strong_eq`](Self::strong_eq) and
/// [`weak_eq`](Self::weak_eq) compare versions.
///
/// ```
/// use wireform_runtime::etag::ETag;
///
/// let tag: ETag = r#"W/"3181""#.parse()?;
/// assert!(tag.is_weak());
/// assert_eq!(tag.opaque(), "3181");
/// assert_eq!(tag.as_str(), r#"W/"3181""#);
/// # Ok::<(), wireform_runtime::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ETag(Box<str>);

impl ETag {
    /// Parses the value of a header: `"…"`, or `W/"…"` for a weak tag. Between the quotes, visible ASCII except a quote
    /// is allowed, and anything beyond ASCII (`obs-text` in section 8.8.3). Nothing is trimmed.
    ///
    /// # Errors
    /// Returns an error if the text is not an entity tag, or longer than [`MAX_ETAG_LENGTH`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let length = scan_tag(text.as_bytes(), 0)?;
        if length < text.len() {
            return Err(ParseError::new(ParseErrorKind::Trailing, length));
        }
        Ok(Self(text.into()))
    }

    /// Parses the field of a resource. Some public services put the quotes inside of the JSON string, as
    /// [`parse`](Self::parse) expects. Others omit them: then the whole text is the opaque part of a strong tag, and
    /// quotes are added, since a header requires them.
    ///
    /// # Errors
    /// Returns an error if the text is empty, too long, starts like a quoted tag but is malformed, or contains a
    /// character that no tag can contain.
    pub fn parse_lenient(text: &str) -> Result<Self, ParseError> {
        match Self::parse(text) {
            Ok(tag) => Ok(tag),
            // A text that starts like a quoted tag is a malformed one.
            Err(error) if text.is_empty() || text.starts_with(['"']) || text.starts_with("W/\"") => Err(error),
            Err(_) => Self::strong(text),
        }
    }

    /// Creates a strong tag from its opaque part.
    ///
    /// # Errors
    /// Returns an error if `opaque` contains a quote, a space or a control character, or is too long. The position is
    /// that in `opaque`.
    pub fn strong(opaque: &str) -> Result<Self, ParseError> {
        Self::quoted("\"", opaque)
    }

    /// Creates a weak tag from its opaque part.
    ///
    /// # Errors
    /// Returns the same errors as [`strong`](Self::strong).
    pub fn weak(opaque: &str) -> Result<Self, ParseError> {
        Self::quoted("W/\"", opaque)
    }

    /// Creates a tag from its opening, which ends with a quote, and its opaque text.
    fn quoted(open: &str, opaque: &str) -> Result<Self, ParseError> {
        if let Some(position) = opaque.bytes().position(|byte| !is_opaque(byte)) {
            return Err(ParseError::new(FORBIDDEN, position));
        }
        if open.len() + opaque.len() + 1 > MAX_ETAG_LENGTH {
            return Err(too_long());
        }
        Ok(Self(format!("{open}{opaque}\"").into()))
    }

    /// Returns the tag as the value of a header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part between the quotes.
    #[must_use]
    pub fn opaque(&self) -> &str {
        let quoted = self.0.strip_prefix("W/").unwrap_or(&self.0);
        quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
    }

    /// Returns whether the tag is weak: equal weak tags mean equivalent versions, not identical bytes.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        self.0.starts_with('W')
    }

    /// Compares strongly: neither tag is weak, and the opaque parts are equal. Conditional writes need it.
    #[must_use]
    pub fn strong_eq(&self, other: &Self) -> bool {
        !self.is_weak() && self == other
    }

    /// Compares weakly: the opaque parts are equal. Conditional reads use it.
    #[must_use]
    pub fn weak_eq(&self, other: &Self) -> bool {
        self.opaque() == other.opaque()
    }
}

/// Error of a character that an entity tag must not contain.
const FORBIDDEN: ParseErrorKind = ParseErrorKind::Expected("a character of an entity tag");

/// Creates the error of a tag beyond the maximum length.
const fn too_long() -> ParseError {
    ParseError::new(ParseErrorKind::OutOfRange("length"), MAX_ETAG_LENGTH)
}

/// Returns whether the byte is an `etagc` of section 8.8.3.
const fn is_opaque(byte: u8) -> bool {
    matches!(byte, 0x21 | 0x23..=0x7e | 0x80..)
}

/// Returns the end of the tag that starts at `start`.
fn scan_tag(text: &[u8], start: usize) -> Result<usize, ParseError> {
    if text.len() > MAX_ETAG_LENGTH {
        return Err(too_long());
    }
    let rest = text.get(start..).unwrap_or_default();
    let open = if rest.starts_with(b"W/") { 3 } else { 1 };
    if rest.get(open - 1) != Some(&b'"') {
        // After `W/` the quote is missing; anything else does not start a tag.
        let expected = if open == 3 { "a quote" } else { "an entity tag" };
        return Err(ParseError::new(ParseErrorKind::Expected(expected), start + open - 1));
    }
    let opaque = rest.iter().skip(open).take_while(|byte| is_opaque(**byte)).count();
    let end = start + open + opaque;
    match text.get(end) {
        Some(b'"') => Ok(end + 1),
        Some(_) => Err(ParseError::new(FORBIDDEN, end)),
        None => Err(ParseError::new(ParseErrorKind::Expected("a quote"), end)),
    }
}

impl FromStr for ETag {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl AsRef<str> for ETag {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ETag({self})")
    }
}
