//! Builds nodes from the events of the parser.

use granit_parser::{Event, ScalarStyle, Tag};

use super::open::{Kind, Map, Open};
use super::quoted;
use super::shared::{Shared, merged};
use super::tags::{self, UnknownTag};
use super::{Entry, MAX_DEPTH, Node, Style, Value};
use crate::diagnostics::{Code, Sink, Span};

pub struct Builder<'s> {
    file: u32,
    text: &'s str,
    pub sink: &'s mut Sink,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    max_nodes: usize,
    documents: usize,
    /// Anchored values and unknown tags; `None` if the file must not contain anchors, aliases, tags and merge keys.
    shared: Option<Shared>,
}

impl<'s> Builder<'s> {
    pub fn new(file: u32, text: &'s str, sink: &'s mut Sink, shared: Option<Shared>, max_nodes: usize) -> Self {
        Self { file, text, sink, open: Vec::new(), root: None, nodes: 0, max_nodes, documents: 0, shared }
    }

    /// Returns the root value, if there is one, and the unknown tags.
    pub fn finish(self) -> (Option<Node>, Vec<UnknownTag>) {
        (self.root, self.shared.map(|shared| shared.unknown.into_sorted()).unwrap_or_default())
    }

    /// Handles an event. Returns false if parsing must stop.
    pub fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::DocumentStart(..) => self.document(span),
            Event::Scalar(text, style, anchor, tag) => {
                // The parser returns `~` for a missing value, which is then indistinguishable from a written `~`.
                let is_plain = style == ScalarStyle::Plain;
                let text = if is_plain && span.start == span.end { String::new() } else { text.into_owned() };
                let style = if is_plain { Style::Plain } else { Style::Text };
                self.scalar(text, style, anchor, tag.as_deref(), span)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.collection(Kind::List(Vec::new()), anchor, tag.as_deref(), span)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.collection(Kind::Map(Map::default()), anchor, tag.as_deref(), span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(anchor) => self.alias(Some(anchor), span),
            Event::UnresolvedAlias(_) => self.alias(None, span),
            _ => true,
        }
    }

    fn document(&mut self, span: Span) -> bool {
        self.documents += 1;
        if self.documents > 1 {
            self.sink
                .report(Code::OneDocument, span, "found a second YAML document")
                .help("move the second document to its own file");
        }
        self.documents == 1
    }

    fn scalar(&mut self, text: String, style: Style, anchor: usize, tag: Option<&Tag>, span: Span) -> bool {
        if !self.no_properties(anchor, tag.is_some(), span) {
            return false;
        }
        let (text, style) = match tag.map(|tag| tags::scalar(tag, text.clone(), style)) {
            None => (text, style),
            Some(Ok(Some(read))) => read,
            Some(Ok(None)) => {
                if !self.unknown_tag(tag, span) {
                    return false;
                }
                (text, style)
            }
            Some(Err(problem)) => {
                self.sink
                    .report(Code::YamlFeature, span, problem)
                    .help("write a value of that type, or remove the tag");
                return false;
            }
        };
        let node = Node { span, value: Value::Scalar(text, style) };
        self.keep(anchor, &node) && self.value(node)
    }

    fn collection(&mut self, kind: Kind, anchor: usize, tag: Option<&Tag>, span: Span) -> bool {
        if !self.no_properties(anchor, tag.is_some(), span) {
            return false;
        }
        let is_list = matches!(kind, Kind::List(_));
        match tag.map(|tag| tags::collection(tag, is_list)) {
            None | Some(Ok(true)) => {}
            Some(Ok(false)) => {
                if !self.unknown_tag(tag, span) {
                    return false;
                }
            }
            Some(Err(problem)) => {
                self.sink
                    .report(Code::YamlFeature, span, problem)
                    .help("write a value of that type, or remove the tag");
                return false;
            }
        }
        self.open.push(Open { span, anchor, kind });
        self.key_is_text(span)
    }

    /// Records an unknown tag. Returns false after reporting that there are too many.
    fn unknown_tag(&mut self, tag: Option<&Tag>, span: Span) -> bool {
        let (Some(shared), Some(tag)) = (&mut self.shared, tag) else { return true };
        let open = self.open.iter();
        let path = || {
            let piece = |open: &Open| match &open.kind {
                Kind::List(items) => Some(items.len().to_string()),
                Kind::Map(map) => map.key.as_ref().map(|(key, _)| key.clone()),
            };
            open.filter_map(piece).collect()
        };
        let has_room = shared.unknown.add(tag.original(), path);
        if !has_room {
            let most = tags::MOST_UNKNOWN;
            self.sink.report(Code::TooLarge, span, format!("more than {most} unknown tags"));
        }
        has_room
    }

    fn no_properties(&mut self, anchor: usize, tagged: bool, span: Span) -> bool {
        if self.shared.is_some() {
            return true;
        }
        if anchor != 0 || tagged {
            let span = self.property(span);
            let (what, help) = match self.text.get(span.start as usize..span.end as usize).unwrap_or_default() {
                text if text.starts_with('&') => ("anchors", "write the plain value instead".to_owned()),
                text if text.starts_with("!!") || text.starts_with("!<") => {
                    ("tags", "write the plain value instead".to_owned())
                }
                text => {
                    let whole = quoted::value_of_line(self.text, span.start as usize);
                    let whole = whole.filter(|whole| whole.starts_with(text));
                    ("tags", quoted::help(whole.as_deref().unwrap_or(text)))
                }
            };
            self.sink.report(Code::YamlFeature, span, format!("{what} are not supported")).help(help);
        }
        anchor == 0 && !tagged
    }

    /// Returns the span of the anchor or tag of a value: the first of at most two such words before the value. Returns
    /// the value's own span if a comment is between them.
    fn property(&self, value: Span) -> Span {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut found = value;
        for _ in 0..2 {
            let Some(before) = self.text.get(..found.start as usize).map(str::trim_end) else { break };
            let cut = |c: char| c.is_whitespace() || "[{,".contains(c);
            let (_, word) = before.rsplit_once(cut).unwrap_or(("", before));
            if !word.starts_with(['&', '!']) {
                break;
            }
            found = Span { start: place(before.len() - word.len()), end: place(before.len()), ..value };
        }
        found
    }

    /// Adds a copy of the anchored value in place of an alias. Returns false after reporting an error.
    fn alias(&mut self, anchor: Option<usize>, span: Span) -> bool {
        let Some(shared) = &mut self.shared else {
            self.sink
                .report(Code::YamlFeature, span, "aliases are not supported")
                .help("write the value in each place that needs it");
            return false;
        };
        let named = self.text.get(span.start as usize..span.end as usize).unwrap_or_default().escape_debug();
        let Some(anchor) = anchor else {
            let problem = format!("no anchor for alias `{named}` found before it");
            self.sink.report(Code::YamlFeature, span, problem).help("write the value instead, or correct the name");
            return false;
        };
        let copy = match shared.copy(anchor, self.open.len()) {
            Some(Ok(copy)) => copy,
            Some(Err(problem)) => {
                self.sink.report(Code::TooLarge, span, problem).help("use fewer aliases");
                return false;
            }
            None => {
                let problem = format!("alias `{named}` refers to a value that contains it");
                self.sink.report(Code::YamlFeature, span, problem).help("a value cannot contain itself");
                return false;
            }
        };
        // A collection as a key is reported at the alias.
        let is_scalar = matches!(copy.value, Value::Scalar(..));
        if !is_scalar && matches!(self.open.last(), Some(Open { kind: Kind::Map(Map { key: None, .. }), .. })) {
            return self.refuse_key(span);
        }
        self.value(Node { span, ..copy })
    }

    /// Stores a copy of an anchored value. Returns false after reporting that the budget is exceeded.
    fn keep(&mut self, anchor: usize, node: &Node) -> bool {
        let Some(shared) = self.shared.as_mut().filter(|_| anchor != 0) else { return true };
        match shared.keep(anchor, node) {
            Ok(()) => true,
            Err(problem) => {
                self.sink.report(Code::TooLarge, node.span, problem).help("use fewer anchors");
                false
            }
        }
    }

    /// Rejects a collection as a key, and checks the budget. The collection itself is already open.
    fn key_is_text(&mut self, span: Span) -> bool {
        self.nodes += 1;
        let below = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        if matches!(below, Some(Open { kind: Kind::Map(Map { key: None, .. }), .. })) {
            return self.refuse_key(span);
        }
        self.within_budget(span)
    }

    fn refuse_key(&mut self, span: Span) -> bool {
        self.sink
            .report(Code::YamlFeature, span, "expected a scalar as key, found a list or a mapping")
            .help("write one entry for each key");
        false
    }

    fn within_budget(&mut self, span: Span) -> bool {
        if self.nodes > self.max_nodes || self.open.len() > MAX_DEPTH {
            self.sink.report(Code::TooLarge, span, "the file has too many values or is nested too deeply");
            return false;
        }
        true
    }

    fn value(&mut self, node: Node) -> bool {
        self.nodes += 1;
        if !self.within_budget(node.span) {
            return false;
        }
        let merges = self.shared.is_some();
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(node),
            Some(Kind::List(items)) => items.push(node),
            Some(Kind::Map(map)) => match (map.key.take(), node) {
                (Some((key, key_span)), value) => map.entries.push(Entry { key, key_span, value }),
                (None, Node { span, value: Value::Scalar(text, style) }) => {
                    return map.start_key(self.sink, text, style, span, merges);
                }
                // Unreachable: a collection as a key is rejected when it starts.
                (None, _) => return false,
            },
        }
        true
    }

    fn close(&mut self, end: Span) -> bool {
        let Some(Open { span, anchor, kind }) = self.open.pop() else { return true };
        let span = Span { file: self.file, start: span.start, end: end.end.max(span.start) };
        let value = match kind {
            Kind::List(items) => Value::List(items),
            Kind::Map(Map { entries, merge: None, .. }) => Value::Map(entries),
            Kind::Map(Map { entries, merge: Some((merge, _)), seen, .. }) => match merged(entries, merge, &seen) {
                Ok(entries) => Value::Map(entries),
                Err(span) => {
                    self.sink
                        .report(Code::YamlFeature, span, "`<<` requires a mapping or a list of mappings")
                        .help("write an alias of a mapping after it");
                    return false;
                }
            },
        };
        let node = Node { span, value };
        self.keep(anchor, &node) && self.value(node)
    }
}
