//! YAML parser: text to a tree of nodes with spans.
//!
//! Scalars are not typed. A scalar keeps its text, and its key determines how the text is interpreted, so `on`, `012`
//! and `1_000` are never converted. Schema files must not contain anchors, aliases, tags, merge keys, directives,
//! duplicate keys or a second document, and a budget limits the cost of a hostile file. Imported documents may contain
//! all of these except duplicate keys and a second document.

mod anchors;
mod builder;
mod collections;
mod node;
mod quoting;
mod tags;

use granit_parser::{Parser, ScanError};

use crate::diagnostics::{Code, Sink, Span};

use anchors::Anchors;
use builder::Builder;
pub use node::{Entry, Node, Style, Value};
pub use tags::UnknownTag;

/// Maximum size of a schema file, in bytes.
pub const MAX_BYTES: usize = 32 << 20;
/// Maximum number of values in a file of at most [`MAX_BYTES`].
const MAX_NODES: usize = 2_000_000;
/// Maximum nesting depth; the language itself needs about ten levels.
const MAX_DEPTH: usize = 64;

/// Parses a schema file. Returns `None` after reporting an error.
pub fn parse(file: u32, text: &str, sink: &mut Sink) -> Option<Node> {
    parse_with(file, text, sink, None, Limits::of(MAX_BYTES), true).map(|document| document.root)
}

/// An imported document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root value. The span of an aliased value is the alias; the spans of its contents are where they were
    /// written, like those of merged entries.
    pub root: Node,
    /// The unknown tags, each once. Their values are read as if untagged.
    pub unknown_tags: Vec<UnknownTag>,
    /// The first syntax error that other parsers accept, if any.
    pub tolerated_error: Option<ToleratedError>,
}

/// A syntax error that was tolerated, because other parsers accept it.
#[derive(Clone, Debug)]
pub struct ToleratedError {
    /// Span of the error.
    pub span: Span,
    /// Message of the strict parser.
    pub problem: String,
}

/// Parses an imported document, which may contain anchors, aliases, merge keys, tags and directives. An alias is a copy
/// of the anchored value, written keys take precedence over merged ones, and the tags of YAML's core schema determine
/// the type of a scalar. Like other parsers, it accepts lines within brackets or quotes that are indented too little.
/// Returns `None` after reporting an error.
pub fn parse_document(file: u32, text: &str, max_bytes: usize, sink: &mut Sink) -> Option<Document> {
    let mut strict = Sink::new();
    let limits = Limits::of(max_bytes);
    let read_with = |is_strict: bool, sink: &mut Sink| {
        parse_with(file, text, sink, Some(Anchors::for_text(text)), limits, is_strict)
    };
    let document = read_with(true, &mut strict);
    let Some(first) = strict.into_sorted().into_iter().next() else { return document };
    let mut lenient = Sink::new();
    let again = if first.code == Code::YamlSyntax { read_with(false, &mut lenient) } else { None };
    match again.filter(|_| lenient.into_sorted().is_empty()) {
        Some(document) => Some(Document {
            tolerated_error: Some(ToleratedError { span: first.span, problem: first.message }),
            ..document
        }),
        // Parses again to report the errors into the caller's sink.
        None => read_with(true, sink),
    }
}

/// Limits on the size of a file.
#[derive(Clone, Copy)]
struct Limits {
    bytes: usize,
    nodes: usize,
}

impl Limits {
    /// Returns the limits for a maximum file size; the maximum number of values is proportional to it.
    fn of(max_bytes: usize) -> Self {
        Self { bytes: max_bytes, nodes: MAX_NODES.saturating_mul(max_bytes.div_ceil(MAX_BYTES).max(1)) }
    }
}

fn parse_with(
    file: u32,
    text: &str,
    sink: &mut Sink,
    shared: Option<Anchors>,
    limits: Limits,
    is_strict: bool,
) -> Option<Document> {
    let start = Span { file, start: 0, end: 0 };
    if text.len() > limits.bytes {
        let most = limits.bytes;
        sink.report(Code::TooLarge, start, format!("the file has {} bytes, more than {most}", text.len()));
        return None;
    }
    let options = granit_parser::options! {
        strict_indentation: is_strict,
        disallow_directives: shared.is_none(),
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder::new(file, text, sink, shared, limits.nodes);
    for next in Parser::new_from_str_with_options(text, options) {
        let go_on = match next {
            Ok((event, span)) => builder.handle_event(event, to_span(file, span)),
            Err(error) => {
                report_scan_error(file, text, &error, builder.sink);
                return None;
            }
        };
        if !go_on {
            return None;
        }
    }
    let (root, unknown_tags) = builder.finish();
    if root.is_none() {
        sink.report(Code::OneDocument, start, "the file is empty").help("remove the file or add definitions to it");
    }
    root.map(|root| Document { root, unknown_tags, tolerated_error: None })
}

fn report_scan_error(file: u32, text: &str, error: &ScanError, sink: &mut Sink) {
    let at = byte_offset(error.marker());
    let end = text.get(at as usize..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let span = Span { file, start: at, end: at + u32::try_from(end).unwrap_or(0) };
    let message = error.info();
    if message.contains("nesting") || message.contains("recursion") {
        sink.report(Code::TooLarge, span, format!("the values are nested more than {MAX_DEPTH} levels deep"));
    } else if message.contains("directives are disallowed") {
        sink.report(Code::YamlFeature, span, "directives are not supported").help("remove the line");
    } else {
        let advice = scan_error_help(text, at as usize, &message.to_string());
        let report = sink.report(Code::YamlSyntax, span, format!("invalid YAML: {message}"));
        report.help.extend(advice);
    }
}

/// Returns the help for a syntax error at an offset.
fn scan_error_help(text: &str, at: usize, message: &str) -> Option<String> {
    if message.contains("unknown escape") {
        return quoting::escape_help(text, at);
    }
    // In YAML a value that starts with `!` is a tag, which changes how the rest of the line is parsed.
    if let Some(value) = quoting::exclamation_value_at(text, at) {
        return Some(quoting::tag_help(&value));
    }
    let of_place = match message {
        message if message.contains("after single-quoted scalar") => quoting::trailing_help(text, at, '\''),
        message if message.contains("after double-quoted scalar") => quoting::trailing_help(text, at, '"'),
        message if message.contains("unclosed bracket") => quoting::comment_help(text, at),
        message if message.contains("flow") => {
            quoting::list_type_help(text, at).or_else(|| quoting::flow_help(text, at))
        }
        _ => None,
    };
    let of_words = || SCAN_ERROR_HELP.iter().find(|(part, _)| message.contains(part));
    of_place.or_else(|| of_words().map(|(_, advice)| (*advice).to_owned()))
}

/// Help by a part of the parser's message, where the message itself does not explain the error.
const SCAN_ERROR_HELP: &[(&str, &str)] = &[
    ("mapping values are not allowed", "add a space after the colon of a key, or quote a string that contains `: `"),
    ("multiline quoted scalar", "a string on a line above is missing its closing quote"),
    ("unexpected end of plain scalar", "a quote or bracket is not closed"),
    ("invalid indentation", "a quote or bracket above is not closed, or the line is not indented enough"),
    ("tab", "use spaces for indentation"),
    ("simple key expected", "add a colon and a space after the key"),
    ("could not find expected ':'", "add a colon and a space after the key"),
];

fn to_span(file: u32, span: granit_parser::Span) -> Span {
    let start = byte_offset(&span.start);
    Span { file, start, end: byte_offset(&span.end).max(start) }
}

/// Returns the byte offset of a marker, or the maximum if it does not fit in 32 bits.
fn byte_offset(marker: &granit_parser::Marker) -> u32 {
    u32::try_from(marker.byte_offset().unwrap_or_else(|| marker.index())).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
