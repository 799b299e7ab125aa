//! Collections whose end has not come yet.

use std::collections::HashMap;

use super::{Entry, Node, Style};
use crate::diagnostics::{Code, Sink, Span};

/// A collection whose end has not come yet.
pub struct Open {
    /// Where it begins.
    pub span: Span,
    /// The number of its anchor; 0 where it has none.
    pub anchor: usize,
    /// What it is, with what is in it so far.
    pub kind: Kind,
}

/// A list or a mapping.
pub enum Kind {
    /// A list.
    List(Vec<Node>),
    /// A mapping.
    Map(Map),
}

/// What has come of a mapping.
#[derive(Default)]
pub struct Map {
    /// The entries with their values.
    pub entries: Vec<Entry>,
    /// The key whose value comes next.
    pub key: Option<(String, Span)>,
    /// The keys that are written, without the merge key.
    pub seen: HashMap<String, Span>,
    /// The index of the entry that brings in those of others, and where its key stands.
    pub merge: Option<(usize, Span)>,
}

impl Map {
    /// Takes the text of a key; a key that was there already is reported and its value is read all
    /// the same, so that the mistakes in it are reported too. False when reading on has no use.
    pub fn start_key(&mut self, sink: &mut Sink, text: String, style: Style, span: Span, merges: bool) -> bool {
        let is_merge = text == "<<" && style == Style::Plain;
        if is_merge && !merges {
            sink.report(Code::YamlFeature, span, "merge keys are not supported")
                .help("write the keys in each mapping that needs them");
            return false;
        }
        // In quotes it is a key like others, which can stand beside a merge key.
        let first = if is_merge {
            self.merge.replace((self.entries.len(), span)).map(|(_, first)| first)
        } else {
            self.seen.insert(text.clone(), span)
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
