//! References of a document to itself.

use wireform_codegen::diagnostics::nearest;

use crate::node::{ELSEWHERE, Node};
use crate::value::Value;

impl<'d> Node<'d> {
    /// What a reference of the document leads to; a loss where it leads nowhere.
    pub fn target(&self, root: &Node<'d>, reference: &str) -> Option<Node<'d>> {
        let Some(path) = reference.strip_prefix('#') else {
            self.mistake(format!("`{}` {ELSEWHERE}", reference.escape_debug()));
            return None;
        };
        let mut at = root.clone();
        at.bare = false;
        for piece in path.split('/').skip(1) {
            let piece = percent_decoded(piece).replace("~1", "/").replace("~0", "~");
            let next = match at.value {
                Value::List(items) => piece.parse::<usize>().ok().and_then(|index| items.get(index)),
                value => value.get(&piece),
            };
            let Some(next) = next else {
                let names = if let Value::Object(members) = at.value { Some(members) } else { None };
                let names = names.into_iter().flatten().map(|(name, _)| name.as_str());
                let near = nearest(&piece, names).map(|near| format!("; did you mean `{}`?", near.escape_debug()));
                let near = near.unwrap_or_default();
                self.whole_loss(format!("left out: there is nothing at `{}`{near}", reference.escape_debug()));
                return None;
            };
            at = at.below(&piece, next);
        }
        Some(at)
    }

    /// The value that stands here, or what a reference in its place leads to; a loss where that is a circle.
    pub fn resolved(&self, root: &Node<'d>) -> Option<Node<'d>> {
        let mut at = self.clone();
        for _ in 0..MOST_STEPS {
            let Some(reference) = at.text("$ref") else { return Some(at) };
            at = at.target(root, reference)?;
        }
        self.whole_loss("left out: the reference leads back to itself");
        None
    }
}

/// The most references that may follow one another.
const MOST_STEPS: usize = 32;

/// RFC 3986, section 2.1; what is no such sequence stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| *byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
