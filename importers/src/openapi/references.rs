//! Targets of references.

use wireform_codegen::diagnostics::nearest;

use crate::node::{IN_OTHER_DOCUMENT, Node};
use crate::reference::Reference;
use crate::value::Value;

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
                self.whole_loss(format!("left out: {}", describe_missing(at.value, segment, &reference.text)));
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

/// Describes a missing member of a value, on the path of a reference.
pub fn describe_missing(value: &Value, segment: &str, reference: &str) -> String {
    let near = match value {
        Value::Object(members) => nearest(segment, members.iter().map(|(name, _)| name.as_str())),
        _ => None,
    };
    let near = near.map(|near| format!("; did you mean `{}`?", near.escape_debug())).unwrap_or_default();
    format!("nothing found at `{}`{near}", reference.escape_debug())
}
