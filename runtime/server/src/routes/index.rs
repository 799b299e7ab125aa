//! Index of routes, so that routing takes no longer for a thousand operations than for ten.

use wireform_runtime::operation::{Operation, SegmentPattern};

use wireform_runtime::http::percent::decode;

/// Trie of routes by their segments.
#[derive(Debug)]
pub(super) struct Index {
    nodes: Vec<Node>,
    /// Maximum length in bytes of a literal if every character is encoded.
    max_encoded_length: usize,
}

/// Node of the trie.
#[derive(Debug, Default)]
struct Node {
    /// Children of literals, sorted by the text.
    literals: Vec<(&'static str, usize)>,
    variable: Option<usize>,
    /// Routes that end here.
    routes: Vec<usize>,
    /// Routes that continue with any number of segments.
    open_ended: Vec<usize>,
}

impl Index {
    /// Creates the index from routes in the order in which they are tried.
    pub(super) fn new<'o>(routes: impl Iterator<Item = &'o Operation>) -> Self {
        let mut index = Self { nodes: vec![Node::default()], max_encoded_length: 0 };
        for (route, operation) in routes.enumerate() {
            let (mut at, mut open) = (0, false);
            for piece in operation.segment_patterns() {
                open = piece == SegmentPattern::DoubleWildcard;
                if open {
                    break;
                }
                at = index.child(at, piece);
                if let SegmentPattern::Literal(text) = piece {
                    index.max_encoded_length = index.max_encoded_length.max(3 * text.len());
                }
            }
            if let Some(node) = index.nodes.get_mut(at) {
                if open { node.open_ended.push(route) } else { node.routes.push(route) }
            }
        }
        index
    }

    /// Returns the child for a piece, which is created if needed.
    fn child(&mut self, at: usize, piece: SegmentPattern) -> usize {
        let next = self.nodes.len();
        let Some(node) = self.nodes.get_mut(at) else { return 0 };
        let known = match piece {
            SegmentPattern::Literal(text) => match node.literals.binary_search_by_key(&text, |(text, _)| *text) {
                Ok(place) => node.literals.get(place).map(|(_, below)| *below),
                Err(place) => {
                    node.literals.insert(place, (text, next));
                    None
                }
            },
            SegmentPattern::Parts(_) | SegmentPattern::Wildcard | SegmentPattern::DoubleWildcard => match node.variable
            {
                Some(known) => Some(known),
                None => {
                    node.variable = Some(next);
                    None
                }
            },
        };
        known.unwrap_or_else(|| {
            self.nodes.push(Node::default());
            next
        })
    }

    /// Returns the routes that may match the segments, in the order in which they are tried; verbs are ignored.
    pub(super) fn candidates(&self, segments: &[&str]) -> Vec<usize> {
        let mut found = Vec::with_capacity(4);
        self.visit(0, segments, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Visits the matching nodes: at most two for each segment, each once, so the search is short.
    fn visit(&self, at: usize, segments: &[&str], found: &mut Vec<usize>) {
        let Some(node) = self.nodes.get(at) else { return };
        let Some((segment, rest)) = segments.split_first() else {
            found.extend(&node.routes);
            return;
        };
        found.extend(&node.open_ended);
        self.visit_literal(node, segment, rest, found);
        // A verb may follow, whose colon may be encoded. Most paths have none, and searching for texts is expensive.
        if rest.is_empty() && segment.bytes().any(|byte| matches!(byte, b':' | b'%')) {
            for colon in [":", "%3A", "%3a"] {
                if let Some((before, _)) = segment.rsplit_once(colon) {
                    self.visit_literal(node, before, rest, found);
                }
            }
        }
        if let Some(variable) = node.variable {
            self.visit(variable, rest, found);
        }
    }

    /// Continues the search below the literal segment that equals the text, or its decoded form.
    fn visit_literal(&self, node: &Node, text: &str, rest: &[&str], found: &mut Vec<usize>) {
        let below = |text: &str| {
            let place = node.literals.binary_search_by_key(&text, |(text, _)| *text).ok()?;
            node.literals.get(place).map(|(_, below)| *below)
        };
        let known = below(text).or_else(|| {
            let may_be = text.contains('%') && text.len() <= self.max_encoded_length;
            if may_be { decode(text).ok().and_then(|text| below(&text)) } else { None }
        });
        if let Some(below) = known {
            self.visit(below, rest, found);
        }
    }
}
