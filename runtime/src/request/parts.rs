//! The parts of a request while it is written, and what they make.

use std::fmt;

use serde::Serialize;

use super::parameter::{ParameterValues, ToParameter};
use super::path;
use crate::form;
use crate::json::{self, EncodeError};
use crate::media::{Raw, RawContent};
use crate::multipart;
use crate::names::Names;
use crate::operation::{Api, Location, Operation, Parameter, Piece, Segment};

/// A request while it is written: generated code gives each parameter and the body.
pub struct Parts {
    base_path: &'static str,
    operation: &'static Operation,
    names: Names,
    path: Vec<(usize, String)>,
    query: String,
    headers: Vec<(&'static str, String)>,
    cookies: String,
    body: Option<Vec<u8>>,
    content_type: Option<String>,
    error: Option<RequestError>,
}

/// A request as it goes onto the wire, without the address of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireRequest {
    /// The path, from the slash of the base path on, and the query after a question mark.
    pub target: String,
    /// The headers that are parameters, in the order of the schema; their values hold visible ASCII and spaces.
    pub headers: Vec<(&'static str, String)>,
    /// The body, where there is one.
    pub body: Option<Vec<u8>>,
    /// The media type of the body, where it is another than the request's own.
    pub content_type: Option<String>,
}

/// Why a request cannot go onto the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The parameter, by its name in the schema, or `body`.
    pub parameter: &'static str,
    /// What is wrong.
    pub kind: RequestErrorKind,
}

/// What is wrong with a part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// The path needs it, and there is nothing.
    Missing,
    /// `.`, `..` or nothing, which does not stay a segment of a path.
    LostSegment,
    /// Another name than the path of the operation holds, which has these pieces.
    OtherName(&'static [Piece]),
    /// A header or a cookie cannot hold one of its characters, or a header a space at its ends.
    ForbiddenCharacter,
    /// The body cannot be encoded.
    Body(EncodeError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.parameter;
        match &self.kind {
            RequestErrorKind::Missing => write!(f, "the parameter `{name}` is missing"),
            RequestErrorKind::LostSegment => {
                write!(f, "the parameter `{name}` is empty, `.` or `..`, which no path can hold")
            }
            RequestErrorKind::OtherName(pieces) => {
                write!(f, "the parameter `{name}` must be of the form `{}`", form(pieces))
            }
            RequestErrorKind::ForbiddenCharacter => {
                write!(f, "the parameter `{name}` holds a character that cannot stand in its place")
            }
            RequestErrorKind::Body(error) => write!(f, "the body cannot be encoded: {error}"),
        }
    }
}

impl std::error::Error for RequestError {}

/// `projects/*/files/**`
fn form(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match *piece {
        Piece::Literal(text) => text,
        Piece::One => "*",
        Piece::Many => "**",
    };
    pieces.iter().map(text).collect::<Vec<_>>().join("/")
}

impl Parts {
    pub(super) fn new(api: &'static Api, operation: &'static Operation, names: Names) -> Self {
        Self { base_path: api.base_path.spelled(names), ..Self::at_root(operation, names) }
    }

    /// For an operation whose path is not below the base path.
    pub(crate) fn at_root(operation: &'static Operation, names: Names) -> Self {
        Self {
            base_path: "",
            operation,
            names,
            path: Vec::new(),
            query: String::new(),
            headers: Vec::new(),
            cookies: String::new(),
            body: None,
            content_type: None,
            error: None,
        }
    }

    /// Writes the parameter of this index, unless it is absent. Lists belong into the query: they repeat the
    /// parameter, or have commas between their values.
    pub fn parameter<T: ToParameter + ?Sized>(&mut self, index: usize, value: &T) {
        let Some(parameter) = self.operation.parameters.get(index) else { return };
        if parameter.commas && parameter.location == Location::Header {
            return self.listed(index, parameter, value);
        }
        let commas = parameter.commas && parameter.location == Location::Query;
        let mut begun = false;
        let take = &mut |text: &str| {
            if commas && begun {
                // A bare comma: one inside of a value is encoded, so the two stay apart (RFC 6570, section 3.2.1).
                self.query.push(',');
                path::encode(text, &mut self.query);
            } else {
                self.take(index, parameter, text);
            }
            begun = true;
        };
        value.to_parameter(&mut ParameterValues { take });
    }

    /// Writes a parameter for each member of a value, with its name in brackets: `filter[size]=3`.
    pub fn deep<T: Serialize + ?Sized>(&mut self, index: usize, value: &T) {
        let Some(parameter) = self.operation.parameters.get(index) else { return };
        let fields = match form::fields(value) {
            Ok(fields) => fields,
            Err(error) => return self.refuse(parameter.name.name, RequestErrorKind::Body(error)),
        };
        for (member, text) in fields {
            self.query.push(if self.query.is_empty() { '?' } else { '&' });
            path::encode(parameter.name.spelled(self.names), &mut self.query);
            self.query.push_str("%5B");
            path::encode(&member, &mut self.query);
            self.query.push_str("%5D=");
            path::encode(&text, &mut self.query);
        }
    }

    /// Writes a parameter that holds JSON.
    pub fn json<T: Serialize + ?Sized>(&mut self, index: usize, value: &T) {
        let Some(parameter) = self.operation.parameters.get(index) else { return };
        match json::to_string(value) {
            Ok(text) => self.take(index, parameter, &text),
            Err(error) => self.refuse(parameter.name.name, RequestErrorKind::Body(error)),
        }
    }

    /// Writes a header with commas between its elements, none of which can have one.
    fn listed<T: ToParameter + ?Sized>(&mut self, index: usize, parameter: &Parameter, value: &T) {
        let (mut line, mut count, mut holds) = (String::new(), 0_usize, false);
        let take = &mut |text: &str| {
            line.push_str(if count == 0 { "" } else { ", " });
            line.push_str(text);
            count += 1;
            // An empty element would be read over, and so would spaces around one.
            holds |= text.contains(',') || text.trim_ascii().len() != text.len() || text.is_empty();
        };
        value.to_parameter(&mut ParameterValues { take });
        if holds {
            self.refuse(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
        } else if count > 0 {
            self.take(index, parameter, &line);
        }
    }

    /// Writes the body.
    pub fn body<T: Serialize + ?Sized>(&mut self, value: &T) {
        match json::to_vec(value) {
            Ok(body) => self.body = Some(body),
            Err(error) => self.refuse("body", RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body as a form of several parts (`multipart/form-data`).
    pub fn multipart<T: Serialize + ?Sized>(&mut self, value: &T) {
        match multipart::write(value) {
            Ok(form) => {
                self.body = Some(form.body);
                self.content_type = Some(form.content_type);
            }
            Err(error) => self.refuse("body", RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body as a form, in the way of a query (`application/x-www-form-urlencoded`).
    pub fn form<T: Serialize + ?Sized>(&mut self, value: &T) {
        let fields = match form::fields(value) {
            Ok(fields) => fields,
            Err(error) => return self.refuse("body", RequestErrorKind::Body(error)),
        };
        let mut text = String::new();
        for (name, value) in fields {
            if !text.is_empty() {
                text.push('&');
            }
            // Everything reserved is encoded, and a space with it, so that nobody has to know that a plus is one.
            path::encode(&name, &mut text);
            text.push('=');
            path::encode(&value, &mut text);
        }
        self.body = Some(text.into_bytes());
    }

    /// Writes a body that is no JSON.
    pub fn raw<T: RawContent>(&mut self, body: &Raw<T>) {
        self.body = Some(body.content().as_body().to_vec());
        self.content_type = body.content_type().map(str::to_owned);
        if self.content_type.as_ref().is_some_and(|text| !is_header_value(text)) {
            self.refuse("content-type", RequestErrorKind::ForbiddenCharacter);
        }
    }

    fn refuse(&mut self, parameter: &'static str, kind: RequestErrorKind) {
        self.error.get_or_insert(RequestError { parameter, kind });
    }

    fn take(&mut self, index: usize, parameter: &Parameter, text: &str) {
        let name = parameter.name.spelled(self.names);
        match parameter.location {
            Location::Path => self.path.push((index, text.to_owned())),
            Location::Query => {
                self.query.push(if self.query.is_empty() { '?' } else { '&' });
                path::encode(name, &mut self.query);
                self.query.push('=');
                path::encode(text, &mut self.query);
            }
            Location::Header if is_header_value(text) => {
                self.headers.push((name, text.to_owned()));
            }
            Location::Cookie if text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte)) => {
                if !self.cookies.is_empty() {
                    self.cookies.push_str("; ");
                }
                self.cookies.push_str(name);
                self.cookies.push('=');
                self.cookies.push_str(text);
            }
            Location::Header | Location::Cookie => {
                self.refuse(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
            }
        }
    }

    pub(crate) fn finish(mut self) -> Result<WireRequest, RequestError> {
        let operation = self.operation;
        for (index, parameter) in operation.parameters.iter().enumerate() {
            if let Some(constant) = parameter.constant {
                self.take(index, parameter, constant.text);
            }
        }
        let mut target = String::with_capacity(96 + self.query.len());
        target.push_str(self.base_path);
        for segment in self.operation.path {
            target.push('/');
            match *segment {
                Segment::Literal(text) => target.push_str(text),
                Segment::Variable(index) => self.expand(index, &[], &mut target),
                Segment::Rest(index) => self.expand(index, &[Piece::Many], &mut target),
                Segment::Name(index, pieces) => self.expand(index, pieces, &mut target),
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

    /// Appends a variable: one segment, or, where the path has pieces for it, as many as its slashes make. Beside
    /// those slashes nothing that is reserved stays as it is: see [`path`].
    fn expand(&mut self, index: usize, pieces: &'static [Piece], out: &mut String) {
        let slashes = !pieces.is_empty();
        let name = self.operation.parameters.get(index).map_or("", |parameter| parameter.name.name);
        let mut texts = self.path.iter().filter(|(at, _)| *at == index).map(|(_, text)| text);
        let Some(text) = texts.next() else { return self.refuse(name, RequestErrorKind::Missing) };
        let further: Vec<&String> = texts.collect();
        let (mut lost, other) = (false, slashes && !Piece::are(pieces, text));
        for (at, segment) in text.split(|c| slashes && c == '/').enumerate() {
            if at > 0 {
                out.push('/');
            }
            lost |= further.is_empty() && path::is_lost(segment);
            path::encode(segment, out);
        }
        for text in further {
            // A list: bare commas, which no element holds once it is encoded (RFC 6570, section 3.2.2).
            out.push(',');
            path::encode(text, out);
        }
        if lost {
            self.refuse(name, RequestErrorKind::LostSegment);
        } else if other {
            self.refuse(name, RequestErrorKind::OtherName(pieces));
        }
    }
}

/// Whether a header hands the text on as it is: not with spaces at its ends, which are trimmed on the way, and
/// not with characters beyond ASCII, which readers disagree on (RFC 9110, section 5.5).
fn is_header_value(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim_ascii().len() == text.len()
}
