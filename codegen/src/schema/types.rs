//! Type expressions, ranges and http lines: the small grammars inside scalars.

use super::read::{Kind, Read, Text, whole_number, wrong_kind};
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

/// A type as it is written: a name, a list of a type, or a map from strings to a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExpr {
    /// A built-in type, a resource, an enum or a union.
    Name(Text),
    /// `[T]`
    List(Box<TypeExpr>, Span),
    /// `{string: T}`
    Map(Box<TypeExpr>, Span),
    /// `T?` within a list or a map: a value or null.
    Nullable(Text),
}

impl TypeExpr {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Name(text) | Self::Nullable(text) => text.span,
            Self::List(_, span) | Self::Map(_, span) => *span,
        }
    }
}

impl Read for TypeExpr {
    fn kind() -> Kind {
        Kind::Type
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let ty = read_type(node, sink)?;
        if let Self::Nullable(name) = &ty {
            sink.report(Code::BadType, node.span, format!("`{}?` stands in a list or a map alone", name.text))
                .help("say of a member that can be null `nullable: true`");
            return None;
        }
        if depth(&ty) > MAX_DEPTH {
            sink.report(Code::BadType, node.span, format!("the type is nested more than {MAX_DEPTH} levels deep"))
                .help("give a part of it a name: make it a resource");
            return None;
        }
        Some(ty)
    }
}

/// The deepest type: compilers follow a type all the way down, and people do not.
const MAX_DEPTH: usize = 8;

fn depth(ty: &TypeExpr) -> usize {
    match ty {
        TypeExpr::Name(_) | TypeExpr::Nullable(_) => 0,
        TypeExpr::List(inner, _) | TypeExpr::Map(inner, _) => 1 + depth(inner),
    }
}

fn read_type(node: &Node, sink: &mut Sink) -> Option<TypeExpr> {
    let bad = |sink: &mut Sink, message: &str| {
        sink.report(Code::BadType, node.span, message)
            .help("write a name, a list `[Event]` or a map `{string: Event}`");
        None
    };
    match &node.value {
        Value::Scalar(text, _) if !node.is_null() => Some(match text.strip_suffix('?') {
            Some(name) => TypeExpr::Nullable(Text { text: name.to_owned(), span: node.span }),
            None => TypeExpr::Name(Text { text: text.clone(), span: node.span }),
        }),
        Value::Scalar(..) => bad(sink, "a type is missing"),
        Value::List(items) => match items.as_slice() {
            [item] => Some(TypeExpr::List(Box::new(read_type(item, sink)?), node.span)),
            _ => bad(sink, "a list type has exactly one element type"),
        },
        Value::Map(entries) => match entries.as_slice() {
            [entry] if entry.key == "string" => {
                Some(TypeExpr::Map(Box::new(read_type(&entry.value, sink)?), node.span))
            }
            _ => bad(sink, "a map type has exactly one entry, from `string` to the type of its values"),
        },
    }
}

/// A range of whole numbers; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least, when there is one.
    pub min: Option<u64>,
    /// The greatest, when there is one.
    pub max: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

impl Read for Range {
    fn kind() -> Kind {
        Kind::Range
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Some(text) = node.text() else {
            return wrong_kind(node, "a range such as `5..=1024`", sink);
        };
        let Some((min, max)) = range(text) else {
            sink.report(Code::BadRange, node.span, format!("`{text}` is not a range"))
                .help("write a number, `5..=1024`, `5..` or `..=1024`");
            return None;
        };
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            sink.report(Code::BadRange, node.span, format!("no number is in `{text}`"))
                .help(format!("did you mean `{max}..={min}`?"));
            return None;
        }
        Some(Self { min, max, span: node.span })
    }
}

fn range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let number = |text: &str| u64::try_from(whole_number(text)?).ok();
    let Some((min, max)) = text.split_once("..") else {
        let exact = number(text)?;
        return Some((Some(exact), Some(exact)));
    };
    let min = if min.is_empty() { None } else { Some(number(min)?) };
    let max = match max {
        "" => None,
        max => Some(number(max.strip_prefix('=')?)?),
    };
    (min.is_some() || max.is_some()).then_some((min, max))
}

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
    fn ranges_have_both_ends_inside() {
        assert_eq!(range("26"), Some((Some(26), Some(26))));
        assert_eq!(range("5..=1024"), Some((Some(5), Some(1024))));
        assert_eq!(range("..=25"), Some((None, Some(25))));
        assert_eq!(range("1.."), Some((Some(1), None)));
        for wrong in ["", "..", "1..2", "a", "-1", "1.5", "1..=", "007"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
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
