//! HTTP lines: the method and path of an operation, and the paths of uploads.

mod segments;

use std::fmt;

use segments::parse_segment;

use super::foreign_syntax::values;
use super::methods::METHODS;
use super::read::{Kind, Read, Text, report_wrong_kind, wrong_kind};
use super::write::Write;
use super::yaml::Node;
use crate::diagnostics::{Code, Sink, Span};

/// The method and the path template of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpLine {
    /// Span of the line.
    pub span: Span,
    /// The method; empty for a path alone.
    pub method: String,
    /// The segments of the path after the base path.
    pub segments: Vec<PathSegment>,
    /// The custom verb after the last segment, without its colon.
    pub verb: Option<String>,
    /// The span of the first segment that starts with a colon, which is fixed text here and a variable in other
    /// languages.
    pub leading_colon: Option<Span>,
}

impl HttpLine {
    /// Returns whether the path has a trailing slash after at least one segment.
    #[must_use]
    pub fn has_trailing_slash(&self) -> bool {
        let last = self.segments.last().filter(|_| self.segments.len() > 1 && self.verb.is_none());
        matches!(last, Some(PathSegment::Literal(text)) if text.is_empty())
    }
}

/// A segment of a path template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// Fixed text.
    Literal(String),
    /// A variable that is the whole segment.
    Variable(Text),
    /// A variable that can contain slashes: `{+name}`.
    Rest(Text),
    /// Variables combined with text: `{name}.json`.
    Parts(Vec<PathPart>),
}

/// A part of a segment that combines variables with text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// Fixed text.
    Text(String),
    /// A variable.
    Variable(Text),
}

impl PathPart {
    /// Returns the name of a variable; `None` for text.
    const fn name(&self) -> Option<&Text> {
        match self {
            Self::Variable(name) => Some(name),
            Self::Text(_) => None,
        }
    }
}

impl PathSegment {
    /// Returns the variables of the segment.
    #[must_use]
    pub fn variables(&self) -> Vec<&Text> {
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Variable(name) | Self::Rest(name) => vec![name],
            Self::Parts(parts) => parts.iter().filter_map(PathPart::name).collect(),
        }
    }

    /// Returns the segment with `{}` in place of each variable, which is equal for equivalent segments: `{}.json`.
    #[must_use]
    pub fn shape(&self) -> String {
        let part = |part: &PathPart| if let PathPart::Text(text) = part { text.clone() } else { "{}".to_owned() };
        match self {
            Self::Literal(text) => text.clone(),
            Self::Variable(_) | Self::Rest(_) => "{}".to_owned(),
            Self::Parts(parts) => parts.iter().map(part).collect(),
        }
    }
}

/// Formats the line as it is written; without a method, the path alone.
impl fmt::Display for HttpLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.method.is_empty() {
            write!(f, "{} ", self.method)?;
        }
        self.segments.iter().try_for_each(|segment| write!(f, "/{segment}"))?;
        self.verb.iter().try_for_each(|verb| write!(f, ":{verb}"))
    }
}

impl Write for HttpLine {
    fn write(&self) -> Node {
        Node::quoted(self.to_string())
    }
}

impl Write for HttpPath {
    fn write(&self) -> Node {
        self.0.write()
    }
}

/// Help for a line that cannot be parsed, unless a more specific one applies.
const HTTP_LINE_HELP: &str = "write a method and a path, such as `GET /calendars/{calendarId}/events`";

impl Read for HttpLine {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Some(text) = node.text() else {
            let report = report_wrong_kind(node, "a method and a path", sink);
            report.help(values::http_mapping_help(node).unwrap_or_else(|| HTTP_LINE_HELP.to_owned()));
            return None;
        };
        let line = Text { text: text.to_owned(), span: node.span };
        match parse_http_line(&line) {
            Ok(line) => Some(line),
            Err((offset, length, message)) => {
                let help = values::http_line_help(text).unwrap_or_else(|| HTTP_LINE_HELP.to_owned());
                sink.report(Code::BadHttp, line.part_span(offset, length), message).help(help);
                None
            }
        }
    }
}

/// A path without a method, such as `/upload/items/{itemId}`. Its method is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpPath(pub HttpLine);

impl Read for HttpPath {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Some(text) = node.text() else {
            return wrong_kind(node, "a path", sink);
        };
        let line = Text { text: text.to_owned(), span: node.span };
        let path = parse_http_path(&line, "", 0).and_then(|path| {
            let end = line.text.len().saturating_sub(1);
            if path.has_trailing_slash() { Err((end, 1, "empty path segment".into())) } else { Ok(path) }
        });
        match path {
            Ok(path) => Some(Self(path)),
            Err((offset, length, message)) => {
                sink.report(Code::BadHttp, line.part_span(offset, length), message)
                    .help("write an absolute path, such as `/upload/calendars/{calendarId}`");
                None
            }
        }
    }
}

/// A syntax error in an HTTP line: its offset and length in bytes, and the message.
type HttpLineError = (usize, usize, String);

fn parse_http_line(line: &Text) -> Result<HttpLine, HttpLineError> {
    let text = line.text.as_str();
    let Some((method, _)) = text.split_once(' ') else {
        return Err((0, text.len(), "expected a method and a path, separated by one space".into()));
    };
    if !METHODS.contains(&method) {
        let capitals = method.to_ascii_uppercase();
        let advice =
            if METHODS.contains(&capitals.as_str()) { capitals } else { format!("one of {}", METHODS.join(", ")) };
        return Err((0, method.len(), format!("unknown method `{}`; expected {advice}", method.escape_debug())));
    }
    parse_http_path(line, method, method.len() + 1)
}

/// Parses the path of a line, which starts at a byte offset.
fn parse_http_path(line: &Text, method: &str, offset: usize) -> Result<HttpLine, HttpLineError> {
    let text = line.text.as_str();
    let path = text.get(offset..).unwrap_or_default();
    let Some(rest) = path.strip_prefix('/') else {
        return Err((offset, path.len(), "missing `/` at the start of the path".into()));
    };
    let (rest, verb) = match rest.rsplit_once(':') {
        Some((rest, verb)) if !verb.contains(['}', '/']) => (rest, Some(verb)),
        _ => (rest, None),
    };
    if let Some(verb) = verb
        && (verb.is_empty() || !verb.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)))
    {
        let message = "invalid verb: expected letters, digits, `_` and `-` after the colon";
        return Err((text.len() - verb.len(), verb.len(), message.into()));
    }
    let mut at = offset + 1;
    let mut segments = Vec::new();
    let mut colon = None;
    let last = rest.matches('/').count();
    for (index, piece) in rest.split('/').enumerate() {
        if piece.starts_with(':') {
            colon = colon.or(Some(line.part_span(at, piece.len())));
        }
        segments.push(parse_segment(piece, at, line, verb.is_some() || index == last)?);
        at += piece.len() + 1;
    }
    check_unique_variables(&segments, offset, path)?;
    let verb = verb.map(str::to_owned);
    if let Some(verb) = verb.as_ref().filter(|_| rest.is_empty() || rest.ends_with('/')) {
        let length = verb.len() + 1;
        colon = colon.or(Some(line.part_span(text.len() - length, length)));
    }
    Ok(HttpLine { span: line.span, method: method.to_owned(), segments, verb, leading_colon: colon })
}

/// Checks that each variable occurs once.
fn check_unique_variables(segments: &[PathSegment], offset: usize, path: &str) -> Result<(), HttpLineError> {
    let whole = |message: String| (offset, path.len(), message);
    let mut names = std::collections::BTreeSet::new();
    for name in segments.iter().flat_map(PathSegment::variables) {
        if !names.insert(&name.text) {
            return Err(whole(format!("duplicate variable `{}`", name.text)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(text: &str) -> Result<HttpLine, HttpLineError> {
        parse_http_line(&Text { text: text.into(), span: Span::default() })
    }

    #[test]
    fn http_lines_know_verbs_and_variables() {
        let line = http("POST /v1/scripts/{scriptId}:run").expect("a line");
        assert_eq!((line.method.as_str(), line.verb.as_deref(), line.segments.len()), ("POST", Some("run"), 3));
        let line = http("GET /processes:listScriptProcesses").expect("a line");
        assert_eq!(line.verb.as_deref(), Some("listScriptProcesses"));
        assert_eq!(http("POST /v1/{+path}:move_tag-id").expect("a line").verb.as_deref(), Some("move_tag-id"));
        assert!(http("GET /").is_ok_and(|line| !line.has_trailing_slash()));
        let line = http("GET /a/").expect("a line");
        assert_eq!((line.has_trailing_slash(), line.to_string().as_str()), (true, "GET /a/"));
        assert!(http("GET /a").is_ok_and(|line| !line.has_trailing_slash()));
        let line = http("GET /a/v{x}:{y.z}.json/{b}...{c}:run").expect("a line");
        let names: Vec<_> =
            line.segments.iter().flat_map(PathSegment::variables).map(|name| name.text.as_str()).collect();
        assert_eq!((names.join(" "), line.verb.as_deref()), ("x y.z b c".to_owned(), Some("run")));
        let shapes: Vec<_> = line.segments.iter().map(PathSegment::shape).collect();
        assert_eq!(shapes, ["a", "v{}:{}.json", "{}...{}"]);
        for wrong in [
            "",
            "GET",
            "get /x",
            "GET x",
            "GET /a//b",
            "GET /a//",
            "GET /a/../b",
            "GET /a?x=1",
            "GET /a/{",
            "GET /a/{}",
            "GET /{a}/{a}",
            "GET /{b=**}",
            "GET /{.a}",
            "GET /{a}{b}",
            "GET /{a}-{+b}",
            "GET /{a}-{a}",
            "GET /{a}-{.b}",
            "GET /{a}-{b",
            "GET /{a}-b}",
            "GET /a}",
            "GET /{a}?x",
            "GET /{a..b}",
            "GET /a b",
            "POST /a:b.c",
            "POST /a:",
        ] {
            assert!(http(wrong).is_err(), "{wrong}");
        }
    }
}
