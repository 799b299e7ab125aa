//! Selection of responses that can coexist: those with a body share one type, or the status selects the type.

use std::collections::BTreeSet;

use wireform_codegen::schema::operation::Response;
use wireform_codegen::schema::types::TypeExpr;

use crate::node::Node;
use crate::openapi::media::Content;
use crate::value::Value;

/// First response with a body. Others can have another type, or no body, unless one of them has several media types or is
/// XML.
#[derive(Default)]
pub struct FirstSuccess {
    seen: BTreeSet<String>,
    status: String,
    /// Formatted type.
    ty: Option<String>,
    /// True if it is never absent: text, bytes, any value, null, or one of several media types.
    is_always: bool,
    has_alternatives: bool,
    has_xml: bool,
    has_types_by_status: bool,
}

impl FirstSuccess {
    /// Returns whether a redirection is an error, because the body of a success is never absent.
    pub fn redirects_are_errors(&self) -> bool {
        self.is_always && !self.has_types_by_status
    }

    /// Returns why another response conflicts with the previous ones; `None` if it does not.
    pub fn conflict(&mut self, status: &str, response: &Response, content: Option<&Content<'_>>) -> Option<String> {
        if !self.seen.insert(status.to_owned()) {
            return Some(format!("another response has the status {status}"));
        }
        let is_redirect = status.starts_with('3');
        let has_xml = content.is_some_and(Content::has_xml);
        let Some(own) = formatted(response, content) else {
            let is_alone = self.has_alternatives && !is_redirect;
            self.has_types_by_status |= self.is_always && !self.has_alternatives && !is_redirect;
            return is_alone.then(|| self.always());
        };
        let Some(known) = &self.ty else {
            self.status = status.to_owned();
            self.has_alternatives = !response.alternatives.is_empty();
            self.has_xml = has_xml;
            self.is_always = own == "any"
                || matches!(response.ty, Some(TypeExpr::Nullable(_)))
                || self.has_alternatives
                || content.is_some_and(|content| content.raw().is_some());
            self.has_types_by_status = is_redirect;
            self.ty = Some(own);
            return None;
        };
        let has_alternatives = self.has_alternatives || !response.alternatives.is_empty();
        // Equal alternatives are two enums.
        let is_distinct = *known != own || is_redirect || has_alternatives;
        if is_distinct && (has_alternatives || self.has_xml || has_xml) {
            return Some(format!(
                "its body is `{own}`, but that of the response with status {} is `{known}`",
                self.status
            ));
        }
        self.has_types_by_status |= is_distinct;
        None
    }

    /// Returns the conflict of a success without a body.
    fn always(&self) -> String {
        let known = self.ty.as_deref().unwrap_or_default();
        format!("it has no body, but the response with status {} always has the body `{known}`", self.status)
    }
}

/// Returns the formatted type of a body, if there is one.
fn formatted(response: &Response, content: Option<&Content<'_>>) -> Option<String> {
    if !response.alternatives.is_empty() {
        // A success with several media types is unlike any other.
        return Some(format!("one of {} media types", response.alternatives.0.len()));
    }
    let raw = if content.is_some_and(|content| content.raw().is_some()) { " as it is" } else { "" };
    response.ty.as_ref().map(|ty| match response.encoding {
        Some(encoding) => format!("{ty} as {}{raw}", encoding.value.word()),
        None => format!("{ty}{raw}"),
    })
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
        "1XX" => {
            node.whole_loss("left out: this class of statuses is not supported");
            None
        }
        // A server sends a single status, and a client that does not follow the others would change their meaning.
        "3XX" => {
            node.whole_loss("left out: a redirection requires a single status");
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
