//! Request bodies, responses and errors.

use super::members::{text, texts};
use super::tables::Tables;
use super::{types, xml};
use crate::diagnostics::{Code, Sink, Span};
use crate::model::xml::{has_xml, is_document};
use crate::model::{Body, BodyMode, Codec, ErrorCase, ErrorStatus, FormStyle, Response, Type, XmlFacts};
use crate::schema::http::HttpLine;
use crate::schema::operation::{self, BodyMode as WrittenMode};
use crate::schema::shape::Short;
use crate::schema::types::TypeExpr;
use crate::schema::{self, Text, habits};

const JSON: &str = "application/json";
const MERGE_PATCH: &str = "application/merge-patch+json";
const JSON_PATCH: &str = "application/json-patch+json";

impl Tables<'_> {
    /// Resolves the request body of an operation.
    pub fn body(&mut self, body: &operation::Body, http: &HttpLine, sink: &mut Sink) -> Option<Body> {
        // The meaning of a body of GET and DELETE is up to both sides (RFC 9110, sections 9.3.1 and 9.3.5).
        if http.method == "HEAD" {
            sink.report(Code::BadBody, body.span, "a HEAD request cannot have a body")
                .help("use another method, or pass the values in the query");
        }
        let required = body.required.is_none_or(|required| required.value);
        if body.alternatives.is_empty() {
            return Some(Body { required, ..self.one_body(body, http, false, sink)? });
        }
        let alternatives = self.body_alternatives(body, http, sink);
        Some(Body {
            ty: Type::Any,
            mode: BodyMode::Whole,
            required,
            content_types: alternatives.iter().flat_map(|one| one.body.content_types.clone()).collect(),
            style: FormStyle::Json,
            json_lists: Vec::new(),
            xml: XmlFacts::default(),
            doc: text(body.doc.as_ref()),
            alternatives,
        })
    }

    /// Resolves a body, or one of its alternatives.
    pub(super) fn one_body(
        &mut self,
        body: &operation::Body,
        http: &HttpLine,
        is_alternative: bool,
        sink: &mut Sink,
    ) -> Option<Body> {
        let mode = match body.mode {
            None | Some(WrittenMode::Whole) => BodyMode::Whole,
            Some(WrittenMode::MergePatch) => BodyMode::MergePatch,
            Some(WrittenMode::JsonPatch) => BodyMode::JsonPatch,
        };
        let ty = self.body_type(body, mode, sink)?;
        check_mode(body, &ty, mode, http, sink);
        let content_types = match content_types(&body.content_types, sink) {
            found if !body.content_types.is_empty() || mode == BodyMode::Whole => found,
            // The media type of RFC 7396, which other clients send as well.
            found if mode == BodyMode::MergePatch && !is_alternative => {
                found.into_iter().chain([MERGE_PATCH.to_owned()]).collect()
            }
            _ if mode == BodyMode::MergePatch => vec![MERGE_PATCH.to_owned()],
            _ => vec![JSON_PATCH.to_owned()],
        };
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
        Some(Body {
            xml: xml::facts(body.xml.as_ref(), xml::Of::Body(&ty, has_xml(&ty, &content_types)), sink),
            ty,
            mode,
            required: true,
            style: form_style(body, &codecs, sink),
            json_lists: texts(&body.json_lists),
            content_types,
            doc: text(body.doc.as_ref()),
            alternatives: Vec::new(),
        })
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
                Some(types::encode(self.ty(ty, sink)?, body.encoding, sink))
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

    /// Resolves the successful responses.
    pub fn responses(&mut self, def: &schema::Operation, sink: &mut Sink) -> Vec<Response> {
        let mut list = Vec::new();
        if let Some(Short(response)) = &def.response {
            list.extend(self.response(200, response, sink));
        }
        for (key, Short(response)) in &def.responses.0 {
            let Some(status) = status(key, 100..=399, sink) else { continue };
            if status == 200 && def.response.is_some() {
                sink.report(
                    Code::BadBody,
                    key.span,
                    "duplicate response for status 200: `response` already declares it",
                );
            }
            list.extend(self.response(status, response, sink));
        }
        if list.is_empty() {
            // By default the response has no body.
            list.push(Response {
                status: 204,
                ty: None,
                content_types: Vec::new(),
                headers: Vec::new(),
                xml: XmlFacts::default(),
                doc: String::new(),
                alternatives: Vec::new(),
            });
        }
        list.sort_by_key(|response| response.status);
        self.check_answers(def, &list, sink);
        super::headers::check_consistent(def, list.iter().map(|response| response.headers.as_slice()), sink);
        list
    }

    /// Checks that the successes of an operation have at most one kind of body, which may be absent: a caller must be
    /// able to decode any success.
    fn check_answers(&self, def: &schema::Operation, list: &[Response], sink: &mut Sink) {
        let answers = || list.iter().filter(|response| response.status < 300);
        let Some(first) = answers().find(|response| response.ty.is_some()) else { return };
        let bodiless = answers().find(|response| response.ty.is_none());
        let several = answers().filter(|response| response.ty.is_some()).count() > 1;
        if several && answers().any(|response| !response.alternatives.is_empty()) {
            sink.report(
                Code::BadBody,
                def.http.span,
                "an operation with `alternatives` cannot have another success with a body",
            )
            .help("keep a body in only one success");
        } else if answers().any(|response| response.ty.is_some() && response.ty != first.ty) {
            sink.report(Code::BadBody, def.http.span, "the successes of the operation have different types")
                .help("use one type for all successes with a body");
        } else if let Some(bodiless) = bodiless
            && let Some(why) = needs_body(def, first)
        {
            let message = format!("a success with status {} cannot have a body, but {why}", bodiless.status);
            sink.report(Code::BadBody, def.http.span, message).help("use one type for all successes");
        }
        if def.http.method == "HEAD" {
            sink.report(Code::BadBody, def.http.span, "a HEAD response cannot have a body")
                .help("remove the type of the response");
        }
    }

    fn response(&mut self, status: u16, response: &operation::Response, sink: &mut Sink) -> Option<Response> {
        if let (Some(ty), 204 | 304) = (&response.ty, status) {
            let report = sink.report(
                Code::BadBody,
                ty.span(),
                format!("a response with status {status} has no body and cannot have a type"),
            );
            report.help(format!("write a description instead: `{status}: {{ doc: The item was deleted. }}`"));
            return None;
        }
        if !response.alternatives.is_empty() {
            return self.response_of_alternatives(status, response, sink);
        }
        let ty = match &response.ty {
            Some(ty) => Some(types::encode(self.ty(ty, sink)?, response.encoding, sink)),
            None => None,
        };
        check_answered(ty.as_ref(), &response.content_types, sink);
        let content_types = content_types(&response.content_types, sink);
        let is_xml = ty.as_ref().is_some_and(|ty| has_xml(ty, &content_types));
        let of = xml::Of::Body(ty.as_ref().unwrap_or(&Type::Any), is_xml);
        Some(Response {
            status,
            xml: xml::facts(response.xml.as_ref(), of, sink),
            ty,
            content_types,
            headers: self.answer_headers(&response.headers, sink),
            doc: text(response.doc.as_ref()),
            alternatives: Vec::new(),
        })
    }

    /// Resolves the errors of the contract.
    pub fn errors(&mut self, def: &schema::Operation, sink: &mut Sink) -> Vec<ErrorCase> {
        let mut list = Vec::new();
        for (key, Short(case)) in &def.errors.0 {
            let Some(status) = error_status(key, sink) else { continue };
            list.push(ErrorCase {
                status,
                doc: text(case.doc.as_ref()),
                reason: case.reason.as_ref().map(|reason| reason.text.clone()),
                body: self.error_case_body(case, def, sink),
                content_types: content_types(&case.content_types, sink),
                headers: self.answer_headers(&case.headers, sink),
                origin: case.origin.as_ref().map(|origin| origin.text.clone()),
            });
        }
        list.sort_by_key(|case| case.status);
        super::headers::check_consistent(def, list.iter().map(|case| case.headers.as_slice()), sink);
        list
    }

    /// Returns the type of an error's own body. Without one, the API decides the media type.
    fn error_case_body(
        &mut self,
        case: &operation::ErrorCase,
        def: &schema::Operation,
        sink: &mut Sink,
    ) -> Option<Type> {
        let Some(expr) = &case.body else {
            if let Some(first) = case.content_types.first() {
                sink.report(Code::Misplaced, first.span, "`content_types` requires a `body` in the error")
                    .help("add a `body`, or remove `content_types`: the default error body is JSON");
            }
            return None;
        };
        let ty = self.ty(expr, sink)?;
        let is_of_api = self.api.errors.as_ref().is_some_and(|errors| errors.body.to_string() == expr.to_string());
        if is_of_api && case.content_types.is_empty() {
            return None;
        }
        if def.http.method == "HEAD" {
            sink.report(Code::BadBody, expr.span(), "a HEAD response cannot have a body").help("remove `body`");
        }
        let is_json = |media_type: &Text| Codec::of(&media_type.text) == Some(Codec::Json);
        let is_raw = matches!(ty, Type::Bytes(_) | Type::String);
        if let (false, false, Some(first)) =
            (case.content_types.iter().any(is_json), is_raw, case.content_types.first())
        {
            sink.report(Code::Reserved, first.span, "unsupported type of an error body").help(
                "add a media type such as `application/problem+json`, or use `bytes` or `string` for the raw body",
            );
        }
        Some(ty)
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

/// Reports a response whose media types are neither JSON nor XML nor raw.
pub(super) fn check_answered(ty: Option<&Type>, media_types: &[Text], sink: &mut Sink) {
    let is_written = |media_type: &Text| {
        let codec = Codec::of(&media_type.text);
        codec == Some(Codec::Json) || codec == Some(Codec::Xml) && ty.is_some_and(is_document)
    };
    let is_raw = matches!(ty, None | Some(Type::Bytes(_) | Type::String));
    if let (false, false, Some(first)) = (media_types.iter().any(is_written), is_raw, media_types.first()) {
        sink.report(Code::Reserved, first.span, "unsupported type of a response body")
            .help("add a media type such as `application/json`, or use `bytes` or `string` for the raw body");
    }
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

/// Returns why every success of an operation must have a body, whatever its status.
fn needs_body(def: &schema::Operation, answer: &Response) -> Option<&'static str> {
    if answer.raw().is_some() {
        Some("a raw body is never absent: it can be empty")
    } else if !answer.alternatives.is_empty() {
        Some("a body with alternatives is never absent")
    } else if matches!(answer.ty, Some(Type::Any)) {
        Some("a body of type `any` is never absent: it can be null")
    } else if def.pages.is_some() {
        Some("pagination reads the body of each success")
    } else if def.media.is_some() {
        Some("a media download requires a body")
    } else {
        def.long_running.is_some().then_some("a long-running operation reads its state from the body of each success")
    }
}

/// Parses the statuses of an error: a single one, a class, or the default.
fn error_status(key: &Text, sink: &mut Sink) -> Option<ErrorStatus> {
    match key.text.as_str() {
        "default" => Some(ErrorStatus::Default),
        "4XX" => Some(ErrorStatus::Class(4)),
        "5XX" => Some(ErrorStatus::Class(5)),
        _ => status(key, 400..=599, sink).map(ErrorStatus::Exact),
    }
}

fn status(key: &Text, range: std::ops::RangeInclusive<u16>, sink: &mut Sink) -> Option<u16> {
    let found = key.text.parse().ok().filter(|status| key.text.len() == 3 && range.contains(status));
    if found.is_none() {
        let is_error = *range.start() >= 400;
        let classes = if is_error { ", a class (`4XX` or `5XX`) or `default`" } else { "" };
        let help = habits::status(&key.text, is_error)
            .unwrap_or_else(|| format!("write a number from {} to {}{classes}", range.start(), range.end()));
        sink.report(Code::BadStatus, key.span, format!("invalid status `{}`", key.text)).help(help);
    }
    found
}

/// Returns whether a text is a media type or a media range (RFC 9110, section 8.3.1): two tokens, then parameters,
/// all valid in a header.
#[must_use]
pub fn is_media_type(text: &str) -> bool {
    let token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    let fits = essence.trim_end().split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype));
    fits && parameters.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// Reports texts that are neither a media type nor a media range.
pub fn check_media_types(written: &[Text], sink: &mut Sink) {
    for media_type in written {
        if !is_media_type(&media_type.text) {
            let text = media_type.text.escape_debug();
            sink.report(Code::BadBody, media_type.span, format!("invalid media type `{text}`"))
                .help("write a media type such as `application/json`");
        }
    }
}

pub(super) fn content_types(written: &[Text], sink: &mut Sink) -> Vec<String> {
    check_media_types(written, sink);
    if written.is_empty() { vec![JSON.to_owned()] } else { texts(written) }
}
