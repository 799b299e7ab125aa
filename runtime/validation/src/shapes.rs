//! Traversal of shapes: for the order of the document, and for the lines of the schema.

use std::borrow::Cow;
use std::cmp::Ordering;

use wireform_runtime::fields::{Inner, Shape};
use wireform_runtime::operation::Operation;

use crate::path::{Path, PathStep, Within};
use crate::violation::Violation;

/// Resource, and a text with a line for the resource and for each of its members: the name, which is empty for the
/// resource, a tab, and the line of the schema, such as `event.yaml:42`. One text compiles faster than two for each
/// member.
pub type Source = (&'static str, &'static str);

/// Lines of the schema, as generated code states them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources {
    /// One table per file of the schema, each sorted by resource.
    pub members: &'static [&'static [Source]],
}

impl Sources {
    /// Empty tables.
    pub const NONE: Self = Self { members: &[] };

    /// Returns the line of a member, or of the resource if the member has none.
    #[must_use]
    pub fn line(&self, resource: &str, member: &str) -> Option<&'static str> {
        self.exact(resource, member).or_else(|| self.exact(resource, ""))
    }

    /// Returns the line of a member.
    pub(crate) fn exact(&self, resource: &str, member: &str) -> Option<&'static str> {
        self.members.iter().find_map(|table| {
            let (_, lines) = table.get(table.binary_search_by(|(name, _)| (*name).cmp(resource)).ok()?)?;
            let mut lines = lines.split('\n').filter_map(|line| line.split_once('\t'));
            lines.find(|(name, _)| *name == member).map(|(_, line)| line)
        })
    }
}

/// Returns the content after a step.
pub(crate) fn descend(place: Inner, step: &PathStep) -> Option<Inner> {
    match (place, step) {
        // Lists do not appear in shapes.
        (inner, PathStep::Index(_)) => Some(inner),
        (Inner::Shape(shape), PathStep::Member(name)) => shape.member(name),
        (Inner::Map(inner), PathStep::Key(_) | PathStep::Hidden) => Some(*inner),
        _ => None,
    }
}

/// Returns the last member of a path, and the resource that has it.
pub(crate) fn owner<'p>(shape: &'static Shape, path: &'p Path) -> (&'static str, &'p str) {
    let (mut place, mut found) = (Inner::Shape(shape), (shape.name, ""));
    for step in path.steps() {
        if let (Inner::Shape(shape), PathStep::Member(name)) = (place, step) {
            found = (shape.name, name);
        }
        match descend(place, step) {
            Some(inner) => place = inner,
            None => break,
        }
    }
    found
}

/// Sorts violations in the order of the document, and sets their lines of the schema.
#[cold]
pub(crate) fn sort_and_annotate(
    violations: &mut [Violation],
    operation: Option<&'static Operation>,
    shape: Option<&'static Shape>,
    sources: &Sources,
) {
    for violation in violations.iter_mut().filter(|violation| violation.path.within() == Within::Body) {
        if let Some(shape) = shape {
            name_members(&mut violation.path, shape);
        }
    }
    violations.sort_by(|a, b| compare(&a.path, &b.path, operation, shape));
    annotate(violations, shape, sources);
}

/// Distinguishes members from map keys in a path of a text, and renames members to their names in the schema.
pub(crate) fn name_members(path: &mut Path, shape: &'static Shape) {
    let mut place = Inner::Shape(shape);
    for step in path.steps_mut() {
        if let (Inner::Shape(shape), PathStep::Key(name)) = (place, &mut *step) {
            let known = shape.canonical(name).map(Cow::Borrowed);
            *step = PathStep::Member(known.unwrap_or_else(|| std::mem::take(name).into()));
        }
        match descend(place, step) {
            Some(inner) => place = inner,
            None => return,
        }
    }
}

/// Sets the lines of the schema of violations.
fn annotate(violations: &mut [Violation], shape: Option<&'static Shape>, sources: &Sources) {
    let Some(shape) = shape else { return };
    for violation in violations.iter_mut().filter(|violation| violation.path.within() == Within::Body) {
        if violation.schema.is_none() {
            let (resource, member) = owner(shape, &violation.path);
            violation.schema = sources.line(resource, member);
        }
    }
}

/// Compares two paths: parameters precede the body and are in the order of the operation; members are in that of the
/// resource.
fn compare(a: &Path, b: &Path, operation: Option<&'static Operation>, shape: Option<&'static Shape>) -> Ordering {
    let rank = |path: &Path| match path.within() {
        Within::Parameter(name) | Within::Header(name) => operation.map_or(0, |operation| {
            let parameters = operation.parameters;
            parameters.iter().position(|parameter| parameter.name.is(name)).unwrap_or(parameters.len())
        }),
        Within::Body => usize::MAX,
    };
    let order = rank(a).cmp(&rank(b));
    if order.is_ne() || a.within() != b.within() {
        // Parameters that the operation does not have keep their order.
        return order;
    }
    let is_body = a.within() == Within::Body;
    if is_body && shape.is_none() {
        // Without a shape the order of the checks is the best available.
        return Ordering::Equal;
    }
    let mut place = shape.filter(|_| is_body).map(Inner::Shape);
    for (a, b) in a.steps().iter().zip(b.steps()) {
        let order = compare_steps(a, b, place);
        if order.is_ne() {
            return order;
        }
        place = place.and_then(|place| descend(place, a));
    }
    a.steps().len().cmp(&b.steps().len())
}

/// Compares two steps in a total order, as sorting requires: unknown fields are in alphabetical order.
fn compare_steps(a: &PathStep, b: &PathStep, place: Option<Inner>) -> Ordering {
    let kind = |step: &PathStep| match step {
        PathStep::Member(_) => 0,
        PathStep::Index(_) => 1,
        PathStep::Key(_) => 2,
        PathStep::Hidden => 3,
        PathStep::Spelled(_) => 4,
    };
    match (a, b) {
        (PathStep::Index(a), PathStep::Index(b)) => a.cmp(b),
        (PathStep::Key(a), PathStep::Key(b)) | (PathStep::Spelled(a), PathStep::Spelled(b)) => a.cmp(b),
        (PathStep::Member(a), PathStep::Member(b)) if a == b => Ordering::Equal,
        (PathStep::Member(a), PathStep::Member(b)) => {
            let rank = |name: &str| match place {
                Some(Inner::Shape(shape)) => shape.members.iter().position(|member| *member == name),
                _ => None,
            };
            let last = usize::MAX;
            (rank(a).unwrap_or(last), a).cmp(&(rank(b).unwrap_or(last), b))
        }
        _ => kind(a).cmp(&kind(b)),
    }
}

#[cfg(test)]
mod tests;
