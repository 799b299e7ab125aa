//! Which of several successes stand beside one another: those with a body have one type, and others have none.

use std::collections::BTreeSet;

use wireform_codegen::schema::operation::Response;

use crate::node::Node;
use crate::openapi::media::Content;
use crate::value::Value;

/// The first success that has a body, whose type all others have that have one.
#[derive(Default)]
pub struct First {
    seen: BTreeSet<String>,
    status: String,
    /// How its type is written.
    ty: Option<String>,
    /// Whether it is never absent: text, bytes and what can be anything.
    is_always: bool,
}

impl First {
    /// Why another success cannot stand beside those before it; nothing where it can.
    pub fn differs(&mut self, status: &str, response: &Response, content: Option<&Content<'_>>) -> Option<String> {
        if !self.seen.insert(status.to_owned()) {
            return Some(format!("another success has the status {status} already"));
        }
        let own = if response.alternatives.is_empty() {
            response.ty.as_ref().map(|ty| match response.encoding {
                Some(encoding) => format!("{ty} as {}", encoding.value.word()),
                None => ty.to_string(),
            })
        } else {
            // No other success is like one that is of several media types.
            Some(format!("one of {} media types, with status {status}", response.alternatives.0.len()))
        };
        let (Some(known), Some(own)) = (&self.ty, &own) else {
            let known = self.ty.as_ref().filter(|_| self.is_always).map(|known| {
                format!("it has no body, and the success with status {} always has one, `{known}`", self.status)
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
        (known != own).then(|| format!("it is `{own}`, and the success with status {} is `{known}`", self.status))
    }
}

/// Puts the successes that have a body before those without one: where only one can stay, it is the one that says more.
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

/// The status of a success, nothing of an error; nothing at all where it is neither.
pub fn success(status: &str, has_success: bool, node: &Node<'_>) -> Option<Option<String>> {
    match status {
        "2XX" => Some(Some("200".to_owned())),
        "DEFAULT" if !has_success => Some(Some("200".to_owned())),
        "DEFAULT" | "4XX" | "5XX" => Some(None),
        "1XX" | "3XX" => {
            node.whole_loss("left out: a class of answers that are neither successes nor errors");
            None
        }
        status => match status.parse::<u16>() {
            Ok(100..=399) => Some(Some(status.to_owned())),
            Ok(400..=599) => Some(None),
            _ => {
                node.whole_loss(format!("left out: `{}` is no status", status.escape_debug()));
                None
            }
        },
    }
}
