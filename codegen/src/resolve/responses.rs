//! Successful responses.

use super::media_types::content_types;
use super::members::text;
use super::tables::Tables;
use super::{elements, xml};
use crate::diagnostics::{Code, Sink};
use crate::model::xml::has_xml;
use crate::model::{Codec, Response, Type, XmlMapping, have_types_by_status};
use crate::schema::operation;
use crate::schema::shape::Short;
use crate::schema::{self, Text, foreign_syntax};

impl Tables<'_> {
    /// Resolves the successful responses.
    pub fn responses(&mut self, def: &schema::Operation, sink: &mut Sink) -> Vec<Response> {
        let mut list = Vec::new();
        if let Some(Short(response)) = &def.response {
            list.push(self.response(200, response, sink));
        }
        for (key, Short(response)) in &def.responses.0 {
            let status = status(key, 100..=399, sink);
            if status == Some(200) && def.response.is_some() {
                sink.report(
                    Code::BadBody,
                    key.span,
                    "duplicate response for status 200: `response` already declares it",
                );
            }
            // Without a known status it may be any response.
            let found = self.response(status.unwrap_or(200), response, sink);
            list.push(if status.is_some() { found } else { Response { ty: Some(Type::Unresolved), ..found } });
        }
        if list.is_empty() {
            // By default the response has no body.
            list.push(Response {
                status: 204,
                ty: None,
                counts: Vec::new(),
                content_types: Vec::new(),
                headers: Vec::new(),
                xml: XmlMapping::default(),
                doc: String::new(),
                alternatives: Vec::new(),
            });
        }
        list.sort_by_key(|response| response.status);
        self.check_responses(def, &list, sink);
        super::headers::check_consistent(def, list.iter().map(|response| response.headers.as_slice()), sink);
        list
    }

    /// Checks that a caller is able to decode any success: by one type, which may be absent, or by its status.
    fn check_responses(&self, def: &schema::Operation, list: &[Response], sink: &mut Sink) {
        let is_known = |response: &&Response| response.ty != Some(Type::Unresolved);
        let typed = || list.iter().filter(is_known).filter(|response| response.ty.is_some());
        let Some(first) = typed().next() else { return };
        let bodiless = list.iter().find(|response| response.status < 300 && response.ty.is_none());
        if typed().count() > 1 && typed().any(|response| !response.alternatives.is_empty()) {
            sink.report(
                Code::BadBody,
                def.http.span,
                "an operation with `alternatives` cannot have another response with a body",
            )
            .help("keep a body in only one response");
        } else if have_types_by_status(list) {
            check_types_by_status(def, list, sink);
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

    /// Resolves a response. Its type is unresolved if it could not be resolved, or stands where none can.
    fn response(&mut self, status: u16, response: &operation::Response, sink: &mut Sink) -> Response {
        if !response.alternatives.is_empty() {
            return self.response_of_alternatives(status, response, sink);
        }
        let ty = match (&response.ty, status) {
            (Some(written), 204 | 205 | 304) => {
                let message = format!("a response with status {status} has no body and cannot have a type");
                sink.report(Code::BadBody, written.span(), message)
                    .help(format!("write a description instead: `{status}: {{ doc: The item was deleted. }}`"));
                self.mark_misplaced(Some(written));
                Some(Type::Unresolved)
            }
            (written, _) => written.as_ref().map(|ty| {
                let ty = self.encoded_body(ty, response.encoding, &response.content_types, sink);
                ty.unwrap_or(Type::Unresolved)
            }),
        };
        check_response_type(ty.as_ref(), &response.content_types, sink);
        let content_types = content_types(&response.content_types, sink);
        Response {
            status,
            xml: response_xml(response.xml.as_ref(), ty.as_ref(), &content_types, sink),
            counts: elements::of_values(
                Some(&response.counts()),
                ty.as_ref().unwrap_or(&Type::Any),
                &self.patterns,
                sink,
            ),
            ty,
            content_types,
            headers: self.response_headers(&response.headers, sink),
            doc: text(response.doc.as_ref()),
            alternatives: Vec::new(),
        }
    }
}

/// Resolves the XML facts of a response, or of one of its alternatives.
pub fn response_xml(
    written: Option<&schema::xml::Xml>,
    ty: Option<&Type>,
    content_types: &[String],
    sink: &mut Sink,
) -> XmlMapping {
    if ty == Some(&Type::Unresolved) {
        return XmlMapping::default();
    }
    let is_xml = ty.is_some_and(|ty| has_xml(ty, content_types));
    xml::xml_mapping(written, xml::XmlSubject::Body(ty.unwrap_or(&Type::Any), is_xml), sink)
}

/// Reports a response whose media types are neither JSON nor XML nor raw.
pub fn check_response_type(ty: Option<&Type>, media_types: &[Text], sink: &mut Sink) {
    let is_written = |media_type: &Text| {
        let codec = ty.map_or_else(|| Codec::of(&media_type.text), |ty| Codec::of_type(&media_type.text, ty));
        matches!(codec, Some(Codec::Json | Codec::Xml))
    };
    let is_raw = matches!(ty, None | Some(Type::Bytes(_) | Type::String | Type::Unresolved));
    if let (false, false, Some(first)) = (media_types.iter().any(is_written), is_raw, media_types.first()) {
        sink.report(Code::Reserved, first.span, "unsupported type of a response body")
            .help("add a media type such as `application/json`, or use `bytes` or `string` for the raw body");
    }
}

/// Checks that nothing reads the responses as one type, if each status has its own.
fn check_types_by_status(def: &schema::Operation, list: &[Response], sink: &mut Sink) {
    let one_type = if def.pages.is_some() || def.sync.is_some() {
        "pagination reads the body of each success"
    } else if def.media.is_some() {
        "a media download requires one type of body"
    } else if def.long_running.is_some() {
        "a long-running operation reads its state from the body of each success"
    } else if list.iter().any(Response::has_xml) {
        "XML requires one type for all statuses"
    } else {
        return;
    };
    let message = format!("the responses have types by status, but {one_type}");
    sink.report(Code::BadBody, def.http.span, message)
        .help("use one type for all successes, and none for redirections");
}

/// Returns why every success of an operation must have a body, whatever its status.
fn needs_body(def: &schema::Operation, response: &Response) -> Option<&'static str> {
    if !response.alternatives.is_empty() {
        Some("a body with alternatives is never absent")
    } else if def.pages.is_some() {
        Some("pagination reads the body of each success")
    } else if def.media.is_some() {
        Some("a media download requires a body")
    } else {
        def.long_running.is_some().then_some("a long-running operation reads its state from the body of each success")
    }
}

/// Parses a status in a range; reports any other text.
pub fn status(key: &Text, range: std::ops::RangeInclusive<u16>, sink: &mut Sink) -> Option<u16> {
    let found = key.text.parse().ok().filter(|status| key.text.len() == 3 && range.contains(status));
    if found.is_none() {
        let is_error = *range.start() >= 400;
        let classes = if is_error { ", a class (`4XX` or `5XX`) or `default`" } else { "" };
        let help = foreign_syntax::status_help(&key.text, is_error)
            .unwrap_or_else(|| format!("write a number from {} to {}{classes}", range.start(), range.end()));
        let kind = if is_error { "an error" } else { "a success" };
        sink.report(Code::BadStatus, key.span, format!("`{}` is not {kind} status", key.text)).help(help);
    }
    found
}
