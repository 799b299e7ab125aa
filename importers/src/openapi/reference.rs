//! References, parsed once: every comparison of two references is one of their decoded targets.

use percent_encoding::percent_decode_str;
use wireform_codegen::diagnostics::nearest;

use crate::node::{IN_OTHER_DOCUMENT, Node};
use crate::value::Value;

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

impl<'d> Node<'d> {
    /// Returns the name of the schema of the components that a schema refers to.
    pub fn component(&self) -> Option<&'d str> {
        self.value.component()
    }

    /// Returns the schema of the components with a name.
    pub fn schema(&self, name: &str) -> Option<Node<'d>> {
        self.get("components")?.get("schemas")?.get(name)
    }

    /// Returns the target of the reference that the object is; a dangling one is a loss.
    pub fn target(&self, root: &Node<'d>) -> Option<Node<'d>> {
        let reference = self.get("$ref")?;
        match reference.value {
            Value::Reference(found) => {
                reference.mark_read();
                self.find(root, found)
            }
            Value::Text(text) if !text.starts_with('#') => {
                self.error(format!("`{}` {IN_OTHER_DOCUMENT}", text.escape_debug()));
                None
            }
            Value::Text(_) => {
                self.whole_loss("left out: references are not supported at this location");
                None
            }
            _ => {
                reference.as_text();
                None
            }
        }
    }

    /// Resolves a reference.
    fn find(&self, root: &Node<'d>, reference: &Reference) -> Option<Node<'d>> {
        let path = match &reference.target {
            Ok(path) => path,
            Err(problem) => {
                self.whole_loss(format!("left out: {problem}"));
                return None;
            }
        };
        let mut at = root.clone();
        at.without_alternatives = false;
        for segment in path {
            let Some(next) = at.value.part(segment) else {
                let near = match at.value {
                    Value::Object(members) => nearest(segment, members.iter().map(|(name, _)| name.as_str())),
                    _ => None,
                };
                let near = near.map(|near| format!("; did you mean `{}`?", near.escape_debug())).unwrap_or_default();
                self.whole_loss(format!("left out: nothing found at `{}`{near}", reference.text.escape_debug()));
                return None;
            };
            at = at.child_at(segment, next);
        }
        Some(at)
    }

    /// Returns the value itself, or the target of a reference; a cycle is a loss.
    pub fn resolved(&self, root: &Node<'d>) -> Option<Node<'d>> {
        let mut at = self.clone();
        for _ in 0..MAX_STEPS {
            if !at.has("$ref") {
                return Some(at);
            }
            at = at.target(root)?;
        }
        self.whole_loss("left out: cyclic reference");
        None
    }
}

/// Maximum length of a chain of references.
const MAX_STEPS: usize = 32;
