//! Overlapping paths of which neither is a special case of the other: `/{a}/x` and `/x/{a}`.
//!
//! Servers choose between them by precedence, and other tools by other rules.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::globs::{Glob, contains, globs, meet};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Api, Http, Media, Operation, Segment, SegmentPattern};

impl Tables<'_> {
    /// Warns of overlapping paths, and of operations that are unreachable at theirs.
    pub fn check_overlaps(&self, api: &Api, sink: &mut Sink) {
        self.check_operations(api, sink);
        self.check_uploads(api, sink);
        let Some(batch) = &api.batch else { return };
        let at_batch = path(&batch.path, &[]);
        for operation in api.served_operations() {
            if full_paths(api, operation).any(|path| path == at_batch) {
                let message = format!("unreachable operation: `{}` is the batch path of the API", batch.path);
                sink.report(Code::AmbiguousPath, self.http_span(operation), message)
                    .help("change one of the two paths");
            }
        }
    }

    fn check_operations(&self, api: &Api, sink: &mut Sink) {
        let mut by_method: HashMap<&str, (Paths, Vec<&Operation>)> = HashMap::new();
        for operation in api.served_operations() {
            let (paths, operations) = by_method.entry(&operation.http.method).or_default();
            let overlap = paths.add(globs(&operation.http));
            operations.push(operation);
            let Some((overlap, other)) = overlap.and_then(|it| operations.get(it.other).map(|other| (it, *other)))
            else {
                continue;
            };
            let (rank, other_rank) = (rank(&operation.http), self::rank(&other.http));
            // Without precedence it is an error, reported elsewhere.
            if rank != other_rank {
                let first = if rank < other_rank { operation } else { other };
                let message = format!(
                    "ambiguous request `{} {}`: it matches this operation and `{}`",
                    operation.http.method, overlap.example, other.name
                );
                sink.report(Code::AmbiguousPath, self.http_span(operation), message)
                    .related(self.http_span(other), "the other operation")
                    .help(format!("servers dispatch it to `{}`; other tools may not", first.name))
                    .help("use paths that differ in a literal segment");
            }
        }
    }

    /// Checks upload paths, which a server tries first.
    fn check_uploads(&self, api: &Api, sink: &mut Sink) {
        let mut by_method: HashMap<&str, (Paths, Vec<&Operation>)> = HashMap::new();
        for operation in api.served_operations() {
            for way in operation.media.iter().flat_map(Media::upload_endpoints) {
                let upload = globs(&way.http);
                let (paths, operations) = by_method.entry(&way.http.method).or_default();
                let overlap = paths.add(upload.clone());
                operations.push(operation);
                let other =
                    overlap.and_then(|overlap| Some((operations.get(overlap.other).copied()?, overlap.example)));
                let other = other.filter(|(other, _)| other.name != operation.name);
                let hidden = || {
                    let mut same_method = api.served_operations().filter(|other| other.http.method == way.http.method);
                    same_method.find_map(|other| Some((other, hides(api, &upload, other)?)))
                };
                let Some((other, example)) = other.or_else(hidden) else { continue };
                let message = format!(
                    "ambiguous request `{} {example}`: it matches the upload path of this operation and `{}`",
                    way.http.method, other.name
                );
                sink.report(Code::AmbiguousPath, self.media_span(operation), message)
                    .related(self.http_span(other), "the other operation")
                    .help("start the upload path with a literal segment of its own, such as `/upload`");
            }
        }
    }

    fn http_span(&self, operation: &Operation) -> Span {
        let id = self.operation_ids.get(operation.name.as_str());
        id.and_then(|id| self.operations.get(id.0)).map_or_else(Span::default, |(_, def)| def.http.span)
    }

    fn media_span(&self, operation: &Operation) -> Span {
        let id = self.operation_ids.get(operation.name.as_str());
        let media = id.and_then(|id| self.operations.get(id.0)).and_then(|(_, def)| def.media.as_ref());
        media.map_or_else(Span::default, |media| media.span)
    }
}

/// Returns a path of the operation that an upload path shadows, unless the operation has many others.
fn hides(api: &Api, upload: &[Glob], operation: &Operation) -> Option<String> {
    let of = |path: Vec<Glob>| {
        let example = meet(upload, &path)?;
        let is_special = contains(&path, upload) && !contains(upload, &path);
        (!is_special).then_some(example)
    };
    full_paths(api, operation).find_map(of)
}

/// Returns the paths of an operation from the root of the server.
fn full_paths(api: &Api, operation: &Operation) -> impl Iterator<Item = Vec<Glob>> {
    let bases = std::iter::once(&api.base_path.path).chain(&api.base_path.aliases);
    let below = globs(&operation.http);
    bases.map(move |base| path(base, &below))
}

/// Paths of one method, in a tree of segments.
#[derive(Debug)]
struct Paths {
    nodes: Vec<Node>,
    added: Vec<Vec<Glob>>,
}

/// Node of the tree.
#[derive(Debug, Default)]
struct Node {
    fixed: HashMap<String, usize>,
    /// Children whose segment is not literal.
    open: Vec<(Glob, usize)>,
    /// Paths that end here.
    ends: Vec<usize>,
    /// True if a path through this node can span any number of segments.
    has_any: bool,
}

/// Overlap with another path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Overlap {
    /// Number of the other path.
    other: usize,
    /// Path that both match.
    example: String,
}

/// Node that a path may lead to, with the comparison so far.
#[derive(Clone, Copy)]
struct Position {
    node: usize,
    segment: usize,
    /// True if the path is literal where the tree has a variable.
    fixes_more: bool,
}

impl Default for Paths {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], added: Vec::new() }
    }
}

impl Paths {
    /// Adds a path, numbered in order. Returns the first earlier path that it overlaps with, unless one of them is a
    /// special case of the other.
    fn add(&mut self, path: Vec<Glob>) -> Option<Overlap> {
        let found = self.candidates(&path).into_iter().find_map(|other| {
            let known = self.added.get(other)?;
            let example = meet(&path, known)?;
            let special = contains(&path, known) || contains(known, &path);
            (!special).then_some(Overlap { other, example })
        });
        self.insert(&path);
        self.added.push(path);
        found
    }

    fn insert(&mut self, path: &[Glob]) {
        let mut at = 0;
        for (index, glob) in path.iter().enumerate() {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return };
            node.has_any |= path[index..].contains(&Glob::Any);
            let found = match glob.fixed() {
                Some(text) => *node.fixed.entry(text.to_owned()).or_insert(next),
                None => match node.open.iter().find(|(known, _)| known == glob) {
                    Some((_, found)) => *found,
                    None => {
                        node.open.push((glob.clone(), next));
                        next
                    }
                },
            };
            if found == next {
                self.nodes.push(Node::default());
            }
            at = found;
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.ends.push(self.added.len());
        }
    }

    /// Returns the paths that may overlap with this one and are not special cases of it segment by segment.
    fn candidates(&self, path: &[Glob]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![Position { node: 0, segment: 0, fixes_more: false }];
        while let Some(place) = open.pop() {
            let Some(node) = self.nodes.get(place.node) else { continue };
            let rest = path.get(place.segment..).unwrap_or_default();
            let is_special = !place.fixes_more && !node.has_any && rest.iter().all(Glob::is_wildcard);
            match rest.first() {
                _ if is_special => {}
                None => found.extend(&node.ends),
                // The exact comparison decides how many segments it takes.
                Some(Glob::Any) => self.gather(place.node, &mut found),
                Some(glob) => self.step(place, node, glob, (&mut open, &mut found)),
            }
        }
        found
    }

    /// Advances from a node by one segment.
    fn step(
        &self,
        place: Position,
        node: &Node,
        glob: &Glob,
        (open, found): (&mut Vec<Position>, &mut BTreeSet<usize>),
    ) {
        let segment = place.segment + 1;
        let mut go = |node: usize, fixes_more: bool| open.push(Position { node, segment, fixes_more });
        match glob.fixed() {
            Some(text) => node.fixed.get(text).into_iter().for_each(|child| go(*child, place.fixes_more)),
            None => {
                let fixed = node.fixed.iter().filter(|(text, _)| glob.matches(text));
                fixed.for_each(|(_, child)| go(*child, place.fixes_more));
            }
        }
        for (known, child) in &node.open {
            if *known == Glob::Any {
                self.gather(*child, found);
            } else if known.meet(glob).is_some() {
                go(*child, place.fixes_more || known != glob);
            }
        }
    }

    /// Collects all paths through a node.
    fn gather(&self, node: usize, found: &mut BTreeSet<usize>) {
        let mut open = vec![node];
        while let Some(node) = open.pop().and_then(|node| self.nodes.get(node)) {
            found.extend(&node.ends);
            open.extend(node.fixed.values().chain(node.open.iter().map(|(_, child)| child)));
        }
    }
}

/// Prepends a base path.
fn path(base: &str, below: &[Glob]) -> Vec<Glob> {
    let base = base.split('/').filter(|segment| !segment.is_empty()).map(Glob::of_text);
    base.chain(below.iter().cloned()).collect()
}

/// Returns the precedence of a path, smaller first: the order in which `wireform-server` tries paths.
fn rank(http: &Http) -> impl Ord + use<> {
    let pieces: Vec<SegmentPattern> = http.segments.iter().flat_map(Segment::patterns).collect();
    let (count, has_verb) = (pieces.len(), http.verb.is_some());
    let rank = |(at, piece): (usize, &SegmentPattern)| match (piece, has_verb && at + 1 == count) {
        (SegmentPattern::Literal(_), _) => (0, Reverse(0)),
        (SegmentPattern::Parts(parts), true) => (1, Reverse(length(parts))),
        (SegmentPattern::Single, true) => (2, Reverse(0)),
        (SegmentPattern::Parts(parts), false) => (3, Reverse(length(parts))),
        (SegmentPattern::Single, false) => (4, Reverse(0)),
        (SegmentPattern::Multiple, true) => (5, Reverse(0)),
        (SegmentPattern::Multiple, false) => (6, Reverse(0)),
    };
    let ranks: Vec<_> = pieces.iter().enumerate().map(rank).collect();
    (ranks, Reverse(count), Reverse(has_verb))
}

/// Returns the length of the literal text in a segment.
fn length(parts: &[Option<String>]) -> usize {
    parts.iter().flatten().map(String::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a path in which `*` is a variable, and `**` one that spans segments.
    fn globs_of(path: &str) -> Vec<Glob> {
        let glob = |segment: &str| match segment {
            "*" => vec![Glob::Segment(vec![None])],
            "**" => vec![Glob::Any, Glob::Segment(vec![None])],
            text => vec![Glob::of_text(text)],
        };
        path.split('/').skip(1).flat_map(glob).collect()
    }

    #[test]
    fn the_tree_finds_what_a_comparison_of_all_finds() {
        let words = ["a", "b", "*", "**"];
        let all: Vec<String> = words
            .iter()
            .flat_map(|one| words.iter().map(move |two| format!("/{one}/{two}")))
            .flat_map(|path| [path.clone(), format!("{path}/a"), format!("{path}/*")])
            .filter(|path| path.matches("**").count() < 2)
            .collect();
        for first in &all {
            for second in &all {
                let (a, b) = (globs_of(first), globs_of(second));
                let expected = meet(&a, &b).filter(|_| !contains(&a, &b) && !contains(&b, &a));
                let mut paths = Paths::default();
                assert_eq!(paths.add(a), None);
                assert_eq!(paths.add(b).is_some(), expected.is_some(), "{first} {second}");
            }
        }
    }

    /// The tree must spare ordinary paths a comparison with all others.
    #[test]
    fn few_paths_are_compared() {
        let mut paths = Paths::default();
        for collection in 0..1000 {
            for path in [format!("/owners/*/things{collection}"), format!("/owners/*/things{collection}/*")] {
                let path = globs_of(&path);
                assert!(paths.candidates(&path).len() <= 1, "{path:?}");
                assert_eq!(paths.add(path), None);
            }
        }
    }
}
