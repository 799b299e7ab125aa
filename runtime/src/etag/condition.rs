//! Values of `If-Match` and `If-None-Match`.

use std::fmt;
use std::str::FromStr;

use super::{ETag, MAX_ETAG_LENGTH, scan_tag, too_long};
use crate::parse_error::{ParseError, ParseErrorKind};

/// Value of `If-Match` and `If-None-Match` (RFC 9110, section 13.1).
///
/// ```
/// use wireform_runtime::etag::{ETag, ETagCondition};
///
/// let condition: ETagCondition = r#""a", W/"b""#.parse()?;
/// let current: ETag = r#""b""#.parse()?;
/// assert!(condition.matches_weak(&current));
/// assert!(!condition.matches_strong(&current));
/// # Ok::<(), wireform_runtime::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ETagCondition {
    /// `*`: any version, if one exists.
    Any,
    /// One of these tags. An empty list matches no version.
    Tags(Vec<ETag>),
}

impl ETagCondition {
    /// Parses the value of the header: `*`, or tags separated by commas. Spaces and tabs around a tag and empty list
    /// elements are accepted (section 5.6.1.2 requires it). The list is bounded by the length of the text.
    ///
    /// # Errors
    /// Returns an error if the value is malformed, such as `*` among tags, or longer than [`MAX_ETAG_LENGTH`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let bytes = text.as_bytes();
        if bytes.len() > MAX_ETAG_LENGTH {
            return Err(too_long());
        }
        if text.trim_matches([' ', '\t']) == "*" {
            return Ok(Self::Any);
        }
        let (mut tags, mut at) = (Vec::new(), 0);
        // True if a comma separates this position from the tag before.
        let mut after_comma = true;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b' ' | b'\t' => at += 1,
                b',' => {
                    after_comma = true;
                    at += 1;
                }
                _ if !after_comma => return Err(ParseError::new(ParseErrorKind::Expected("a comma"), at)),
                _ => {
                    let end = scan_tag(bytes, at)?;
                    tags.push(ETag(text.get(at..end).unwrap_or_default().into()));
                    after_comma = false;
                    at = end;
                }
            }
        }
        Ok(Self::Tags(tags))
    }

    /// Returns whether the condition is `*`, or the current version is among the tags by [`ETag::strong_eq`], as
    /// `If-Match` requires.
    #[must_use]
    pub fn matches_strong(&self, current: &ETag) -> bool {
        self.matches(|tag| tag.strong_eq(current))
    }

    /// Returns whether the condition is `*`, or the current version is among the tags by [`ETag::weak_eq`], as
    /// `If-None-Match` requires.
    #[must_use]
    pub fn matches_weak(&self, current: &ETag) -> bool {
        self.matches(|tag| tag.weak_eq(current))
    }

    /// Returns whether the condition matches a version that `is_current` recognizes by its tag.
    fn matches(&self, is_current: impl Fn(&ETag) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(is_current),
        }
    }
}

impl From<ETag> for ETagCondition {
    fn from(tag: ETag) -> Self {
        Self::Tags(vec![tag])
    }
}

impl FromStr for ETagCondition {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl fmt::Display for ETagCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Tags(tags) => tags.iter().enumerate().try_for_each(|(at, tag)| {
                f.write_str(if at == 0 { "" } else { ", " })?;
                f.write_str(tag.as_str())
            }),
        }
    }
}
