//! Media ranges such as `*/*` that are assumed to be JSON.

use wireform_codegen::schema::Operation;
use wireform_codegen::schema::operation::Response;

use crate::openapi::media::Content;

/// Content that can be assumed to be JSON, and its place in an operation.
pub struct Assumption<'c, 'd> {
    pub content: &'c Content<'d>,
    /// Keys of the overlay from the operation to the body.
    pub path: &'c [&'c str],
    /// Key of the type.
    pub ty: &'c str,
    /// True if the body has an encoding, which does not apply to bytes.
    pub is_encoded: bool,
    /// True if the schema has nothing at this place, so that the overlay adds it.
    pub is_new: bool,
}

impl Assumption<'_, '_> {
    /// Reports the guess that a media range is JSON, if the content has one. The overlay makes the body raw, or keeps its
    /// other media types. `others` are further keys of the operation that adapt to it.
    pub fn report(&self, operation: &str, others: &str) {
        let Some((range, node)) = &self.content.range else { return };
        let range = range.escape_debug();
        let declared: Vec<String> = self
            .content
            .types
            .iter()
            .filter(|written| **written != "application/json")
            .map(|written| format!("\"{}\"", written.escape_debug()))
            .collect();
        let encoding = if self.is_encoded { ", encoding: null" } else { "" };
        let body = match declared.as_slice() {
            [] => format!("content_types: [\"{range}\"], {}: bytes{encoding}", self.ty),
            declared => format!("content_types: [{}]", declared.join(", ")),
        };
        let keys = self.path.iter().rev().fold(body, |inner, key| format!("{key}: {{ {inner} }}"));
        let section = if self.is_new { "add" } else { "change" };
        let overlay = format!("{section}: {{ operations: {{ {operation}: {{ {keys}{others} }} }} }}");
        node.guess(format!("`{range}` is assumed to be JSON"), "off", &overlay);
    }
}

/// Content of a response that is assumed to be JSON.
pub struct AssumedJson<'d> {
    status: String,
    /// Name of its alternative, if the response has several.
    alternative: Option<String>,
    is_encoded: bool,
    content: Content<'d>,
}

impl<'d> AssumedJson<'d> {
    /// Returns the contents of a written response that are assumed to be JSON.
    pub fn of_response(status: &str, response: &Response, contents: Vec<Content<'d>>) -> Vec<Self> {
        let bodies: Vec<(Option<String>, bool)> = match response.alternatives.0.as_slice() {
            [] if response.ty.is_some() => vec![(None, response.encoding.is_some())],
            named => named.iter().map(|(name, one)| (Some(name.text.clone()), one.0.encoding.is_some())).collect(),
        };
        let assumed = contents.into_iter().zip(bodies).filter(|(content, _)| content.range.is_some());
        let of_body =
            |(content, (alternative, is_encoded))| Self { status: status.to_owned(), alternative, is_encoded, content };
        assumed.map(of_body).collect()
    }

    /// Reports the guess for a written operation.
    pub fn report(&self, operation: &str, body: &Operation) {
        let mut path = if body.response.is_some() { vec!["response"] } else { vec!["responses", &self.status] };
        path.extend(self.alternative.iter().flat_map(|name| ["alternatives", name]));
        let (content, path, is_encoded) = (&self.content, path.as_slice(), self.is_encoded);
        // The items of pages are fields of the JSON.
        let others = if body.pages.is_some() { ", pages: null" } else { "" };
        Assumption { content, path, ty: "type", is_encoded, is_new: false }.report(operation, others);
    }
}
