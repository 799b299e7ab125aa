//! Response headers, and the names of headers that no schema declares.

use super::header_names::is_token;
use super::members::Scope;
use super::parameters::is_text;
use super::tables::Tables;
use super::types::agree;
use crate::diagnostics::{Code, Sink};
use crate::model::{Location, Parameter, Type};
use crate::schema::{self, Named, Text};

/// Headers of the message framing, which only the server sets.
const RESERVED: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Returns whether a response header belongs to the message framing, so that no schema declares it.
#[must_use]
pub fn is_reserved_response_header(name: &str) -> bool {
    RESERVED.contains(&name.to_ascii_lowercase().as_str())
}

impl Tables<'_> {
    /// Resolves the headers of a response.
    pub fn response_headers(&mut self, written: &Named<schema::Parameter>, sink: &mut Sink) -> Vec<Parameter> {
        let mut scope = Scope::default();
        let headers = written.0.iter();
        headers
            .filter_map(|(key, def)| self.parameter_with(key, def, (Location::Header, check), &mut scope, sink))
            .collect()
    }
}

/// Reports a response header with an unsupported type, with a constant, or with an invalid or reserved name.
fn check(key: &Text, def: &schema::Parameter, ty: &Type, _: Location, sink: &mut Sink) {
    let inner = match ty {
        Type::List(inner) => inner,
        other => other,
    };
    if !is_text(inner) {
        sink.report(Code::BadParameter, def.ty.span(), format!("unsupported type of the header `{}`", key.text))
            .help("use a scalar, an enum or a list of those");
    }
    if let Some(constant) = &def.constant {
        sink.report(Code::Misplaced, constant.0.span, "`const` does not apply to response headers")
            .help("restrict the values with `pattern` or an enum");
    }
    let name = def.wire_name.as_ref().unwrap_or(key);
    let shown = name.text.escape_debug();
    if !is_token(&name.text) {
        sink.report(Code::BadParameter, name.span, format!("invalid header name `{shown}`"));
    } else if is_reserved_response_header(&name.text) {
        sink.report(Code::BadParameter, name.span, format!("header `{shown}` is controlled by the protocol"))
            .help("remove it: it is part of the message framing");
    }
}

/// Checks that headers of one name have the same declaration, whichever status they come with.
pub fn check_consistent<'p>(def: &schema::Operation, headers: impl Iterator<Item = &'p [Parameter]>, sink: &mut Sink) {
    let mut known: Vec<&Parameter> = Vec::new();
    for header in headers.flatten() {
        match known.iter().find(|there| there.name.ident == header.name.ident) {
            Some(there) if !agree(&there.ty, &header.ty) || there.name.wire != header.name.wire => {
                let message = format!("header `{}` has different types in different responses", header.name.wire);
                sink.report(Code::BadParameter, def.http.span, message)
                    .help("use one name and one type for all of them");
                return;
            }
            Some(_) => {}
            None => known.push(header),
        }
    }
}
