//! Defaults of lists, maps, objects and unions, which are compared with their types when all of these are known.

use std::collections::BTreeMap;

use wireform_codegen::diagnostics::Span;
use wireform_codegen::resolve::check_defaults;
use wireform_codegen::schema::file::File;
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::{Node, Value};

use super::Lowering;
use crate::definition::Definition;

impl Lowering {
    /// Returns a default that [`repair_defaults`](Self::repair_defaults) checks. Its span is the number of its location.
    pub fn checked_default(&mut self, mut node: Node, at: &str) -> Node {
        self.defaults.push(at.to_owned());
        let number = u32::try_from(self.defaults.len()).unwrap_or(u32::MAX);
        set_span(&mut node, Span { file: 0, start: number, end: number });
        node
    }

    /// Removes defaults that are not values of their types, and returns their locations with the reasons.
    pub fn repair_defaults(&mut self, api: &File) -> Vec<(String, String)> {
        if self.defaults.is_empty() {
            return Vec::new();
        }
        let mut problems: BTreeMap<u32, String> = BTreeMap::new();
        for (span, problem) in check_defaults(self.as_file(api)) {
            problems.entry(span.start).or_insert(problem);
        }
        if problems.is_empty() {
            return Vec::new();
        }
        let is_invalid = |default: &mut Raw| problems.contains_key(&default.0.span.start);
        for item in &mut self.items {
            match &mut item.definition {
                Definition::Resource(resource) => {
                    for (_, field) in &mut resource.fields.0 {
                        field.default.take_if(is_invalid);
                    }
                }
                Definition::Operation(operation) => {
                    let operation = &mut **operation;
                    let all =
                        [&mut operation.path, &mut operation.query, &mut operation.headers, &mut operation.cookies];
                    for (_, parameter) in all.into_iter().flat_map(|parameters| &mut parameters.0) {
                        parameter.default.take_if(is_invalid);
                    }
                }
                Definition::Enum(_) | Definition::Union(_) => {}
            }
        }
        let location = |number: u32| self.defaults.get(usize::try_from(number).ok()?.checked_sub(1)?).cloned();
        problems.into_iter().filter_map(|(number, problem)| Some((location(number)?, problem))).collect()
    }

    /// Returns the definitions so far as a file.
    fn as_file(&self, api: &File) -> File {
        let mut file = api.clone();
        for item in &self.items {
            let name = item.name.as_str();
            match &item.definition {
                Definition::Resource(resource) => file.resources.push(name, (**resource).clone()),
                Definition::Enum(definition) => file.enums.push(name, definition.clone()),
                Definition::Union(union) => file.unions.push(name, union.clone()),
                Definition::Operation(operation) => file.operations.push(name, (**operation).clone()),
            }
        }
        file
    }
}

/// Sets the span of a node and of everything in it.
fn set_span(node: &mut Node, span: Span) {
    node.span = span;
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| set_span(item, span)),
        Value::Map(entries) => entries.iter_mut().for_each(|entry| {
            entry.key_span = span;
            set_span(&mut entry.value, span);
        }),
        Value::Scalar(..) => {}
    }
}
