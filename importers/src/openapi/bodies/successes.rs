//! Selection of successes that can coexist: those with a body share one type, and others have none.

use std::collections::BTreeSet;

use wireform_codegen::schema::operation::Response;

use crate::node::Node;
use crate::openapi::media::Content;
use crate::value::Value;

/// First success with a body; all others with a body must have its type, and all must have one if it is never absent.
#[derive(Default)]
pub struct FirstSuccess {
    seen: BTreeSet<String>,
    status: String,
    /// Formatted type.
    ty: Option<String>,
    /// True if it is never absent: text, bytes, any value, or one of several media types.
    is_always: bool,
}

impl FirstSuccess {
    /// Returns whether the body of a success is never absent.
    pub fn is_always(&self) -> bool {
        self.is_always
    }

    /// Returns why another success conflicts with the previous ones; `None` if it does not.
    pub fn conflict(&mut self, status: &str, response: &Response, content: Option<&Content<'_>>) -> Option<String> {
        if !self.seen.insert(status.to_owned()) {
            return Some(format!("another response has the status {status}"));
        }
        let own = if response.alternatives.is_empty() {
            response.ty.as_ref().map(|ty| match response.encoding {
                Some(encoding) => format!("{ty} as {}", encoding.value.word()),
                None => ty.to_string(),
            })
        } else {
            // A success with several media types is unlike any other.
            Some(format!("one of {} media types, with status {status}", response.alternatives.0.len()))
        };
        let (Some(known), Some(own)) = (&self.ty, &own) else {
            let known = self.ty.as_ref().filter(|_| self.is_always).map(|known| {
                format!("it has no body, but the response with status {} always has the body `{known}`", self.status)
            });
            if own.is_some() {
                self.status = status.to_owned();
                self.is_always = own.as_deref() == Some("any")
                    || !response.alternatives.is_empty()
                    || content.is_some_and(|content| content.raw().is_some());
                self.ty = own;
            }
            return known;
        };
        (known != own)
            .then(|| format!("its body is `{own}`, but that of the response with status {} is `{known}`", self.status))
    }
}

/// Sorts successes with a body before those without: if only one can stay, it is the more specific one.
pub fn bodies_first<'d>(root: &Node<'d>, all: &mut [(&'d str, Node<'d>)]) {
    let has_body = |status: &str, node: &Node<'d>| {
        !matches!(status, "204" | "205")
            && node
                .resolved(root)
                .and_then(|node| node.object()?.get("content"))
                .is_some_and(|content| matches!(content.value, Value::Object(members) if !members.is_empty()))
    };
    if all.iter().any(|(status, node)| status.starts_with('2') && has_body(status, node)) {
        all.sort_by_key(|(status, node)| status.starts_with('2') && !has_body(status, node));
    }
}

/// Returns the status of a success, `Some(None)` for an error, and `None`, with a loss, for anything else.
pub fn success(status: &str, has_success: bool, node: &Node<'_>) -> Option<Option<String>> {
    match status {
        "2XX" => Some(Some("200".to_owned())),
        "DEFAULT" if !has_success => Some(Some("200".to_owned())),
        "DEFAULT" | "4XX" | "5XX" => Some(None),
        "1XX" | "3XX" => {
            node.whole_loss("left out: this class of statuses is not supported");
            None
        }
        status => match status.parse::<u16>() {
            Ok(100..=399) => Some(Some(status.to_owned())),
            Ok(400..=599) => Some(None),
            _ => {
                node.whole_loss(format!("left out: invalid status `{}`", status.escape_debug()));
                None
            }
        },
    }
}
