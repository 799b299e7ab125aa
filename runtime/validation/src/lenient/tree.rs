//! JSON text as a flat tree of positions in the text: nothing is decoded, and all names are kept.

use std::borrow::Cow;
use std::ops::Range;

use crate::violations::Violations;

/// Maximum nesting; the runtime's decoder has the same limit.
const MAX_LEVELS: usize = 127;

/// Index that represents no node.
const NO_NODE: u32 = u32::MAX;

/// Text and its values.
#[derive(Debug)]
pub struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

/// Value in the text.
#[derive(Debug)]
pub struct Node {
    /// Kind of the value.
    pub kind: NodeKind,
    /// Range of the value in the text, without its name.
    pub range: Range<usize>,
    /// Range of its name with the quotes, if it is a field.
    pub name: Range<usize>,
    parent: u32,
    first: u32,
    next: u32,
}

/// Kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The literal `null`.
    Null,
    /// The literal `true` or `false`.
    Bool,
    /// Number.
    Number,
    /// String.
    String,
    /// List.
    List,
    /// Object.
    Object,
    /// List or object that is nested too deeply to be scanned.
    TooDeep,
}

/// List or object that is not closed yet.
struct OpenContainer {
    node: usize,
    last: Option<usize>,
}

impl<'t> Tree<'t> {
    /// Parses a text.
    ///
    /// # Errors
    /// Returns the violations if the text is not JSON; `None` if it has more than `max_values` values.
    pub fn read(bytes: &'t [u8], max_values: usize) -> Result<Self, Option<Violations>> {
        if let Some(broken) = super::syntax_violations(bytes) {
            return Err(Some(broken));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| None)?;
        let mut tree = Self { text, nodes: Vec::new() };
        tree.scan(max_values.min(NO_NODE as usize - 1)).ok_or(None).map(|()| tree)
    }

    /// Scans a text that is known to be JSON. Returns `None` if there are too many values.
    fn scan(&mut self, max_values: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let (mut open, mut name, mut at) = (Vec::<OpenContainer>::new(), None::<Range<usize>>, 0);
        while let Some(byte) = bytes.get(at) {
            let start = at;
            let kind = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => {
                    at += 1;
                    continue;
                }
                b'}' | b']' => {
                    at += 1;
                    if let Some(node) = open.pop().and_then(|open| self.nodes.get_mut(open.node)) {
                        node.range.end = at;
                    }
                    continue;
                }
                b'"' => {
                    at = end_of_string(bytes, at + 1);
                    if name.is_none() && self.is_object(open.last()) {
                        name = Some(start..at);
                        continue;
                    }
                    NodeKind::String
                }
                b'{' | b'[' if open.len() >= MAX_LEVELS => {
                    at = end_of_brackets(bytes, at);
                    NodeKind::TooDeep
                }
                b'{' | b'[' => {
                    at += 1;
                    if *byte == b'{' { NodeKind::Object } else { NodeKind::List }
                }
                first => {
                    at = end_of_word(bytes, at);
                    literal_kind(*first)
                }
            };
            if self.nodes.len() >= max_values {
                return None;
            }
            let node = self.add(kind, start..at, name.take().unwrap_or(start..start), open.last_mut());
            if matches!(kind, NodeKind::List | NodeKind::Object) {
                open.push(OpenContainer { node, last: None });
            }
        }
        Some(())
    }

    fn is_object(&self, open: Option<&OpenContainer>) -> bool {
        open.and_then(|open| self.nodes.get(open.node)).is_some_and(|node| node.kind == NodeKind::Object)
    }

    fn add(
        &mut self,
        kind: NodeKind,
        range: Range<usize>,
        name: Range<usize>,
        above: Option<&mut OpenContainer>,
    ) -> usize {
        let number = self.nodes.len();
        // The number of nodes is limited to less than that.
        let short = u32::try_from(number).unwrap_or(NO_NODE);
        let mut parent = NO_NODE;
        if let Some(above) = above {
            parent = u32::try_from(above.node).unwrap_or(NO_NODE);
            match above.last.replace(number) {
                Some(before) => self.nodes.get_mut(before).into_iter().for_each(|node| node.next = short),
                None => self.nodes.get_mut(above.node).into_iter().for_each(|node| node.first = short),
            }
        }
        self.nodes.push(Node { kind, range, name, parent, first: NO_NODE, next: NO_NODE });
        number
    }

    /// Returns the number of values; the first one is the whole text.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the value with this index.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// Returns the value that contains this one.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.to_index(self.nodes.get(node)?.parent)
    }

    /// Returns the first child of a value.
    pub fn first(&self, node: usize) -> Option<usize> {
        self.to_index(self.nodes.get(node)?.first)
    }

    /// Returns the next sibling of a value.
    pub fn next(&self, node: usize) -> Option<usize> {
        self.to_index(self.nodes.get(node)?.next)
    }

    /// Returns the children of a value.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first(node), |child| self.next(*child))
    }

    /// Returns the name of a field; `None` if it is not Unicode.
    pub fn name(&self, node: usize) -> Option<Cow<'t, str>> {
        self.string(self.nodes.get(node)?.name.clone())
    }

    /// Decodes a string; `None` if it is not Unicode, which escapes allow.
    pub fn string(&self, range: Range<usize>) -> Option<Cow<'t, str>> {
        let quoted = self.text.get(range)?;
        if quoted.contains('\\') {
            return serde_json::from_str::<String>(quoted).ok().map(Cow::Owned);
        }
        quoted.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
    }

    fn to_index(&self, short: u32) -> Option<usize> {
        usize::try_from(short).ok().filter(|node| *node < self.nodes.len())
    }
}

/// Returns the kind of a literal by its first byte.
const fn literal_kind(first: u8) -> NodeKind {
    match first {
        b'n' => NodeKind::Null,
        b't' | b'f' => NodeKind::Bool,
        _ => NodeKind::Number,
    }
}

/// Returns the end of a string whose opening quote is before `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns the end of the brackets that open at `at`.
fn end_of_brackets(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0_usize;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at;
                }
            }
            b'"' => at = end_of_string(bytes, at),
            _ => {}
        }
    }
    bytes.len()
}

/// Returns the end of a number or a word.
fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' | b':'));
    // At least one byte, so that the scan makes progress.
    at + length.unwrap_or(rest.len()).max(1)
}
