//! Anchors, aliases and merge keys.

use std::collections::{HashMap, HashSet};

use super::tags::UnknownTags;
use super::{Entry, MAX_BYTES, MAX_DEPTH, MAX_NODES, Node, Value};
use crate::diagnostics::Span;

/// Size of a value that is copied.
#[derive(Clone, Copy, Default)]
struct CopySize {
    values: usize,
    bytes: usize,
    depth: usize,
}

impl CopySize {
    /// Returns the size of a value. The recursion is bounded, because nesting is limited when values are read and when
    /// they are copied.
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

    /// Adds the size of a part, with the length of its key in bytes; 0 for a list item.
    fn add(&mut self, part: Self, key: usize) {
        self.values = self.values.saturating_add(part.values);
        self.bytes = self.bytes.saturating_add(part.bytes).saturating_add(key);
        self.depth = self.depth.max(part.depth + 1);
    }
}

/// Number of values that copies may have in a file of any size: a short file can consist mostly of aliases.
const BASE_VALUES: usize = 20_000;
/// Bytes of text that copies may have in a file of any size.
const BASE_BYTES: usize = 1 << 20;

/// Anchored values, and the total size of their copies.
pub struct Anchors {
    anchors: HashMap<usize, (Node, CopySize)>,
    used: CopySize,
    max_values: usize,
    max_bytes: usize,
    /// The unknown tags.
    pub unknown_tags: UnknownTags,
}

impl Anchors {
    /// Creates an empty set for a file. The budget for copies is proportional to the size of the text, so that a few
    /// lines cannot expand to a file of the maximum size. One value per byte is about ten times the density of a file
    /// without aliases.
    pub fn for_text(text: &str) -> Self {
        Self {
            anchors: HashMap::new(),
            used: CopySize::default(),
            max_values: text.len().saturating_add(BASE_VALUES).min(MAX_NODES),
            max_bytes: text.len().saturating_mul(10).saturating_add(BASE_BYTES).min(MAX_BYTES),
            unknown_tags: UnknownTags::default(),
        }
    }

    /// Stores a copy of an anchored value.
    ///
    /// # Errors
    /// Returns an error if all copies together exceed the budget.
    pub fn insert(&mut self, anchor: usize, node: &Node) -> Result<(), String> {
        let weight = CopySize::of(node);
        self.charge(weight)?;
        self.anchors.insert(anchor, (node.clone(), weight));
        Ok(())
    }

    /// Returns a copy of an anchored value for an alias at a nesting level, or an error if it is nested too deeply or
    /// the budget is exceeded. Returns `None` if the anchored value is not complete, because it contains the alias.
    pub fn resolve(&mut self, anchor: usize, level: usize) -> Option<Result<Node, String>> {
        let weight = self.anchors.get(&anchor)?.1;
        if level.saturating_add(weight.depth) > MAX_DEPTH {
            return Some(Err(format!("the value of this alias is nested more than {MAX_DEPTH} levels deep")));
        }
        if let Err(problem) = self.charge(weight) {
            return Some(Err(problem));
        }
        self.anchors.get(&anchor).map(|(node, _)| Ok(node.clone()))
    }

    /// Counts a copy; returns an error if all copies together exceed the budget.
    fn charge(&mut self, weight: CopySize) -> Result<(), String> {
        self.used.add(weight, 0);
        let (values, bytes) = (self.max_values, self.max_bytes);
        if self.used.values > values || self.used.bytes > bytes {
            return Err(format!(
                "anchors and aliases expand to more than {values} values or {bytes} bytes of text, the limit for a \
                    file of this size"
            ));
        }
        Ok(())
    }
}

/// Merges the mappings of the merge key at an index into the entries. Written keys take precedence over merged ones,
/// and those of earlier mappings over those of later ones.
///
/// # Errors
/// Returns the span of a merged value that is not a mapping.
pub fn merge_entries(mut entries: Vec<Entry>, at: usize, own: &HashMap<String, Span>) -> Result<Vec<Entry>, Span> {
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
        let added = theirs.into_iter().filter(|entry| !own.contains_key(&entry.key) && seen.insert(entry.key.clone()));
        entries.extend(added);
    }
    entries.extend(after);
    Ok(entries)
}
