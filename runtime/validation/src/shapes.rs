//! Traversal of shapes: for the order of the document, and for the lines of the schema.

use std::borrow::Cow;
use std::cmp::Ordering;

use wireform_runtime::fields::{FieldContent, Shape};
use wireform_runtime::operation::Operation;

use crate::path::{Path, PathRoot, PathStep};
use crate::violation::{RuleSource, Violation};

/// Resource, and a text with a line for the resource and for each of its fields: the name, which is empty for the
/// resource, a tab, and the line of the schema, such as `event.yaml:42`. One text compiles faster than two for each
/// field.
pub type SourceTable = (&'static str, &'static str);

/// Maximum length of a table that is searched from its start.
const MAX_LINEAR_TABLE: usize = 32;

/// Lines of the schema, as generated code states them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceLines {
    /// One table per file of the schema, each sorted by resource.
    pub tables: &'static [&'static [SourceTable]],
}

impl SourceLines {
    /// Empty tables.
    pub const NONE: Self = Self { tables: &[] };

    /// Returns the line of a field, or of the resource if the field has none.
    #[must_use]
    pub fn line(&self, resource: &str, member: &str) -> Option<&'static str> {
        self.exact_line(resource, member).or_else(|| self.exact_line(resource, ""))
    }

    /// Returns the line of a field.
    pub(crate) fn exact_line(&self, resource: &str, member: &str) -> Option<&'static str> {
        self.tables.iter().find_map(|table| line_in(lines_of(table, resource)?, member))
    }
}

/// Returns the lines of a resource in a table.
fn lines_of(table: &[SourceTable], resource: &str) -> Option<&'static str> {
    // In a short table, comparing lengths excludes most names.
    let found = if table.len() <= MAX_LINEAR_TABLE {
        table.iter().find(|(name, _)| *name == resource)
    } else {
        table.get(table.binary_search_by(|(name, _)| (*name).cmp(resource)).ok()?)
    };
    found.map(|(_, lines)| *lines)
}

/// Returns the line of a field in the lines of its resource.
fn line_in<'t>(lines: &'t str, member: &str) -> Option<&'t str> {
    let mut rest = lines;
    loop {
        let end = end_of_line(rest.as_bytes());
        // Most names have another length, so that the byte after them decides.
        if rest.as_bytes().get(member.len()) == Some(&b'\t') && rest.starts_with(member) {
            return rest.get(member.len() + 1..end.unwrap_or(rest.len()));
        }
        rest = rest.get(end? + 1..)?;
    }
}

/// Returns the index of the first line break.
fn end_of_line(text: &[u8]) -> Option<usize> {
    let is_break = |byte: &u8| *byte == b'\n';
    let mut rest = text;
    // Without branches within a block, which becomes a few vector instructions.
    while let Some((block, more)) = rest.split_first_chunk::<16>()
        && !block.iter().fold(false, |any, byte| any | is_break(byte))
    {
        rest = more;
    }
    Some(text.len() - rest.len() + rest.iter().position(is_break)?)
}

/// Returns the content after a step.
pub(crate) fn descend(content: FieldContent, step: &PathStep) -> Option<FieldContent> {
    match (content, step) {
        // Lists do not appear in shapes.
        (inner, PathStep::Index(_)) => Some(inner),
        (FieldContent::Shape(shape), PathStep::Field(name)) => shape.field(name),
        (FieldContent::Map(inner), PathStep::Key(_) | PathStep::RedactedKey) => Some(*inner),
        _ => None,
    }
}

/// Returns the last field of a path, and the resource that has it.
pub(crate) fn owning_field<'p>(shape: &'static Shape, path: &'p Path) -> (&'static str, &'p str) {
    let (mut content, mut found) = (FieldContent::Shape(shape), (shape.name, ""));
    let mut steps = path.steps().iter().peekable();
    while let Some(step) = steps.next() {
        if let (FieldContent::Shape(shape), PathStep::Field(name)) = (content, step) {
            found = (shape.name, name);
        }
        // The content of the last field is not needed.
        match steps.peek().and_then(|_| descend(content, step)) {
            Some(inner) => content = inner,
            None => break,
        }
    }
    found
}

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
/// keys below a masked field.
pub(crate) fn resolve_field_names(path: &mut Path, shape: &'static Shape) {
    if !path.steps().iter().any(|step| matches!(step, PathStep::Key(_))) {
        return;
    }
    let (mut content, mut is_masked) = (FieldContent::Shape(shape), false);
    for step in path.steps_mut() {
        if is_masked && matches!(step, PathStep::Key(_)) {
            *step = PathStep::RedactedKey;
        } else if let (FieldContent::Shape(shape), PathStep::Key(name)) = (content, &mut *step) {
            let known = shape.canonical_name(name);
            is_masked |= known.is_some_and(|known| shape.masked.contains(&known));
            *step = PathStep::Field(known.map_or_else(|| std::mem::take(name).into(), Cow::Borrowed));
        }
        match descend(content, step) {
            Some(inner) => content = inner,
            None if is_masked => content = FieldContent::Leaf,
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
