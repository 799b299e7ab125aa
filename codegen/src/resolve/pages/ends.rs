//! Keys of pagination about the request body and the end of a list.

use super::{Reader, is_whole};
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Body, BodyMode, Field, FieldPath, NextPage, Resource, Type};
use crate::resolve::lookup::fields_of;
use crate::schema::Text;

/// Returns the fields of the body in which the page is; reports a body without fields.
pub fn body_fields<'r>(
    body: Option<&Body>,
    span: Span,
    resources: &'r [Resource],
    sink: &mut Sink,
) -> Option<&'r [Field]> {
    let whole = body.filter(|body| body.mode == BodyMode::Whole && body.alternatives.is_empty());
    if whole.is_some_and(|body| body.ty == Type::Unresolved) {
        return None;
    }
    let found = whole.and_then(|body| fields_of(&body.ty, resources));
    if found.is_none() {
        sink.report(Code::BadPaging, span, "`in: body` requires a resource as the request body")
            .help("declare the body, or omit `in` if the page is in a parameter");
    }
    found
}

impl Reader<'_> {
    /// Reports keys about the end of the list that the kind of pagination does not use.
    pub(super) fn misplaced(&mut self, next: NextPage) {
        let def = self.def;
        let is_url = matches!(next, NextPage::Url { .. } | NextPage::Link);
        let is_number = matches!(next, NextPage::Number { .. });
        for (name, key) in [(&def.more, "more"), (&def.last, "last")] {
            if let Some(name) = name.as_ref().filter(|_| is_url) {
                let message = format!("`{key}` cannot be combined with a URL of the next page");
                self.sink.report(Code::BadPaging, name.span, message);
            }
        }
        let is_counted = is_number || matches!(next, NextPage::Offset { .. });
        let keys = [
            (&def.total_pages, "total_pages", is_number, "`number`"),
            (&def.current, "current", is_number, "`number`"),
            (&def.total, "total", is_counted, "`number` or `offset`"),
        ];
        for (name, key, _, needs) in keys.into_iter().filter(|(_, _, holds, _)| !holds) {
            if let Some(name) = name {
                self.sink.report(Code::BadPaging, name.span, format!("`{key}` requires {needs}"));
            }
        }
        if let (Some(location), true) = (&def.location, is_url) {
            self.sink.report(Code::BadPaging, location.span, "`in` cannot be combined with a URL of the next page");
        }
    }

    /// Returns the path of a boolean field of the response, if it is named; `None` if it is unknown.
    pub(super) fn flag(&mut self, name: Option<&Text>) -> Option<Option<FieldPath>> {
        let Some(name) = name else { return Some(None) };
        self.field(name, |ty| *ty == Type::Bool, "not a boolean", "use `type: bool` for the field").map(Some)
    }

    /// Returns the path of an integer field of the response, if it is named; `None` if it is unknown.
    pub(super) fn count(&mut self, name: Option<&Text>) -> Option<Option<FieldPath>> {
        let Some(name) = name else { return Some(None) };
        self.field(name, is_whole, "not an integer", "use `type: int64` for the field").map(Some)
    }
}
