//! Lines of the schema that define fields, and the fields at paths.

use wireform_runtime::fields::{FieldContent, Shape};

use crate::path::{Path, PathStep};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_schema() {
        const LINES: &str =
            "\tevent.yaml:1\nid\tevent.yaml:3\nextendedProperties\tevent.yaml:40\nidentity\tevent.yaml:5";
        let many: [(&str, &str); MAX_LINEAR_TABLE + 1] =
            std::array::from_fn(|at| (if at == 0 { "Event" } else { "Z" }, LINES));
        for table in [&[("Event", LINES)][..], &many] {
            let table: &'static [SourceTable] = table.to_vec().leak();
            let sources = SourceLines { tables: vec![table].leak() };
            for (field, line) in [("", 1), ("id", 3), ("extendedProperties", 40), ("identity", 5)] {
                assert_eq!(sources.exact_line("Event", field), Some(format!("event.yaml:{line}").as_str()), "{field}");
            }
            for unknown in ["i", "ident", "event.yaml:3", "identity\t", "id\tevent.yaml:3"] {
                assert_eq!(sources.exact_line("Event", unknown), None, "{unknown}");
                assert_eq!(sources.line("Event", unknown), Some("event.yaml:1"));
            }
            assert_eq!(sources.line("Even", "id"), None);
        }
    }
}
