//! Links to pages and operations.

use std::fmt::{self, Display};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything except unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Path with a query, in which every value is encoded.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    text: String,
    has_query: bool,
}

impl Link {
    /// Creates a link to a path, which is used as is.
    pub(crate) fn new(path: &str) -> Self {
        Self { text: path.to_owned(), has_query: false }
    }

    /// Adds a path segment, before any parameter.
    pub(crate) fn segment(mut self, segment: &str) -> Self {
        self.text.push('/');
        push_encoded(&mut self.text, segment);
        self
    }

    /// Adds a path segment without encoding it.
    pub(crate) fn plain_segment(mut self, segment: &str) -> Self {
        self.text.push('/');
        self.text.push_str(segment);
        self
    }

    /// Adds a parameter.
    pub(crate) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        self.text.push_str(name);
        self.text.push('=');
        push_encoded(&mut self.text, &value.to_string());
        self
    }

    /// Adds a parameter if it has a value.
    pub(crate) fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Returns the link as a request target.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

/// Writes the link escaped for an attribute.
impl Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::html::Escaped(&self.text).fmt(f)
    }
}

/// Appends a value, percent-encoded for a segment or a parameter.
fn push_encoded(text: &mut String, value: &str) {
    text.extend(utf8_percent_encode(value, RESERVED));
}

#[cfg(test)]
mod tests {
    use super::Link;

    #[test]
    fn values_are_encoded_and_links_escaped() {
        let link = Link::new("/a").segment("b/c?").with("d", "e&f=\"g\"").with_some("h", None).with("i", 7);
        assert_eq!(link.as_str(), "/a/b%2Fc%3F?d=e%26f%3D%22g%22&i=7");
        assert_eq!(link.to_string(), "/a/b%2Fc%3F?d=e%26f%3D%22g%22&amp;i=7");
    }
}
