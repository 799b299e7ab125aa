//! Overlapping paths of which neither is a special case of the other: `/{a}/x` and `/x/{a}`.
//!
//! Servers choose between them by precedence, and other tools by other rules.

mod path_tree;

use std::cmp::Reverse;
use std::collections::HashMap;

use super::globs::{Glob, contains, globs, meet};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Api, Http, Media, Operation, Segment, SegmentPattern};
use path_tree::PathTree;

impl Tables<'_> {
    /// Warns of overlapping paths, and of operations that are unreachable at theirs.
    pub fn check_overlaps(&self, api: &Api, sink: &mut Sink) {
        self.check_operations(api, sink);
        self.check_uploads(api, sink);
        let Some(batch) = &api.batch else { return };
        let places: Vec<_> = std::iter::once(&batch.path).chain(&batch.aliases).map(|at| (at, path(at, &[]))).collect();
        for operation in api.served_operations() {
            let hidden = full_paths(api, operation).find_map(|path| places.iter().find(|(_, place)| path == *place));
            if let Some((place, _)) = hidden {
                let message = format!("unreachable operation: `{place}` is the batch path of the API");
                sink.report(Code::AmbiguousPath, self.http_span(operation), message)
                    .help("change one of the two paths");
            }
        }
    }

    fn check_operations(&self, api: &Api, sink: &mut Sink) {
        let mut by_method: HashMap<&str, (PathTree, Vec<&Operation>)> = HashMap::new();
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
        let mut by_method: HashMap<&str, (PathTree, Vec<&Operation>)> = HashMap::new();
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

    pub fn http_span(&self, operation: &Operation) -> Span {
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
