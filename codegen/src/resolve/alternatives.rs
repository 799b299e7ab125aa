//! Bodies and responses with several alternatives, which the media type distinguishes.

use std::collections::HashMap;

use super::elements;
use super::media_types::content_types;
use super::members::text;
use super::names::{self, Casing, ReservedNames};
use super::responses;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{BodyAlternative, Response, ResponseAlternative, Type, XmlMapping, essence};
use crate::schema::Named;
use crate::schema::http::HttpLine;
use crate::schema::operation::{self, Body as WrittenBody};
use crate::schema::shape::Short;
use crate::schema::{Text, types::TypeExpr};

impl Tables<'_> {
    /// Resolves the alternatives of a request body.
    pub(super) fn body_alternatives(
        &mut self,
        body: &operation::Body,
        http: &HttpLine,
        sink: &mut Sink,
    ) -> Vec<BodyAlternative> {
        check_exclusive_keys(body, sink);
        check_count(&body.alternatives, sink);
        let (mut taken, mut media_types) = (ReservedNames::default(), MediaTypes::default());
        let mut found = Vec::new();
        for (key, Short(written)) in &body.alternatives.0 {
            let alone = WrittenBody {
                span: written.span,
                ty: written.ty.clone(),
                items: written.items,
                keys: written.keys.clone(),
                unique: written.unique,
                elements: written.elements.clone(),
                encoding: written.encoding,
                mode: written.mode,
                content_types: written.content_types.clone(),
                style: written.style,
                lists: written.lists.clone(),
                xml: written.xml.clone(),
                doc: written.doc.clone(),
                ..WrittenBody::default()
            };
            let name = names::name(key, written.name.as_ref(), Casing::Type, sink);
            let body = self.one_body(&alone, http, true, sink);
            let Some(name) = name else { continue };
            taken.take(&name.ident, &format!("the alternative `{}`", key.text), key.span, sink);
            media_types.take(key, &written.content_types, &body.content_types, sink);
            found.push(BodyAlternative { name, body });
        }
        found
    }

    /// Returns a response with several alternatives.
    pub(super) fn response_of_alternatives(
        &mut self,
        status: u16,
        response: &operation::Response,
        sink: &mut Sink,
    ) -> Response {
        let exclusive_keys = [
            (response.ty.as_ref().map(TypeExpr::span), "type"),
            (response.items.map(|range| range.span), "items"),
            (response.keys.as_ref().map(|keys| keys.span), "keys"),
            (response.unique.map(|unique| unique.span), "unique"),
            (response.elements.as_ref().map(|elements| elements.span), "elements"),
            (response.encoding.map(|encoding| encoding.span), "encoding"),
            (response.content_types.first().map(|first| first.span), "content_types"),
            (response.xml.as_ref().map(|xml| xml.span), "xml"),
        ];
        report_exclusive_keys(&exclusive_keys, sink);
        self.mark_misplaced(response.ty.as_ref());
        check_count(&response.alternatives, sink);
        if matches!(status, 204 | 300..=399) {
            let message = format!("a response with status {status} has no body and cannot have alternatives");
            sink.report(Code::BadBody, response.span, message);
        }
        let (mut taken, mut media_types) = (ReservedNames::default(), MediaTypes::default());
        let mut alternatives = Vec::new();
        for (key, Short(written)) in &response.alternatives.0 {
            let ty = self.encoded_body(&written.ty, written.encoding, &written.content_types, sink);
            let ty = ty.unwrap_or(Type::Unresolved);
            let Some(name) = names::name(key, written.name.as_ref(), Casing::Type, sink) else { continue };
            taken.take(&name.ident, &format!("the alternative `{}`", key.text), key.span, sink);
            responses::check_response_type(Some(&ty), &written.content_types, sink);
            let content_types = content_types(&written.content_types, sink);
            media_types.take(key, &written.content_types, &content_types, sink);
            let xml = responses::response_xml(written.xml.as_ref(), Some(&ty), &content_types, sink);
            let (counts, doc) =
                (elements::of_values(Some(&written.counts()), &ty, &self.patterns, sink), text(written.doc.as_ref()));
            alternatives.push(ResponseAlternative { name, ty, counts, content_types, xml, doc });
        }
        Response {
            status,
            ty: Some(Type::Any),
            counts: Vec::new(),
            content_types: alternatives.iter().flat_map(|one| one.content_types.clone()).collect(),
            headers: self.response_headers(&response.headers, sink),
            xml: XmlMapping::default(),
            doc: text(response.doc.as_ref()),
            alternatives,
        }
    }
}

/// Reports keys of a body that belong on its alternatives.
fn check_exclusive_keys(body: &operation::Body, sink: &mut Sink) {
    let exclusive_keys = [
        (body.ty.as_ref().map(TypeExpr::span), "type"),
        (body.items.map(|range| range.span), "items"),
        (body.keys.as_ref().map(|keys| keys.span), "keys"),
        (body.unique.map(|unique| unique.span), "unique"),
        (body.elements.as_ref().map(|elements| elements.span), "elements"),
        (body.encoding.map(|encoding| encoding.span), "encoding"),
        (body.mode.map(|_| body.span), "as"),
        (body.content_types.first().map(|first| first.span), "content_types"),
        (body.style.map(|style| style.span), "style"),
        (body.lists.0.first().map(|(first, _)| first.span), "lists"),
        (body.xml.as_ref().map(|xml| xml.span), "xml"),
    ];
    report_exclusive_keys(&exclusive_keys, sink);
}

fn report_exclusive_keys(exclusive_keys: &[(Option<Span>, &str)], sink: &mut Sink) {
    for (span, key) in exclusive_keys {
        if let Some(span) = span {
            sink.report(Code::Misplaced, *span, format!("`{key}` cannot be combined with `alternatives`"))
                .help(format!("write `{key}` in each alternative instead"));
        }
    }
}

fn check_count<T>(alternatives: &Named<T>, sink: &mut Sink) {
    if let [(only, _)] = alternatives.0.as_slice() {
        sink.report(
            Code::BadBody,
            only.span,
            format!("expected at least two alternatives, found only `{}`", only.text),
        )
        .help("remove `alternatives`, or add another one");
    }
}

/// Media types of alternatives, each of which belongs to only one of them.
#[derive(Default)]
struct MediaTypes(HashMap<String, (String, Span)>);

impl MediaTypes {
    /// Adds the media types of an alternative; duplicates are reported at their spans if they are written there.
    fn take(&mut self, key: &Text, written: &[Text], media_types: &[String], sink: &mut Sink) {
        for (index, media_type) in media_types.iter().enumerate() {
            let span = written.get(index).map_or(key.span, |text| text.span);
            let there = self.0.entry(essence(media_type)).or_insert_with(|| (key.text.clone(), span));
            if there.0 == key.text {
                continue;
            }
            let message =
                format!("alternatives `{}` and `{}` have the same media type `{media_type}`", there.0, key.text);
            sink.report(Code::BadBody, span, message)
                .related(there.1, "also used here")
                .help("use different media types, or merge them into one alternative whose type is a union");
        }
    }
}
