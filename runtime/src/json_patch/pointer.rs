//! JSON Pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// JSON Pointer (RFC 6901): location of a value within another one, `/members/0/name`. The empty pointer is the whole
/// value.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct JsonPointer {
    text: String,
}

/// Error of parsing a JSON Pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonPointerError(&'static str);

impl fmt::Display for JsonPointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for JsonPointerError {}

impl JsonPointer {
    /// Returns the pointer to the whole value.
    #[must_use]
    pub const fn root() -> Self {
        Self { text: String::new() }
    }

    /// Parses a pointer.
    ///
    /// # Errors
    /// Returns an error if a text that is not empty does not start with a slash, or contains a `~` that is not followed
    /// by `0` or `1`.
    pub fn parse(text: impl Into<String>) -> Result<Self, JsonPointerError> {
        let text = text.into();
        if !text.is_empty() && !text.starts_with('/') {
            return Err(JsonPointerError("a JSON Pointer must be empty or start with `/`"));
        }
        let mut tildes = text.split('~').skip(1);
        if tildes.any(|after| !after.starts_with(['0', '1'])) {
            return Err(JsonPointerError(
                "invalid escape in a JSON Pointer: write `~` as `~0`, and `/` in a name as `~1`",
            ));
        }
        Ok(Self { text })
    }

    /// Creates a pointer from unescaped member names and element indices.
    #[must_use]
    pub fn from_tokens<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Self {
        tokens.into_iter().fold(Self::root(), |pointer, token| pointer.join(token.as_ref()))
    }

    /// Appends an unescaped member name or element index.
    #[must_use]
    pub fn join(mut self, token: &str) -> Self {
        self.text.push('/');
        for character in token.chars() {
            match character {
                '~' => self.text.push_str("~0"),
                '/' => self.text.push_str("~1"),
                other => self.text.push(other),
            }
        }
        self
    }

    /// Returns the unescaped member names and element indices.
    pub fn tokens(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        self.raw().map(unescape)
    }

    /// Returns the pointer as its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the pointer is the whole value.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether `other` is a location within the value at this one.
    pub(super) fn is_ancestor_of(&self, other: &Self) -> bool {
        other.text.strip_prefix(&self.text).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns the tokens as they are written, with their escapes.
    fn raw(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.text.strip_prefix('/').into_iter().flat_map(|rest| rest.split('/'))
    }
}

/// Decodes the escapes of a token.
fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        // In this order: `~01` is `~1`, not a slash.
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

/// Corrects a text that is written in code: a missing leading slash is added, and a `~` is escaped.
impl From<&str> for JsonPointer {
    fn from(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|_| {
            text.strip_prefix('/').unwrap_or(text).split('/').fold(Self::root(), |at, token| at.join(&unescape(token)))
        })
    }
}

impl FromStr for JsonPointer {
    type Err = JsonPointerError;

    fn from_str(text: &str) -> Result<Self, JsonPointerError> {
        Self::parse(text)
    }
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for JsonPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
