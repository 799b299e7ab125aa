//! References within a document.

use percent_encoding::percent_decode_str;
use wireform_codegen::diagnostics::nearest;

use crate::node::{IN_OTHER_DOCUMENT, Node};
use crate::value::Value;

impl<'d> Node<'d> {
    /// Resolves a reference; a dangling one is a loss.
    pub fn target(&self, root: &Node<'d>, reference: &str) -> Option<Node<'d>> {
        let Some(path) = reference.strip_prefix('#') else {
            self.error(format!("`{}` {IN_OTHER_DOCUMENT}", reference.escape_debug()));
            return None;
        };
        let mut at = root.clone();
        at.without_alternatives = false;
        for piece in path.split('/').skip(1) {
            let piece = percent_decode_str(piece).decode_utf8_lossy().replace("~1", "/").replace("~0", "~");
            let next = match at.value {
                Value::List(items) => piece.parse::<usize>().ok().and_then(|index| items.get(index)),
                value => value.get(&piece),
            };
            let Some(next) = next else {
                let names = if let Value::Object(members) = at.value { Some(members) } else { None };
                let names = names.into_iter().flatten().map(|(name, _)| name.as_str());
                let near = nearest(&piece, names).map(|near| format!("; did you mean `{}`?", near.escape_debug()));
                let near = near.unwrap_or_default();
                self.whole_loss(format!("left out: nothing found at `{}`{near}", reference.escape_debug()));
                return None;
            };
            at = at.child_at(&piece, next);
        }
        Some(at)
    }

    /// Returns the value itself, or the target of a reference; a cycle is a loss.
    pub fn resolved(&self, root: &Node<'d>) -> Option<Node<'d>> {
        let mut at = self.clone();
        for _ in 0..MAX_STEPS {
            let Some(reference) = at.text("$ref") else { return Some(at) };
            at = at.target(root, reference)?;
        }
        self.whole_loss("left out: cyclic reference");
        None
    }
}

/// Maximum length of a chain of references.
const MAX_STEPS: usize = 32;
