//! Encoder of the parts of a request.

mod bodies;
mod error;
mod expansion;
mod segment;

pub use error::{RequestError, RequestErrorKind};

use super::parameter::{ContainsDelimiter, ParameterValues, ToParameter, join_with, join_with_commas};
use super::path;
use crate::form::AnyJsonFields;
use crate::naming::Naming;
use crate::operation::{Api, Delimiter, Operation, Parameter, ParameterLocation, Segment, SegmentPattern};

/// Request during encoding: generated code writes each parameter, in the order of the operation, and the body.
/// Parameters with a constant value are skipped, because they are not fields of the request.
pub struct RequestEncoder {
    base_path: &'static str,
    operation: &'static Operation,
    names: Naming,
    /// Parameters that are not yet written, constant ones among them.
    unwritten: &'static [Parameter],
    /// Variables of the path, by the names of their parameters.
    path: Vec<(&'static str, String)>,
    /// Variables of the path that are already encoded.
    encoded_path: Vec<(&'static str, String)>,
    query: String,
    headers: Vec<(&'static str, String)>,
    cookies: String,
    body: Option<Vec<u8>>,
    content_type: Option<String>,
    error: Option<RequestError>,
    /// Fields of the next value that can hold any JSON.
    any_json_fields: AnyJsonFields,
}

/// Encoded request, without the origin of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireRequest {
    /// Path, starting with the slash of the base path, and the query after a question mark.
    pub target: String,
    /// Header parameters, then the header `cookie`; the values of parameters contain visible ASCII and spaces.
    pub headers: Vec<(&'static str, String)>,
    /// Body, if there is one.
    pub body: Option<Vec<u8>>,
    /// Media type of the body, if it is not [`Request::CONTENT_TYPE`](super::Request::CONTENT_TYPE).
    pub content_type: Option<String>,
}

impl RequestEncoder {
    pub(super) fn new(api: &'static Api, operation: &'static Operation, names: Naming) -> Self {
        Self { base_path: api.base_path.name_in(names), ..Self::without_base_path(operation, names) }
    }

    /// Creates the parts for an operation whose path is not below the base path.
    pub(crate) fn without_base_path(operation: &'static Operation, names: Naming) -> Self {
        Self {
            base_path: "",
            operation,
            names,
            unwritten: operation.parameters,
            path: Vec::new(),
            encoded_path: Vec::new(),
            query: String::new(),
            headers: Vec::new(),
            cookies: String::new(),
            body: None,
            content_type: None,
            error: None,
            any_json_fields: AnyJsonFields::default(),
        }
    }

    /// Returns the next parameter without a constant value.
    fn next(&mut self) -> Option<&'static Parameter> {
        loop {
            let (parameter, others) = self.unwritten.split_first()?;
            self.unwritten = others;
            if parameter.constant.is_none() {
                return Some(parameter);
            }
        }
    }

    /// Writes the next parameter unless it is absent. Lists repeat the parameter, or are joined with a delimiter.
    pub fn parameter<T: ToParameter + ?Sized>(&mut self, value: &T) {
        let Some(parameter) = self.next() else { return };
        if let Some(expansion) = parameter.expansion {
            return self.expand_values(parameter, expansion, value);
        }
        let line = match (parameter.location, parameter.delimiter) {
            (ParameterLocation::Header, Some(Delimiter::Comma)) => Some(join_with_commas(value)),
            (ParameterLocation::Query, Some(other @ (Delimiter::Space | Delimiter::Pipe)))
            | (ParameterLocation::Cookie, Some(other)) => Some(join_with(value, other.character())),
            _ => None,
        };
        if let Some(line) = line {
            return match line {
                Ok(Some(line)) => self.push_text(parameter, &line),
                Ok(None) => {}
                Err(ContainsDelimiter) => self.set_error(parameter.name.name, RequestErrorKind::ForbiddenCharacter),
            };
        }
        let commas = parameter.delimiter == Some(Delimiter::Comma) && parameter.location == ParameterLocation::Query;
        let mut is_continued = false;
        let take = &mut |text: &str| {
            if commas && is_continued {
                // A bare comma: commas within values are encoded, so they are distinct (RFC 6570, section 3.2.1).
                self.query.push(',');
                path::encode(text, &mut self.query);
            } else {
                self.push_text(parameter, text);
            }
            is_continued = true;
        };
        value.to_parameter(&mut ParameterValues { take });
    }

    /// Records the error of a parameter; only the first one is reported.
    fn set_error(&mut self, parameter: &'static str, kind: RequestErrorKind) {
        self.error.get_or_insert(RequestError { parameter, kind });
    }

    /// Adds the text of a parameter at its location, encoded; records an error if a character is forbidden there.
    fn push_text(&mut self, parameter: &Parameter, text: &str) {
        let name = parameter.name.name_in(self.names);
        match parameter.location {
            ParameterLocation::Path => self.path.push((parameter.name.name, text.to_owned())),
            ParameterLocation::Query => {
                self.query.push(if self.query.is_empty() { '?' } else { '&' });
                path::encode(name, &mut self.query);
                self.query.push('=');
                path::encode(text, &mut self.query);
            }
            ParameterLocation::Header if is_header_value(text) => {
                self.headers.push((name, text.to_owned()));
            }
            // The commas of a list are delimiters: its elements contain none.
            ParameterLocation::Cookie if is_cookie_value(text, parameter.delimiter.is_some()) => {
                if !self.cookies.is_empty() {
                    self.cookies.push_str("; ");
                }
                self.cookies.push_str(name);
                self.cookies.push('=');
                self.cookies.push_str(text);
            }
            ParameterLocation::Header | ParameterLocation::Cookie => {
                self.set_error(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
            }
        }
    }

    /// Builds the request, with constants in their places, or returns the first error.
    pub(crate) fn finish(mut self) -> Result<WireRequest, RequestError> {
        let operation = self.operation;
        for parameter in operation.parameters {
            if let Some(constant) = parameter.constant {
                self.push_text(parameter, constant.text.name_in(self.names));
            }
        }
        let mut target = String::with_capacity(96 + self.query.len());
        target.push_str(self.base_path);
        for segment in self.operation.path {
            target.push('/');
            match *segment {
                Segment::Literal(text) => target.push_str(text),
                Segment::Variable(name) => self.expand(name, &[], &mut target),
                Segment::Parts(parts) => self.expand_mixed(parts, &mut target),
                Segment::CatchAll(name) => self.expand(name, &[SegmentPattern::DoubleWildcard], &mut target),
                Segment::Pattern(name, pieces) => self.expand(name, pieces, &mut target),
            }
        }
        if let Some(verb) = self.operation.verb {
            target.push(':');
            target.push_str(verb);
        }
        target.push_str(&self.query);
        if !self.cookies.is_empty() {
            self.headers.push(("cookie", self.cookies));
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(WireRequest { target, headers: self.headers, body: self.body, content_type: self.content_type }),
        }
    }
}

/// Returns whether a cookie can have this value (RFC 6265, section 4.1.1).
fn is_cookie_value(text: &str, has_commas: bool) -> bool {
    let forbidden: &[u8] = if has_commas { b"\";\\" } else { b"\",;\\" };
    text.bytes().all(|byte| byte.is_ascii_graphic() && !forbidden.contains(&byte))
}

/// Returns whether a header transports the text unchanged: spaces at the ends are trimmed, and parsers disagree on
/// characters beyond ASCII (RFC 9110, section 5.5).
fn is_header_value(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim_ascii().len() == text.len()
}
