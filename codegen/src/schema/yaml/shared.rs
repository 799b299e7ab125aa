//! What is written once and stands in several places: anchors with their aliases, and merge keys.

use std::collections::{HashMap, HashSet};

use super::tags::Unknown;
use super::{Entry, MAX_BYTES, MAX_DEPTH, MAX_NODES, Node, Value};
use crate::diagnostics::Span;

/// What a copy costs.
#[derive(Clone, Copy, Default)]
struct Weight {
    values: usize,
    bytes: usize,
    depth: usize,
}

impl Weight {
    /// That of a value; nesting is bounded where values are read, and again where they are copied.
    fn of(node: &Node) -> Self {
        let mut weight = Self { values: 1, ..Self::default() };
        match &node.value {
            Value::Scalar(text, _) => weight.bytes = text.len(),
            Value::List(items) => items.iter().for_each(|item| weight.add(Self::of(item), 0)),
            Value::Map(entries) => {
                entries.iter().for_each(|entry| weight.add(Self::of(&entry.value), entry.key.len()));
            }
        }
        weight
    }

    fn add(&mut self, part: Self, key: usize) {
        self.values = self.values.saturating_add(part.values);
        self.bytes = self.bytes.saturating_add(part.bytes).saturating_add(key);
        self.depth = self.depth.max(part.depth + 1);
    }
}

/// The values that copies may have in any file, and the bytes of text: a short file can share much of what it says.
const FREE_VALUES: usize = 20_000;
const FREE_BYTES: usize = 1 << 20;

/// The values with anchors, and what copies of them have cost.
pub struct Shared {
    anchors: HashMap<usize, (Node, Weight)>,
    spent: Weight,
    most_values: usize,
    most_bytes: usize,
    /// The tags that mean nothing.
    pub unknown: Unknown,
}

impl Shared {
    /// Nothing yet of a file with a text. What it may bring in grows with the text, so that a few lines do not stand for
    /// a file of the greatest size: a value a byte is some ten times of what is written without aliases.
    pub fn of(text: &str) -> Self {
        Self {
            anchors: HashMap::new(),
            spent: Weight::default(),
            most_values: text.len().saturating_add(FREE_VALUES).min(MAX_NODES),
            most_bytes: text.len().saturating_mul(10).saturating_add(FREE_BYTES).min(MAX_BYTES),
            unknown: Unknown::default(),
        }
    }

    /// Keeps a copy of what has an anchor.
    ///
    /// # Errors
    /// When all copies together are too large.
    pub fn keep(&mut self, anchor: usize, node: &Node) -> Result<(), String> {
        let weight = Weight::of(node);
        self.spend(weight)?;
        self.anchors.insert(anchor, (node.clone(), weight));
        Ok(())
    }

    /// A copy of what has an anchor, to stand so many levels deep; nothing where its end has not come yet.
    pub fn copy(&mut self, anchor: usize, level: usize) -> Option<Result<Node, String>> {
        let weight = self.anchors.get(&anchor)?.1;
        if level.saturating_add(weight.depth) > MAX_DEPTH {
            return Some(Err(format!("the value of this alias is nested more than {MAX_DEPTH} levels deep")));
        }
        if let Err(problem) = self.spend(weight) {
            return Some(Err(problem));
        }
        self.anchors.get(&anchor).map(|(node, _)| Ok(node.clone()))
    }

    fn spend(&mut self, weight: Weight) -> Result<(), String> {
        self.spent.add(weight, 0);
        let (values, bytes) = (self.most_values, self.most_bytes);
        if self.spent.values > values || self.spent.bytes > bytes {
            return Err(format!(
                "anchors and aliases expand to more than {values} values or {bytes} bytes of text, the limit for a \
                    file of this size"
            ));
        }
        Ok(())
    }
}

/// The entries of a mapping in which the one at an index brings in those of others. Keys that are written win, and those
/// of an earlier mapping win over those of a later one.
///
/// # Errors
/// Where the value stands that is no mapping.
pub fn merged(mut entries: Vec<Entry>, at: usize, own: &HashMap<String, Span>) -> Result<Vec<Entry>, Span> {
    if at >= entries.len() {
        return Ok(entries);
    }
    let after = entries.split_off(at + 1);
    let Some(merge) = entries.pop() else { return Ok(after) };
    let sources = match merge.value {
        Node { value: Value::List(items), .. } => items,
        one => vec![one],
    };
    let mut seen: HashSet<String> = HashSet::new();
    for source in sources {
        let Value::Map(theirs) = source.value else { return Err(source.span) };
        let news = theirs.into_iter().filter(|entry| !own.contains_key(&entry.key) && seen.insert(entry.key.clone()));
        entries.extend(news);
    }
    entries.extend(after);
    Ok(entries)
}
