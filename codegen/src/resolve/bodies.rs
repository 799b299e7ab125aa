//! Request bodies, responses and errors.

use super::members::{text, texts};
use super::parameters::is_token;
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
            sink.report(Code::BadBody, body.span, "a HEAD has no body")
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
            sink.report(Code::Reserved, first.span, "bodies of this type are not generated yet").help(
                "name a type such as `application/json` or `application/x-www-form-urlencoded` as well, \
                 or take the body as it is, with the type `bytes` or `string`",
            );
        }
        if codecs.iter().any(|codec| matches!(codec, Some(Codec::Form | Codec::Multipart))) {
            Self::check_form(body, &ty, mode, sink);
        }
        if mode != BodyMode::Whole
            && let Some(span) = xml_type(&body.content_types)
        {
            sink.report(Code::BadBody, span, "a patch is JSON, and not XML").help("leave the media type out");
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
                sink.report(Code::Misplaced, ty.span(), "a JSON Patch is a list of operations, and has no other type")
                    .help("leave `type` out");
                // Resolved nevertheless, so that the type is not reported as unused.
                self.ty(ty, sink)?;
                Some(Type::Any)
            }
            (None, BodyMode::JsonPatch) => Some(Type::Any),
            (Some(ty), BodyMode::Whole | BodyMode::MergePatch) => {
                Some(types::encode(self.ty(ty, sink)?, body.encoding, sink))
            }
            (None, BodyMode::Whole | BodyMode::MergePatch) => {
                sink.report(Code::MissingKey, body.span, "the key `type` is missing")
                    .help("add for example `type: Event`, or `as: json_patch`, which has no type");
                None
            }
        }
    }

    /// Reports bodies that cannot be a form.
    fn check_form(body: &operation::Body, ty: &Type, mode: BodyMode, sink: &mut Sink) {
        if !matches!(ty, Type::Resource(_)) {
            let message = "the body of a form is a resource, whose members are its fields";
            let span = body.ty.as_ref().map_or(body.span, TypeExpr::span);
            sink.report(Code::BadBody, span, message).help("define a resource with the members of the form");
            return;
        }
        if mode == BodyMode::MergePatch {
            sink.report(Code::BadBody, body.span, "a form cannot be a merge patch: it has no null")
                .help("leave the form out of `content_types`, or `as: merge_patch`");
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
                sink.report(Code::BadBody, key.span, "the status 200 has an answer already: `response`");
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
            sink.report(Code::BadBody, def.http.span, "several successes have a body, one of them with `alternatives`")
                .help("give one success `alternatives`, and no other one a body");
        } else if answers().any(|response| response.ty.is_some() && response.ty != first.ty) {
            sink.report(Code::BadBody, def.http.span, "the successes of the operation answer different types")
                .help("give all of them that have a body one type");
        } else if let Some(bodiless) = bodiless
            && let Some(why) = needs_body(def, first)
        {
            let message = format!("a success with status {} has no body, and {why}", bodiless.status);
            sink.report(Code::BadBody, def.http.span, message).help("give all successes one type");
        }
        if def.http.method == "HEAD" {
            sink.report(Code::BadBody, def.http.span, "the answer to a HEAD has no body")
                .help("leave the type of the response out");
        }
    }

    fn response(&mut self, status: u16, response: &operation::Response, sink: &mut Sink) -> Option<Response> {
        if let (Some(ty), 204 | 304) = (&response.ty, status) {
            let report = sink.report(
                Code::BadBody,
                ty.span(),
                format!("an answer with status {status} has no body, and so no type"),
            );
            report.help(format!("write what it means: `{status}: {{ doc: It is gone. }}`"));
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
                sink.report(
                    Code::Misplaced,
                    first.span,
                    "`content_types` describes a body, and this error has none of its own",
                )
                .help("give the error a `body`, or leave the media types out: errors of the API are JSON");
            }
            return None;
        };
        let ty = self.ty(expr, sink)?;
        let is_of_api = self.api.errors.as_ref().is_some_and(|errors| errors.body.to_string() == expr.to_string());
        if is_of_api && case.content_types.is_empty() {
            return None;
        }
        if def.http.method == "HEAD" {
            sink.report(Code::BadBody, expr.span(), "the answer to a HEAD has no body").help("leave `body` out");
        }
        let is_json = |media_type: &Text| Codec::of(&media_type.text) == Some(Codec::Json);
        let is_raw = matches!(ty, Type::Bytes(_) | Type::String);
        if let (false, false, Some(first)) =
            (case.content_types.iter().any(is_json), is_raw, case.content_types.first())
        {
            sink.report(Code::Reserved, first.span, "errors of this type are not generated yet").help(
                "name a type such as `application/problem+json` as well, or have the body as it is, with the type \
                 `bytes` or `string`",
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
            sink.report(Code::BadBody, span, "a merge patch changes a resource");
        }
        BodyMode::MergePatch | BodyMode::JsonPatch if !changes => {
            let what = if mode == BodyMode::MergePatch { "a merge patch" } else { "a JSON Patch" };
            let message = format!("a {} changes no member, as {what} does", http.method);
            sink.report(Code::BadBody, body.span, message).help("use PATCH, or leave `as` out");
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
        sink.report(Code::Reserved, first.span, "answers of this type are not generated yet").help(
            "name a type such as `application/json` as well, or have the answer as it is, with the type \
             `bytes` or `string`",
        );
    }
}

/// Returns the encoding of structured values in a form; reports one that has no effect.
fn form_style(body: &operation::Body, codecs: &[Option<Codec>], sink: &mut Sink) -> FormStyle {
    let Some(style) = body.style else { return FormStyle::Json };
    if !codecs.iter().any(|codec| matches!(codec, Some(Codec::Form | Codec::Multipart))) {
        sink.report(Code::Misplaced, style.span, "`style` is for forms, and the body is none").help(
            "leave it out, or name `application/x-www-form-urlencoded` or `multipart/form-data` in `content_types`",
        );
    }
    match style.value {
        operation::FormStyle::Json => FormStyle::Json,
        operation::FormStyle::Brackets => FormStyle::Brackets,
    }
}

/// Returns why every success of an operation must have a body, whatever its status.
fn needs_body(def: &schema::Operation, answer: &Response) -> Option<&'static str> {
    if answer.raw().is_some() {
        Some("what is taken as it is, is never absent: it can be empty")
    } else if !answer.alternatives.is_empty() {
        Some("what is one of several alternatives is never absent")
    } else if matches!(answer.ty, Some(Type::Any)) {
        Some("what can be anything is never absent: it can be null")
    } else if def.pages.is_some() {
        Some("pages are read from each answer")
    } else if def.media.is_some() {
        Some("media stand beside a body")
    } else {
        def.long_running.is_some().then_some("how work goes is read from each answer")
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
        let classes = if is_error { ", a class of errors, `4XX` or `5XX`, or `default`" } else { "" };
        let help = habits::status(&key.text, is_error)
            .unwrap_or_else(|| format!("write a number from {} to {}{classes}", range.start(), range.end()));
        sink.report(Code::BadStatus, key.span, format!("`{}` is not a status that can stand here", key.text))
            .help(help);
    }
    found
}

/// Returns whether a text is a media type or a media range (RFC 9110, section 8.3.1): two tokens, then parameters,
/// all valid in a header.
#[must_use]
pub fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    let fits = essence.trim_end().split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    fits && parameters.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// Reports texts that are neither a media type nor a media range.
pub fn check_media_types(written: &[Text], sink: &mut Sink) {
    for media_type in written {
        if !is_media_type(&media_type.text) {
            let text = media_type.text.escape_debug();
            sink.report(Code::BadBody, media_type.span, format!("`{text}` is not a media type"))
                .help("write a type such as `application/json`");
        }
    }
}

pub(super) fn content_types(written: &[Text], sink: &mut Sink) -> Vec<String> {
    check_media_types(written, sink);
    if written.is_empty() { vec![JSON.to_owned()] } else { texts(written) }
}
