//! Builds nodes from the events of the parser.

use granit_parser::{Event, ScalarStyle, Tag};

use super::anchors::{Anchors, merge_entries};
use super::collections::{CollectionContents, OpenCollection, OpenMapping};
use super::quoting;
use super::tags::{self, UnknownTag};
use super::{Entry, MAX_DEPTH, Node, Style, Value};
use crate::diagnostics::{Code, Sink, Span};

/// Builder of the node tree of one YAML file; it reports unsupported features of YAML.
pub struct Builder<'s> {
    file: u32,
    text: &'s str,
    pub sink: &'s mut Sink,
    open: Vec<OpenCollection>,
    root: Option<Node>,
    nodes: usize,
    max_nodes: usize,
    documents: usize,
    /// Anchored values and unknown tags; `None` if the file must not contain anchors, aliases, tags and merge keys.
    anchors: Option<Anchors>,
}

impl<'s> Builder<'s> {
    pub fn new(file: u32, text: &'s str, sink: &'s mut Sink, shared: Option<Anchors>, max_nodes: usize) -> Self {
        Self { file, text, sink, open: Vec::new(), root: None, nodes: 0, max_nodes, documents: 0, anchors: shared }
    }

    /// Returns the root value, if there is one, and the unknown tags.
    pub fn finish(self) -> (Option<Node>, Vec<UnknownTag>) {
        (self.root, self.anchors.map(|shared| shared.unknown_tags.into_vec()).unwrap_or_default())
    }

    /// Handles an event. Returns false if parsing must stop.
    pub fn handle_event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::DocumentStart(..) => self.start_document(span),
            Event::Scalar(text, style, anchor, tag) => {
                // The parser returns `~` for a missing value, which is then indistinguishable from a written `~`.
                let is_plain = style == ScalarStyle::Plain;
                let text = if is_plain && span.start == span.end { String::new() } else { text.into_owned() };
                let style = if is_plain { Style::Plain } else { Style::Text };
                self.add_scalar(text, style, anchor, tag.as_deref(), span)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.start_collection(CollectionContents::List(Vec::new()), anchor, tag.as_deref(), span)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.start_collection(CollectionContents::Map(OpenMapping::default()), anchor, tag.as_deref(), span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end_collection(span),
            Event::Alias(anchor) => self.add_alias(Some(anchor), span),
            Event::UnresolvedAlias(_) => self.add_alias(None, span),
            _ => true,
        }
    }

    fn start_document(&mut self, span: Span) -> bool {
        self.documents += 1;
        if self.documents > 1 {
            self.sink
                .report(Code::OneDocument, span, "found a second YAML document")
                .help("move the second document to its own file");
        }
        self.documents == 1
    }

    fn add_scalar(&mut self, text: String, style: Style, anchor: usize, tag: Option<&Tag>, span: Span) -> bool {
        if !self.check_properties(anchor, tag.is_some(), span) {
            return false;
        }
        let (text, style) = match tag.map(|tag| tags::resolve_scalar(tag, text.clone(), style)) {
            None => (text, style),
            Some(Ok(Some(read))) => read,
            Some(Ok(None)) => {
                if !self.record_unknown_tag(tag, span) {
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
        self.store_anchor(anchor, &node) && self.add_value(node)
    }

    fn start_collection(&mut self, kind: CollectionContents, anchor: usize, tag: Option<&Tag>, span: Span) -> bool {
        if !self.check_properties(anchor, tag.is_some(), span) {
            return false;
        }
        let is_list = matches!(kind, CollectionContents::List(_));
        match tag.map(|tag| tags::check_collection(tag, is_list)) {
            None | Some(Ok(true)) => {}
            Some(Ok(false)) => {
                if !self.record_unknown_tag(tag, span) {
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
        self.open.push(OpenCollection { span, anchor, kind });
        self.check_key(span)
    }

    /// Records an unknown tag. Returns false after reporting that there are too many.
    fn record_unknown_tag(&mut self, tag: Option<&Tag>, span: Span) -> bool {
        let (Some(shared), Some(tag)) = (&mut self.anchors, tag) else { return true };
        let open = self.open.iter();
        let path = || {
            let piece = |open: &OpenCollection| match &open.kind {
                CollectionContents::List(items) => Some(items.len().to_string()),
                CollectionContents::Map(map) => map.key.as_ref().map(|(key, _)| key.clone()),
            };
            open.filter_map(piece).collect()
        };
        let has_room = shared.unknown_tags.record(tag.original(), path);
        if !has_room {
            let most = tags::MAX_UNKNOWN_TAGS;
            self.sink.report(Code::TooLarge, span, format!("more than {most} unknown tags"));
        }
        has_room
    }

    fn check_properties(&mut self, anchor: usize, tagged: bool, span: Span) -> bool {
        if self.anchors.is_some() {
            return true;
        }
        if anchor != 0 || tagged {
            let span = self.property_span(span);
            let (what, help) = match self.text.get(span.start as usize..span.end as usize).unwrap_or_default() {
                text if text.starts_with('&') => ("anchors", "write the plain value instead".to_owned()),
                text if text.starts_with("!!") || text.starts_with("!<") => {
                    ("tags", "write the plain value instead".to_owned())
                }
                text => {
                    let whole = quoting::exclamation_value_at(self.text, span.start as usize);
                    let whole = whole.filter(|whole| whole.starts_with(text));
                    ("tags", quoting::tag_help(whole.as_deref().unwrap_or(text)))
                }
            };
            self.sink.report(Code::YamlFeature, span, format!("{what} are not supported")).help(help);
        }
        anchor == 0 && !tagged
    }

    /// Returns the span of the anchor or tag of a value: the first of at most two such words before the value. Returns
    /// the value's own span if a comment is between them.
    fn property_span(&self, value: Span) -> Span {
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
    fn add_alias(&mut self, anchor: Option<usize>, span: Span) -> bool {
        let Some(shared) = &mut self.anchors else {
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
        let copy = match shared.resolve(anchor, self.open.len()) {
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
        if !is_scalar
            && matches!(
                self.open.last(),
                Some(OpenCollection { kind: CollectionContents::Map(OpenMapping { key: None, .. }), .. })
            )
        {
            return self.reject_key(span);
        }
        self.add_value(Node { span, ..copy })
    }

    /// Stores a copy of an anchored value. Returns false after reporting that the budget is exceeded.
    fn store_anchor(&mut self, anchor: usize, node: &Node) -> bool {
        let Some(shared) = self.anchors.as_mut().filter(|_| anchor != 0) else { return true };
        match shared.insert(anchor, node) {
            Ok(()) => true,
            Err(problem) => {
                self.sink.report(Code::TooLarge, node.span, problem).help("use fewer anchors");
                false
            }
        }
    }

    /// Rejects a collection as a key, and checks the budget. The collection itself is already open.
    fn check_key(&mut self, span: Span) -> bool {
        self.nodes += 1;
        let below = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        if matches!(below, Some(OpenCollection { kind: CollectionContents::Map(OpenMapping { key: None, .. }), .. })) {
            return self.reject_key(span);
        }
        self.check_budget(span)
    }

    fn reject_key(&mut self, span: Span) -> bool {
        self.sink
            .report(Code::YamlFeature, span, "expected a scalar as key, found a list or a mapping")
            .help("write one entry for each key");
        false
    }

    fn check_budget(&mut self, span: Span) -> bool {
        if self.nodes > self.max_nodes || self.open.len() > MAX_DEPTH {
            self.sink.report(Code::TooLarge, span, "the file has too many values or is nested too deeply");
            return false;
        }
        true
    }

    fn add_value(&mut self, node: Node) -> bool {
        self.nodes += 1;
        if !self.check_budget(node.span) {
            return false;
        }
        let merges = self.anchors.is_some();
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(node),
            Some(CollectionContents::List(items)) => items.push(node),
            Some(CollectionContents::Map(map)) => match (map.key.take(), node) {
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

    fn end_collection(&mut self, end: Span) -> bool {
        let Some(OpenCollection { span, anchor, kind }) = self.open.pop() else { return true };
        let span = Span { file: self.file, start: span.start, end: end.end.max(span.start) };
        let value = match kind {
            CollectionContents::List(items) => Value::List(items),
            CollectionContents::Map(OpenMapping { entries, merge_key: None, .. }) => Value::Map(entries),
            CollectionContents::Map(OpenMapping {
                entries, merge_key: Some((merge, _)), written_keys: seen, ..
            }) => match merge_entries(entries, merge, &seen) {
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
        self.store_anchor(anchor, &node) && self.add_value(node)
    }
}
