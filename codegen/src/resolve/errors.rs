//! Errors of an operation, with bodies of their own.

use super::media_types::content_types;
use super::members::text;
use super::responses::status;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Codec, ErrorCase, ErrorStatus, Type};
use crate::schema::operation;
use crate::schema::shape::Short;
use crate::schema::{self, Text};

impl Tables<'_> {
    /// Resolves the errors of the contract.
    pub fn errors(&mut self, def: &schema::Operation, sink: &mut Sink) -> Vec<ErrorCase> {
        let mut list = Vec::new();
        for (key, Short(case)) in &def.errors.0 {
            let body = self.error_case_body(case, def, sink);
            let headers = self.response_headers(&case.headers, sink);
            let Some(status) = error_status(key, sink) else { continue };
            list.push(ErrorCase {
                status,
                doc: text(case.doc.as_ref()),
                reason: case.reason.as_ref().map(|reason| reason.text.clone()),
                body,
                content_types: content_types(&case.content_types, sink),
                headers,
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
        let is_json = |media_type: &Text| Codec::of_type(&media_type.text, &ty) == Some(Codec::Json);
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

/// Parses the statuses of an error: a single one, a class, or the default.
fn error_status(key: &Text, sink: &mut Sink) -> Option<ErrorStatus> {
    match key.text.as_str() {
        "default" => Some(ErrorStatus::Default),
        "4XX" => Some(ErrorStatus::Class(4)),
        "5XX" => Some(ErrorStatus::Class(5)),
        _ => status(key, 400..=599, sink).map(ErrorStatus::Exact),
    }
}
