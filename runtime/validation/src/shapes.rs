//! Order of violations in the document, by the shape of the body.

use std::borrow::Cow;
use std::cmp::Ordering;

use wireform_runtime::fields::{FieldContent, Shape};
use wireform_runtime::operation::Operation;

use crate::path::{Path, PathRoot, PathStep};
use crate::source_lines::{SourceLines, descend};
use crate::violation::{RuleSource, Violation};

/// Sorts violations in the order of the document, and sets their definitions in the schema.
#[cold]
pub(crate) fn sort_and_annotate(
    violations: &mut [Violation],
    operation: Option<&'static Operation>,
    shape: Option<&'static Shape>,
    sources: &'static SourceLines,
) {
    for violation in violations.iter_mut().filter(|violation| violation.path.root() == PathRoot::Body) {
        if let Some(shape) = shape {
            resolve_field_names(&mut violation.path, shape);
        }
    }
    violations.sort_by(|a, b| compare(&a.path, &b.path, operation, shape));
    annotate(violations, shape, sources);
}

/// Distinguishes fields from map keys in a path of a text, renames fields to their names in the schema, and hides the
/// keys below a sensitive field.
pub(crate) fn resolve_field_names(path: &mut Path, shape: &'static Shape) {
    if !path.steps().iter().any(|step| matches!(step, PathStep::Key(_))) {
        return;
    }
    let (mut content, mut is_sensitive) = (FieldContent::Shape(shape), false);
    for step in path.steps_mut() {
        if is_sensitive && matches!(step, PathStep::Key(_)) {
            *step = PathStep::RedactedKey;
        } else if let (FieldContent::Shape(shape), PathStep::Key(name)) = (content, &mut *step) {
            let known = shape.canonical_name(name);
            is_sensitive |= known.is_some_and(|known| shape.sensitive.contains(&known));
            *step = PathStep::Field(known.map_or_else(|| std::mem::take(name).into(), Cow::Borrowed));
        }
        match descend(content, step) {
            Some(inner) => content = inner,
            None if is_sensitive => content = FieldContent::Leaf,
            None => return,
        }
    }
}

/// Sets the definitions in the schema of violations that do not have one.
fn annotate(violations: &mut [Violation], shape: Option<&'static Shape>, sources: &'static SourceLines) {
    let Some(shape) = shape else { return };
    for violation in violations.iter_mut().filter(|violation| violation.path.root() == PathRoot::Body) {
        if matches!(violation.source, RuleSource::Unknown) {
            violation.source = RuleSource::Field(shape, sources);
        }
    }
}

/// Compares two paths: parameters precede the body and are in the order of the operation; fields are in that of the
/// resource.
fn compare(a: &Path, b: &Path, operation: Option<&'static Operation>, shape: Option<&'static Shape>) -> Ordering {
    let rank = |path: &Path| match path.root() {
        PathRoot::Parameter(name) | PathRoot::Header(name) => operation.map_or(0, |operation| {
            let parameters = operation.parameters;
            parameters.iter().position(|parameter| parameter.name.matches(name)).unwrap_or(parameters.len())
        }),
        PathRoot::Body => usize::MAX,
    };
    let order = rank(a).cmp(&rank(b));
    if order.is_ne() || a.root() != b.root() {
        // Parameters that the operation does not have keep their order.
        return order;
    }
    let is_body = a.root() == PathRoot::Body;
    if is_body && shape.is_none() {
        // Without a shape the order of the checks is the best available.
        return Ordering::Equal;
    }
    let mut content = shape.filter(|_| is_body).map(FieldContent::Shape);
    for (a, b) in a.steps().iter().zip(b.steps()) {
        let order = compare_steps(a, b, content);
        if order.is_ne() {
            return order;
        }
        content = content.and_then(|content| descend(content, a));
    }
    a.steps().len().cmp(&b.steps().len())
}

/// Compares two steps in a total order, as sorting requires: unknown fields are in alphabetical order.
fn compare_steps(a: &PathStep, b: &PathStep, content: Option<FieldContent>) -> Ordering {
    let kind = |step: &PathStep| match step {
        PathStep::Field(_) => 0,
        PathStep::Index(_) => 1,
        PathStep::Key(_) => 2,
        PathStep::RedactedKey => 3,
        PathStep::Formatted(_) => 4,
    };
    match (a, b) {
        (PathStep::Index(a), PathStep::Index(b)) => a.cmp(b),
        (PathStep::Key(a), PathStep::Key(b)) | (PathStep::Formatted(a), PathStep::Formatted(b)) => a.cmp(b),
        (PathStep::Field(a), PathStep::Field(b)) if a == b => Ordering::Equal,
        (PathStep::Field(a), PathStep::Field(b)) => {
            let fields = match content {
                Some(FieldContent::Shape(shape)) => shape.fields,
                _ => &[],
            };
            // Known fields precede unknown ones.
            match fields.iter().find(|field| *field == a || *field == b) {
                Some(first) if first == a => Ordering::Less,
                Some(_) => Ordering::Greater,
                None => a.cmp(b),
            }
        }
        _ => kind(a).cmp(&kind(b)),
    }
}

#[cfg(test)]
mod tests;
