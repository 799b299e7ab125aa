//! The one place that reads YAML: text in, a tree of located nodes out.
//!
//! Nothing is typed here. A scalar stays the text that was written, and the key it stands under
//! decides what it means, so `on`, `012` and `1_000` are never turned into something else.
//! Anchors, aliases, tags, merge keys, duplicate keys and further documents are refused, and a
//! budget bounds what a hostile file can cost.

mod node;

use granit_parser::{Event, Parser, ScalarStyle, ScanError};

use crate::diagnostics::{Code, Sink, Span};

pub use node::{Entry, Node, Style, Value};

/// The largest file, in bytes.
const MAX_BYTES: usize = 32 << 20;
/// The most values in a file.
const MAX_NODES: usize = 2_000_000;
/// The deepest nesting; the language itself needs about ten levels.
const MAX_DEPTH: usize = 64;

/// Reads a file into a node; `None` when it could not be, with the reason in the sink.
pub fn parse(file: u32, text: &str, sink: &mut Sink) -> Option<Node> {
    let start = Span { file, start: 0, end: 0 };
    if text.len() > MAX_BYTES {
        sink.report(Code::TooLarge, start, format!("the file has {} bytes, more than {MAX_BYTES}", text.len()));
        return None;
    }
    let options = granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder { file, text, sink, open: Vec::new(), root: None, nodes: 0, documents: 0 };
    for next in Parser::new_from_str_with_options(text, options) {
        let go_on = match next {
            Ok((event, span)) => builder.event(event, locate(file, span)),
            Err(error) => {
                report_scan_error(file, text, &error, builder.sink);
                return None;
            }
        };
        if !go_on {
            return None;
        }
    }
    let root = builder.root.take();
    if root.is_none() {
        sink.report(Code::OneDocument, start, "the file is empty").help("remove the file, or describe something in it");
    }
    root
}

fn report_scan_error(file: u32, text: &str, error: &ScanError, sink: &mut Sink) {
    let at = offset(error.marker());
    let end = text.get(at as usize..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let span = Span { file, start: at, end: at + u32::try_from(end).unwrap_or(0) };
    let message = error.info();
    if message.contains("nesting") || message.contains("recursion") {
        sink.report(Code::TooLarge, span, format!("the values are nested more than {MAX_DEPTH} levels deep"));
    } else if message.contains("directives are disallowed") {
        sink.report(Code::YamlFeature, span, "a directive is not allowed here").help("remove the line");
    } else {
        let report = sink.report(Code::YamlSyntax, span, format!("cannot read the YAML: {message}"));
        report.help.extend(
            SCAN_ADVICE.iter().find(|(part, _)| message.contains(part)).map(|(_, advice)| (*advice).to_owned()),
        );
    }
}

/// What to do about the mistakes that the reader's own words do not explain to an author.
const SCAN_ADVICE: &[(&str, &str)] = &[
    ("mapping values are not allowed", "a key has a space after its colon, and text with `: ` in it stands in quotes"),
    ("multiline quoted scalar", "a quote is not closed on a line above"),
    ("unexpected end of plain scalar", "a quote or a bracket is not closed"),
    ("invalid indentation", "a quote or a bracket is not closed above, or the line is indented too little"),
    ("tab", "indent with spaces"),
    ("simple key expected", "a key has a colon and a space after it"),
    ("could not find expected ':'", "a key has a colon and a space after it"),
];

fn locate(file: u32, span: granit_parser::Span) -> Span {
    let start = offset(&span.start);
    Span { file, start, end: offset(&span.end).max(start) }
}

/// Files are at most [`MAX_BYTES`] long, so an offset fits.
fn offset(marker: &granit_parser::Marker) -> u32 {
    u32::try_from(marker.byte_offset().unwrap_or_else(|| marker.index())).unwrap_or(u32::MAX)
}

/// A collection whose end has not come yet.
enum Open {
    List(Span, Vec<Node>),
    Map { span: Span, entries: Vec<Entry>, key: Option<(String, Span)>, seen: std::collections::HashMap<String, Span> },
}

struct Builder<'s> {
    file: u32,
    text: &'s str,
    sink: &'s mut Sink,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    documents: usize,
}

impl Builder<'_> {
    /// Takes one event; false when reading on has no use.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::DocumentStart(..) => return self.document(span),
            Event::Scalar(text, style, anchor, tag) => {
                if !self.no_properties(anchor, tag.is_some(), span) {
                    return false;
                }
                let style = if style == ScalarStyle::Plain { Style::Plain } else { Style::Text };
                // Where nothing is written, the parser says `~`, which somebody might have written.
                let text =
                    if style == Style::Plain && span.start == span.end { String::new() } else { text.into_owned() };
                return self.value(Node { span, value: Value::Scalar(text, style) });
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.open.push(Open::List(span, Vec::new()));
                return self.no_properties(anchor, tag.is_some(), span) && self.key_is_text(span);
            }
            Event::MappingStart(_, anchor, tag) => {
                self.open.push(Open::Map {
                    span,
                    entries: Vec::new(),
                    key: None,
                    seen: std::collections::HashMap::new(),
                });
                return self.no_properties(anchor, tag.is_some(), span) && self.key_is_text(span);
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.sink
                    .report(Code::YamlFeature, span, "an alias is not allowed here")
                    .help("write the value out where it is needed");
                return false;
            }
            _ => {}
        }
        true
    }

    fn document(&mut self, span: Span) -> bool {
        self.documents += 1;
        if self.documents > 1 {
            self.sink
                .report(Code::OneDocument, span, "a second document starts here")
                .help("a schema file holds one document; put the second one into a file of its own");
        }
        self.documents == 1
    }

    fn no_properties(&mut self, anchor: usize, tagged: bool, span: Span) -> bool {
        if anchor != 0 || tagged {
            let span = self.property(span);
            let what = if self.text.get(span.start as usize..).is_some_and(|text| text.starts_with('&')) {
                "an anchor"
            } else {
                "a tag"
            };
            self.sink
                .report(Code::YamlFeature, span, format!("{what} is not allowed here"))
                .help("write the plain value");
        }
        anchor == 0 && !tagged
    }

    /// Where the anchor or the tag stands that belongs to a value: it is the last word before it,
    /// unless there is a comment between.
    fn property(&self, value: Span) -> Span {
        let Some(before) = self.text.get(..value.start as usize).map(str::trim_end) else { return value };
        let (_, word) = before.rsplit_once(|c: char| c.is_whitespace() || "[{,".contains(c)).unwrap_or(("", before));
        let start = before.len() - word.len();
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        if !word.starts_with(['&', '!']) {
            return value;
        }
        Span { start: place(start), end: place(before.len()), ..value }
    }

    /// Refuses a collection in the place of a key. The collection itself is already open.
    fn key_is_text(&mut self, span: Span) -> bool {
        self.nodes += 1;
        let below = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        if matches!(below, Some(Open::Map { key: None, .. })) {
            self.sink
                .report(Code::YamlFeature, span, "a key must be plain text, not a list or a mapping")
                .help("write one key after another");
            return false;
        }
        self.within_budget(span)
    }

    fn within_budget(&mut self, span: Span) -> bool {
        if self.nodes > MAX_NODES || self.open.len() > MAX_DEPTH {
            self.sink.report(Code::TooLarge, span, "the file has too many values, or nests them too deeply");
            return false;
        }
        true
    }

    fn value(&mut self, node: Node) -> bool {
        self.nodes += 1;
        if !self.within_budget(node.span) {
            return false;
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map { entries, key, seen, .. }) => match (key.take(), node) {
                (Some((key, key_span)), value) => entries.push(Entry { key, key_span, value }),
                (None, Node { span, value: Value::Scalar(text, style) }) => {
                    return start_key(self.sink, key, seen, text, style, span);
                }
                // `key_is_text` has refused it before its end came.
                (None, _) => return false,
            },
        }
        true
    }

    fn close(&mut self, end: Span) -> bool {
        let close = |span: Span| Span { file: self.file, start: span.start, end: end.end.max(span.start) };
        let node = match self.open.pop() {
            Some(Open::List(span, items)) => Node { span: close(span), value: Value::List(items) },
            Some(Open::Map { span, entries, .. }) => Node { span: close(span), value: Value::Map(entries) },
            None => return true,
        };
        self.value(node)
    }
}

/// Takes the text of a key; a key that was there already is reported and its value is read all
/// the same, so that the mistakes in it are reported too.
fn start_key(
    sink: &mut Sink,
    slot: &mut Option<(String, Span)>,
    seen: &mut std::collections::HashMap<String, Span>,
    text: String,
    style: Style,
    span: Span,
) -> bool {
    if text == "<<" && style == Style::Plain {
        sink.report(Code::YamlFeature, span, "a merge key is not allowed here")
            .help("write the keys out where they are needed");
        return false;
    }
    if let Some(first) = seen.insert(text.clone(), span) {
        sink.report(Code::DuplicateKey, span, format!("the key `{text}` is written twice"))
            .label("again")
            .related(first, "first here")
            .help("remove one of them, or merge the two");
    }
    *slot = Some((text, span));
    true
}
