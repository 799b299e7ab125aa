//! References, parsed once: every comparison of two references is one of their decoded targets.

use percent_encoding::percent_decode_str;

/// Reference to a part of a document.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Text in the document.
    pub text: String,
    /// Target, or the reason why there is none.
    pub target: Result<Path, String>,
}

/// Decoded segments of a JSON pointer.
pub type Path = Vec<String>;

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target && (self.target.is_ok() || self.text == other.text)
    }
}

impl Reference {
    /// Returns the name of the component that it refers to, given the section of the components.
    pub fn component(&self, section: &str) -> Option<&str> {
        match self.target.as_deref() {
            Ok([components, own, name]) if components == "components" && own == section => Some(name),
            _ => None,
        }
    }
}

/// Parses the fragment of a reference, a JSON pointer.
///
/// # Errors
/// Returns an error if it is an anchor.
pub fn parse_fragment(fragment: &str) -> Result<Path, String> {
    // In a fragment the slashes between segments can be encoded, too.
    let decoded = decode(fragment);
    let pointer = if fragment.starts_with('/') { fragment } else { &decoded };
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(format!("`#{}` is not a JSON pointer, and anchors are not supported", fragment.escape_debug()));
    }
    Ok(pointer.split('/').skip(1).map(|segment| decode(segment).replace("~1", "/").replace("~0", "~")).collect())
}

/// Decodes percent-encoded characters.
pub fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
