//! Http lines: the method and the path of an operation, and the paths of uploads.

use super::read::{Kind, Read, Text, wrong_kind};
use super::yaml::Node;
use crate::diagnostics::{Code, Sink, Span};

/// The method and the path template of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLine {
    /// Where it stands.
    pub span: Span,
    /// The method.
    pub method: String,
    /// The pieces of the path after the base path.
    pub segments: Vec<PathSegment>,
    /// The verb after the last segment, without its colon.
    pub verb: Option<String>,
}

/// A segment of a path template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// Fixed text.
    Literal(String),
    /// One variable that fills a segment.
    Variable(Text),
    /// A variable that may hold slashes: `{+name}`.
    Rest(Text),
}

/// The methods of RFC 9110 and RFC 5789 that an operation can have.
pub const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

impl Read for HttpLine {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Some(text) = node.text() else {
            return wrong_kind(node, "a method and a path", sink);
        };
        let line = Text { text: text.to_owned(), span: node.span };
        match http_line(&line) {
            Ok(line) => Some(line),
            Err((offset, length, message)) => {
                sink.report(Code::BadHttp, line.part(offset, length), message)
                    .help("write a method and a path, such as `GET /calendars/{calendarId}/events`");
                None
            }
        }
    }
}

/// A path without a method, such as `/upload/items/{itemId}`. Its method is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        match http_path(&line, "", 0) {
            Ok(path) => Some(Self(path)),
            Err((offset, length, message)) => {
                sink.report(Code::BadHttp, line.part(offset, length), message)
                    .help("write a path from the root of the server on, such as `/upload/calendars/{calendarId}`");
                None
            }
        }
    }
}

/// A mistake in an http line: where it starts in the text, how long it is, what it is.
type HttpMistake = (usize, usize, String);

fn http_line(line: &Text) -> Result<HttpLine, HttpMistake> {
    let text = line.text.as_str();
    let Some((method, _)) = text.split_once(' ') else {
        return Err((0, text.len(), "a method and a path belong here, with one space between them".into()));
    };
    if !METHODS.contains(&method) {
        let capitals = method.to_ascii_uppercase();
        let advice =
            if METHODS.contains(&capitals.as_str()) { capitals } else { format!("one of {}", METHODS.join(", ")) };
        return Err((0, method.len(), format!("`{}` is not a method; write {advice}", method.escape_debug())));
    }
    http_path(line, method, method.len() + 1)
}

/// The path of a line, which begins at that byte.
fn http_path(line: &Text, method: &str, offset: usize) -> Result<HttpLine, HttpMistake> {
    let text = line.text.as_str();
    let path = text.get(offset..).unwrap_or_default();
    let Some(rest) = path.strip_prefix('/') else {
        return Err((offset, path.len(), "a path starts with `/`".into()));
    };
    let (rest, verb) = match rest.rsplit_once(':') {
        Some((rest, verb)) if !verb.contains(['}', '/']) => (rest, Some(verb)),
        _ => (rest, None),
    };
    if let Some(verb) = verb
        && (verb.is_empty() || !verb.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)))
    {
        let message = "a verb after a colon has letters, digits, `_` and `-` only";
        return Err((text.len() - verb.len(), verb.len(), message.into()));
    }
    let mut at = offset + 1;
    let mut segments = Vec::new();
    for piece in rest.split('/') {
        segments.push(segment(piece, at, line, verb.is_some() || rest == piece)?);
        at += piece.len() + 1;
    }
    check_segments(&segments, offset, path)?;
    Ok(HttpLine { span: line.span, method: method.to_owned(), segments, verb: verb.map(str::to_owned) })
}

fn segment(piece: &str, at: usize, line: &Text, may_be_empty: bool) -> Result<PathSegment, HttpMistake> {
    if let Some(name) = piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}')) {
        let (name, rest) = name.strip_prefix('+').map_or((name, false), |name| (name, true));
        let is_name = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte))
        };
        // RFC 6570, section 2.3: dots stand between other characters; one at the start would mean something else.
        if !name.split('.').all(is_name) {
            let message = "a variable has a name of letters, digits, `_`, `-` and `$`, with single dots between them";
            return Err((at, piece.len(), message.into()));
        }
        let text = Text { text: name.to_owned(), span: line.part(at + piece.len() - 1 - name.len(), name.len()) };
        return Ok(if rest { PathSegment::Rest(text) } else { PathSegment::Variable(text) });
    }
    // RFC 3986, section 3.3: the unreserved and sub-delimiter characters and `@`. Percent
    // signs are left out, because a template is written decoded, and colons, which begin a verb.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte);
    if piece == "." || piece == ".." || !piece.bytes().all(plain) {
        let why = if piece.contains('?') {
            ": the parameters of the query stand under `query:`"
        } else if piece.contains(['{', '}']) {
            ": a variable in braces fills the whole of it"
        } else {
            ""
        };
        return Err((at, piece.len(), format!("`{}` cannot be a segment of a path{why}", piece.escape_debug())));
    }
    if piece.is_empty() && !may_be_empty {
        return Err((at.saturating_sub(1), 1, "a segment of the path is empty".into()));
    }
    Ok(PathSegment::Literal(piece.to_owned()))
}

/// A variable occurs once.
fn check_segments(segments: &[PathSegment], offset: usize, path: &str) -> Result<(), HttpMistake> {
    let whole = |message: String| (offset, path.len(), message);
    let mut names = std::collections::BTreeSet::new();
    for segment in segments {
        if let PathSegment::Variable(name) | PathSegment::Rest(name) = segment
            && !names.insert(&name.text)
        {
            return Err(whole(format!("the variable `{}` occurs twice", name.text)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(text: &str) -> Result<HttpLine, HttpMistake> {
        http_line(&Text { text: text.into(), span: Span::default() })
    }

    #[test]
    fn http_lines_know_verbs_and_variables() {
        let line = http("POST /v1/scripts/{scriptId}:run").expect("a line");
        assert_eq!((line.method.as_str(), line.verb.as_deref(), line.segments.len()), ("POST", Some("run"), 3));
        let line = http("GET /processes:listScriptProcesses").expect("a line");
        assert_eq!(line.verb.as_deref(), Some("listScriptProcesses"));
        assert_eq!(http("POST /v1/{+path}:move_tag-id").expect("a line").verb.as_deref(), Some("move_tag-id"));
        assert!(http("GET /").is_ok());
        for wrong in [
            "",
            "GET",
            "get /x",
            "GET x",
            "GET /a//b",
            "GET /a/../b",
            "GET /a?x=1",
            "GET /a/{",
            "GET /a/{}",
            "GET /{a}/{a}",
            "GET /{b=**}",
            "GET /{.a}",
            "GET /{a..b}",
            "GET /a b",
            "POST /a:b.c",
            "POST /a:",
        ] {
            assert!(http(wrong).is_err(), "{wrong}");
        }
    }
}
