//! Collections that are being parsed.

use std::collections::HashMap;

use super::{Entry, Node, Style};
use crate::diagnostics::{Code, Sink, Span};

/// A list or mapping that is being parsed.
pub struct OpenCollection {
    /// Span of its start.
    pub span: Span,
    /// Id of its anchor; 0 for none.
    pub anchor: usize,
    /// Its kind and contents so far.
    pub kind: CollectionContents,
}

/// The contents of an open collection.
pub enum CollectionContents {
    /// A list.
    List(Vec<Node>),
    /// A mapping.
    Map(OpenMapping),
}

/// The contents of an open mapping.
#[derive(Default)]
pub struct OpenMapping {
    /// The complete entries.
    pub entries: Vec<Entry>,
    /// The key of the next value.
    pub key: Option<(String, Span)>,
    /// The written keys, without the merge key.
    pub written_keys: HashMap<String, Span>,
    /// The index of the merge key's entry, and the span of the key.
    pub merge_key: Option<(usize, Span)>,
}

impl OpenMapping {
    /// Starts an entry. A duplicate key is reported, but its value is still read, so that the errors in it are reported
    /// too. Returns false if parsing must stop.
    pub fn start_key(&mut self, sink: &mut Sink, text: String, style: Style, span: Span, merges: bool) -> bool {
        let is_merge = text == "<<" && style == Style::Plain;
        if is_merge && !merges {
            sink.report(Code::YamlFeature, span, "merge keys are not supported")
                .help("write the keys in each mapping that needs them");
            return false;
        }
        // A quoted `<<` is an ordinary key, which is not a duplicate of the merge key.
        let first = if is_merge {
            self.merge_key.replace((self.entries.len(), span)).map(|(_, first)| first)
        } else {
            self.written_keys.insert(text.clone(), span)
        };
        if let Some(first) = first {
            sink.report(Code::DuplicateKey, span, format!("duplicate key `{text}`"))
                .label("again")
                .related(first, "first used here")
                .help("remove one of them, or merge their values");
        }
        self.key = Some((text, span));
        true
    }
}
