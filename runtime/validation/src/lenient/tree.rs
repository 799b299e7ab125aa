//! JSON text as a tree of places in the text: nothing is decoded, no name is lost, and nothing is nested in memory.

use std::borrow::Cow;
use std::ops::Range;

use crate::violations::Violations;

/// The deepest nesting; the decoder of the runtime ends there too.
const MOST_LEVELS: usize = 127;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// A text and its values.
#[derive(Debug)]
pub struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

/// A value.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands, without its name.
    pub range: Range<usize>,
    /// Its name with the quotes, if it is a member.
    pub name: Range<usize>,
    parent: u32,
    first: u32,
    next: u32,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
    /// A list or an object that is nested too deep to be looked into.
    Deep,
}

/// A list or an object whose end has not come yet.
struct Open {
    node: usize,
    last: Option<usize>,
}

impl<'t> Tree<'t> {
    /// Reads a text.
    ///
    /// # Errors
    /// Returns what is wrong with it if it is not JSON; nothing if it has more than `most` values.
    pub fn read(bytes: &'t [u8], most: usize) -> Result<Self, Option<Violations>> {
        if let Some(broken) = super::broken(bytes) {
            return Err(Some(broken));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| None)?;
        let mut tree = Self { text, nodes: Vec::new() };
        tree.scan(most.min(NONE as usize - 1)).ok_or(None).map(|()| tree)
    }

    /// Walks over a text that is known to be JSON. None if there are too many values.
    fn scan(&mut self, most: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let (mut open, mut name, mut at) = (Vec::<Open>::new(), None::<Range<usize>>, 0);
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
                    NodeKind::Text
                }
                b'{' | b'[' if open.len() >= MOST_LEVELS => {
                    at = end_of_brackets(bytes, at);
                    NodeKind::Deep
                }
                b'{' | b'[' => {
                    at += 1;
                    if *byte == b'{' { NodeKind::Object } else { NodeKind::List }
                }
                first => {
                    at = end_of_word(bytes, at);
                    word(*first)
                }
            };
            if self.nodes.len() >= most {
                return None;
            }
            let node = self.add(kind, start..at, name.take().unwrap_or(start..start), open.last_mut());
            if matches!(kind, NodeKind::List | NodeKind::Object) {
                open.push(Open { node, last: None });
            }
        }
        Some(())
    }

    fn is_object(&self, open: Option<&Open>) -> bool {
        open.and_then(|open| self.nodes.get(open.node)).is_some_and(|node| node.kind == NodeKind::Object)
    }

    fn add(&mut self, kind: NodeKind, range: Range<usize>, name: Range<usize>, above: Option<&mut Open>) -> usize {
        let number = self.nodes.len();
        // There are fewer nodes than that.
        let short = u32::try_from(number).unwrap_or(NONE);
        let mut parent = NONE;
        if let Some(above) = above {
            parent = u32::try_from(above.node).unwrap_or(NONE);
            match above.last.replace(number) {
                Some(before) => self.nodes.get_mut(before).into_iter().for_each(|node| node.next = short),
                None => self.nodes.get_mut(above.node).into_iter().for_each(|node| node.first = short),
            }
        }
        self.nodes.push(Node { kind, range, name, parent, first: NONE, next: NONE });
        number
    }

    /// Returns how many values there are; the first one is the text as a whole.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the value of that number.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// Returns the value that holds this one.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.number(self.nodes.get(node)?.parent)
    }

    /// Returns the first value in this one.
    pub fn first(&self, node: usize) -> Option<usize> {
        self.number(self.nodes.get(node)?.first)
    }

    /// Returns the value behind this one, in the same list or object.
    pub fn next(&self, node: usize) -> Option<usize> {
        self.number(self.nodes.get(node)?.next)
    }

    /// Returns the values in this one.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first(node), |child| self.next(*child))
    }

    /// Returns the name of a member; none if it is no Unicode.
    pub fn name(&self, node: usize) -> Option<Cow<'t, str>> {
        self.string(self.nodes.get(node)?.name.clone())
    }

    /// Returns the text of a string; none if it is no Unicode, which escapes allow.
    pub fn string(&self, range: Range<usize>) -> Option<Cow<'t, str>> {
        let quoted = self.text.get(range)?;
        if quoted.contains('\\') {
            return serde_json::from_str::<String>(quoted).ok().map(Cow::Owned);
        }
        quoted.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
    }

    fn number(&self, short: u32) -> Option<usize> {
        usize::try_from(short).ok().filter(|node| *node < self.nodes.len())
    }
}

/// What starts with that byte, and is neither a string nor in brackets.
const fn word(first: u8) -> NodeKind {
    match first {
        b'n' => NodeKind::Null,
        b't' | b'f' => NodeKind::Bool,
        _ => NodeKind::Number,
    }
}

/// Where a string ends whose first quote is before `at`.
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

/// Where the bracket closes that opens at `at`.
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

/// Where a number or a word ends.
fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' | b':'));
    // Whatever stands there has a byte at least, so that the walk goes on.
    at + length.unwrap_or(rest.len()).max(1)
}
