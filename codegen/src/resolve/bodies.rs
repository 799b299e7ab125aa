//! Request bodies.

use super::media_types::content_types;
use super::members::{text, texts};
use super::tables::Tables;
use super::{elements, xml};
use crate::diagnostics::{Code, Sink, Span};
use crate::model::xml::has_xml;
use crate::model::{Body, BodyMode, Codec, FormList, FormStyle, Type, XmlMapping};
use crate::schema::Text;
use crate::schema::http::HttpLine;
use crate::schema::operation::{self, BodyMode as WrittenMode};
use crate::schema::types::TypeExpr;

/// Media type of merge patches (RFC 7396).
const MERGE_PATCH: &str = "application/merge-patch+json";
/// Media type of JSON Patch (RFC 6902).
const JSON_PATCH: &str = "application/json-patch+json";

impl Tables<'_> {
    /// Resolves the request body of an operation.
    pub fn body(&mut self, body: &operation::Body, http: &HttpLine, sink: &mut Sink) -> Body {
        // The meaning of a body of GET and DELETE is up to both sides (RFC 9110, sections 9.3.1 and 9.3.5).
        if http.method == "HEAD" {
            sink.report(Code::BadBody, body.span, "a HEAD request cannot have a body")
                .help("use another method, or pass the values in the query");
        }
        let required = body.required.is_none_or(|required| required.value);
        if body.alternatives.is_empty() {
            return Body { required, ..self.one_body(body, http, false, sink) };
        }
        self.mark_misplaced(body.ty.as_ref());
        let alternatives = self.body_alternatives(body, http, sink);
        Body {
            ty: Type::Any,
            mode: BodyMode::Whole,
            counts: Vec::new(),
            required,
            content_types: alternatives.iter().flat_map(|one| one.body.content_types.clone()).collect(),
            style: FormStyle::Json,
            lists: Vec::new(),
            xml: XmlMapping::default(),
            doc: text(body.doc.as_ref()),
            alternatives,
        }
    }

    /// Resolves a body, or one of its alternatives.
    pub(super) fn one_body(
        &mut self,
        body: &operation::Body,
        http: &HttpLine,
        is_alternative: bool,
        sink: &mut Sink,
    ) -> Body {
        let mode = match body.mode {
            None | Some(WrittenMode::Whole) => BodyMode::Whole,
            Some(WrittenMode::MergePatch) => BodyMode::MergePatch,
            Some(WrittenMode::JsonPatch) => BodyMode::JsonPatch,
        };
        let Some(ty) = self.body_type(body, mode, sink) else { return unresolved_body(body, mode) };
        check_mode(body, &ty, mode, http, sink);
        let content_types = media_types(body, mode, is_alternative, sink);
        let codecs: Vec<_> = content_types.iter().map(|media_type| Codec::of_type(media_type, &ty)).collect();
        let is_raw = matches!(ty, Type::Bytes(_) | Type::String);
        if let (true, false, Some(first)) = (codecs.iter().all(Option::is_none), is_raw, body.content_types.first()) {
            sink.report(Code::Reserved, first.span, "unsupported type of a request body").help(
                "add a media type such as `application/json` or `application/x-www-form-urlencoded`, or use `bytes` \
                    or `string` for the raw body",
            );
        }
        if codecs.iter().any(|codec| matches!(codec, Some(Codec::Form | Codec::Multipart))) {
            Self::check_form(body, &ty, mode, sink);
        }
        if mode != BodyMode::Whole
            && let Some(span) = xml_type(&body.content_types)
        {
            sink.report(Code::BadBody, span, "a patch cannot be XML").help("remove the media type");
        }
        Body {
            xml: xml::xml_mapping(body.xml.as_ref(), xml::XmlSubject::Body(&ty, has_xml(&ty, &content_types)), sink),
            counts: elements::of_values(Some(&body.counts()), &ty, &self.patterns, sink),
            ty,
            mode,
            required: true,
            style: form_style(body, &codecs, sink),
            lists: form_lists(body),
            content_types,
            doc: text(body.doc.as_ref()),
            alternatives: Vec::new(),
        }
    }

    /// Returns the type of a body. A JSON Patch has none, because it is a list of operations on any resource.
    fn body_type(&mut self, body: &operation::Body, mode: BodyMode, sink: &mut Sink) -> Option<Type> {
        match (&body.ty, mode) {
            (Some(ty), BodyMode::JsonPatch) => {
                sink.report(Code::Misplaced, ty.span(), "`type` cannot be combined with `as: json_patch`")
                    .help("remove `type`: a JSON Patch is always a list of operations");
                // Resolved nevertheless, so that the type is not reported as unused.
                self.ty(ty, sink)?;
                Some(Type::Any)
            }
            (None, BodyMode::JsonPatch) => Some(Type::Any),
            (Some(ty), BodyMode::Whole | BodyMode::MergePatch) => {
                self.encoded_body(ty, body.encoding, &body.content_types, sink)
            }
            (None, BodyMode::Whole | BodyMode::MergePatch) => {
                sink.report(Code::MissingKey, body.span, "missing key `type`")
                    .help("add it, for example `type: Event`, or use `as: json_patch`");
                None
            }
        }
    }

    /// Reports bodies that cannot be a form.
    fn check_form(body: &operation::Body, ty: &Type, mode: BodyMode, sink: &mut Sink) {
        if !matches!(ty, Type::Resource(_)) {
            let message = "expected a resource as the type of a form";
            let span = body.ty.as_ref().map_or(body.span, TypeExpr::span);
            sink.report(Code::BadBody, span, message).help("define a resource with the fields of the form");
            return;
        }
        if mode == BodyMode::MergePatch {
            sink.report(Code::BadBody, body.span, "a form cannot be a merge patch: it cannot represent null")
                .help("remove the form from `content_types`, or remove `as: merge_patch`");
        }
    }
}

/// Returns the media types of a body: the listed ones, or those of its mode.
fn media_types(body: &operation::Body, mode: BodyMode, is_alternative: bool, sink: &mut Sink) -> Vec<String> {
    match content_types(&body.content_types, sink) {
        found if !body.content_types.is_empty() || mode == BodyMode::Whole => found,
        // The media type of RFC 7396, which other clients send as well.
        found if mode == BodyMode::MergePatch && !is_alternative => {
            found.into_iter().chain([MERGE_PATCH.to_owned()]).collect()
        }
        _ if mode == BodyMode::MergePatch => vec![MERGE_PATCH.to_owned()],
        _ => vec![JSON_PATCH.to_owned()],
    }
}

/// Returns the lists that are single form fields, sorted by name.
fn form_lists(body: &operation::Body) -> Vec<(String, FormList)> {
    let list = |list| match list {
        operation::FormList::Json => FormList::Json,
        operation::FormList::Comma => FormList::Comma,
        operation::FormList::Space => FormList::Space,
        operation::FormList::Pipe => FormList::Pipe,
    };
    let mut lists: Vec<_> = body.lists.0.iter().map(|(name, one)| (name.text.clone(), list(one.value))).collect();
    lists.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    lists
}

/// Returns a body whose type could not be resolved.
fn unresolved_body(body: &operation::Body, mode: BodyMode) -> Body {
    Body {
        ty: Type::Unresolved,
        mode,
        counts: Vec::new(),
        required: true,
        content_types: texts(&body.content_types),
        style: FormStyle::Json,
        lists: Vec::new(),
        xml: XmlMapping::default(),
        doc: text(body.doc.as_ref()),
        alternatives: Vec::new(),
    }
}

/// Reports bodies that cannot be patches.
fn check_mode(body: &operation::Body, ty: &Type, mode: BodyMode, http: &HttpLine, sink: &mut Sink) {
    let changes = !matches!(http.method.as_str(), "GET" | "DELETE" | "OPTIONS");
    let span = body.ty.as_ref().map_or(body.span, TypeExpr::span);
    match mode {
        BodyMode::MergePatch if !matches!(ty, Type::Resource(_)) => {
            sink.report(Code::BadBody, span, "expected a resource as the type of a merge patch");
        }
        BodyMode::MergePatch | BodyMode::JsonPatch if !changes => {
            let what = if mode == BodyMode::MergePatch { "a merge patch" } else { "a JSON Patch" };
            let message = format!("a {} operation cannot take {what}", http.method);
            sink.report(Code::BadBody, body.span, message).help("use PATCH, or remove `as`");
        }
        BodyMode::Whole | BodyMode::MergePatch | BodyMode::JsonPatch => {}
    }
}

/// Returns the span of a media type of XML.
fn xml_type(written: &[Text]) -> Option<Span> {
    written.iter().find(|one| Codec::of(&one.text) == Some(Codec::Xml)).map(|one| one.span)
}

/// Returns the encoding of structured values in a form; reports one that has no effect.
fn form_style(body: &operation::Body, codecs: &[Option<Codec>], sink: &mut Sink) -> FormStyle {
    let Some(style) = body.style else { return FormStyle::Json };
    if !codecs.iter().any(|codec| matches!(codec, Some(Codec::Form | Codec::Multipart))) {
        sink.report(Code::Misplaced, style.span, "`style` applies only to forms")
            .help("remove it, or add `application/x-www-form-urlencoded` or `multipart/form-data` to `content_types`");
    }
    match style.value {
        operation::FormStyle::Json => FormStyle::Json,
        operation::FormStyle::Brackets => FormStyle::Brackets,
    }
}
