//! Lists that are encoded as a single form field each.

use super::parameters::is_text;
use crate::diagnostics::{Code, Sink};
use crate::model::{Body, Codec, Encoding, FormStyle, Resource, Type};
use crate::schema;
use crate::schema::operation::FormList;
use crate::schema::read::Located;
use crate::schema::shape::Short;
use crate::schema::{Named, Text};

/// Reports names that are not lists of a form.
pub fn check(def: &schema::Operation, body: Option<&Body>, resources: &[Resource], sink: &mut Sink) {
    let (Some(Short(written)), Some(body)) = (&def.body, body) else { return };
    if body.alternatives.is_empty() {
        return of_body(&written.lists, body, resources, sink);
    }
    for one in &body.alternatives {
        if let Some(Short(written)) = written.alternatives.get(&one.name.wire) {
            of_body(&written.lists, &one.body, resources, sink);
        }
    }
}

fn of_body(lists: &Named<Located<FormList>>, body: &Body, resources: &[Resource], sink: &mut Sink) {
    let Some(first) = lists.0.first().map(|(first, _)| first).filter(|_| body.ty != Type::Unresolved) else { return };
    if !body.accepts_form() {
        sink.report(Code::Misplaced, first.span, "`lists` applies only to forms")
            .help("remove it, or add `application/x-www-form-urlencoded` or `multipart/form-data` to `content_types`");
        return;
    }
    if body.style == FormStyle::Brackets {
        sink.report(Code::Misplaced, first.span, "`lists` requires `style: json`")
            .help("remove it: with `style: brackets` each value is a field of its own");
        return;
    }
    let is_multipart = |written: &String| Codec::of(written) == Some(Codec::Multipart);
    let is_delimited = |(_, list): &&(Text, Located<FormList>)| list.value != FormList::Json;
    if let Some((_, list)) = lists.0.iter().find(is_delimited).filter(|_| body.content_types.iter().any(is_multipart)) {
        let message = format!("`{}` does not apply to `multipart/form-data`", list.value.word());
        sink.report(Code::Misplaced, list.span, message)
            .help("use `json`, or make the URL-encoded form an alternative of its own");
        return;
    }
    let Type::Resource(id) = body.ty else { return };
    let fields = resources.get(id.0).map(Resource::named_fields).unwrap_or_default();
    for (name, list) in &lists.0 {
        let Some(field) = fields.iter().find(|field| field.name.wire == name.text) else {
            let message = format!("unknown field `{}` of the form", name.text.escape_debug());
            let known = fields.iter().map(|field| field.name.wire.as_str());
            sink.report(Code::UnknownMember, name.span, message).suggest(&name.text, known);
            continue;
        };
        match &field.ty {
            Type::List(inner) if **inner == Type::Bytes(Encoding::File) => {
                sink.report(
                    Code::BadBody,
                    name.span,
                    format!("`{}` is a list of files, which cannot be JSON", name.text),
                )
                .help("remove it: each file is a part of its own");
            }
            Type::List(inner) if list.value != FormList::Json && !is_text(inner) => {
                let message = format!("`{}` is a list of values that are not single texts", name.text);
                sink.report(Code::BadBody, name.span, message).help("use `json`");
            }
            Type::List(_) | Type::Unresolved => {}
            _ => {
                sink.report(Code::BadBody, name.span, format!("`{}` is not a list", name.text))
                    .help("remove it: resources and maps are one JSON field anyway");
            }
        }
    }
}
