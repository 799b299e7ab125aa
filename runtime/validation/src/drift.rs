//! Drift of responses from the schema.
//!
//! Drift never rejects a response. A client runs this to learn that a service has changed: in a test, or on a sample of
//! its responses.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use wireform_runtime::FromWire;
use wireform_runtime::fields::{FieldContent, Shape};

use crate::context::{Direction, ValidationContext};
use crate::drift_report::{Drift, DriftKind, DriftReport};
use crate::lenient::{NodeKind, ReadLimits, ReadOptions, Tree, read_body, tree_path};
use crate::location::Location;
use crate::path::Path;
use crate::shapes;
use crate::source_lines::{self, SourceLines};
use crate::validates::Validates;
use crate::violation::{Violation, ViolationKind};

/// Maximum number of distinct drifts in a response; further ones are counted.
const MAX_DRIFTS: usize = 100;

/// Compares a response with the schema of `T` and its rules.
pub fn detect_drift<T, V>(rules: &V, response: &[u8], context: ValidationContext<'_>) -> DriftReport
where
    T: for<'de> FromWire<'de>,
    V: Validates<T>,
{
    let context = ValidationContext { direction: Direction::Response, ..context }.with_drift();
    let mut collector = Collector::default();
    if let (Some(shape), Ok(tree)) = (V::SHAPE, Tree::read(response, ReadLimits::DEFAULT.max_values)) {
        unknown_members(&tree, shape, V::SOURCES, &mut collector);
    }
    let options = ReadOptions::for_type::<T, V>(context);
    match read_body(response, &options, |value: T, checker| rules.check(&value, Location::BODY, checker)) {
        Ok(((), warnings)) => collector.violations(warnings.as_violations().iter(), V::SHAPE),
        Err(violations) => collector.violations(violations.iter(), V::SHAPE),
    }
    collector.into_report()
}

/// Compares a tree with a shape.
fn unknown_members(tree: &Tree<'_>, root: &'static Shape, sources: &SourceLines, collector: &mut Collector) {
    let mut places = vec![(0, FieldContent::Shape(root))];
    while let Some((node, place)) = places.pop() {
        let start = places.len();
        let kind = tree.node(node).map(|node| node.kind);
        match (kind, place) {
            (Some(NodeKind::List), FieldContent::Shape(_) | FieldContent::Map(_)) => {
                places.extend(tree.children(node).map(|child| (child, place)));
            }
            (Some(NodeKind::Object), FieldContent::Map(inner)) => {
                places.extend(tree.children(node).map(|child| (child, *inner)));
            }
            (Some(NodeKind::Object), FieldContent::Shape(shape)) => {
                for child in tree.children(node) {
                    let name = tree.name(child).unwrap_or_default();
                    match shape.field(&name) {
                        Some(inner) => places.push((child, inner)),
                        // Aliases of known fields have entries of their own.
                        None if sources.exact_line(shape.name, &name).is_some() => {}
                        None => collector.unknown_member(tree, child, (root, shape), sources),
                    }
                }
            }
            _ => {}
        }
        // The last one is processed first, so reversing keeps the order of the text.
        places.get_mut(start..).into_iter().for_each(<[_]>::reverse);
    }
}

/// Collector of drifts that merges those of the same kind.
#[derive(Default)]
struct Collector {
    drifts: BTreeMap<(String, DriftKind, String), Drift>,
    more: usize,
}

impl Collector {
    /// Counts a drift, and adds it if it is the first of its kind.
    fn add(&mut self, general: String, kind: DriftKind, message: String, drift: impl FnOnce(String) -> Drift) {
        let key = (general, kind, message);
        let is_full = self.drifts.len() >= MAX_DRIFTS;
        match self.drifts.get_mut(&key) {
            Some(known) => known.occurrences += 1,
            None if is_full => self.more += 1,
            None => {
                let drift = drift(key.2.clone());
                self.drifts.insert(key, drift);
            }
        }
    }

    /// Adds a field that its resource, the second of the two shapes, does not have. Each element of a long list may
    /// have one, so the exact path is computed for the first only.
    fn unknown_member(
        &mut self,
        tree: &Tree<'_>,
        node: usize,
        (root, shape): (&'static Shape, &'static Shape),
        sources: &SourceLines,
    ) {
        let with_member_names = |mut path: Path| {
            shapes::resolve_field_names(&mut path, root);
            path
        };
        let message = format!("`{}` has no such field", shape.name);
        let general = with_member_names(tree_path(tree, node, false)).generalized(true);
        self.add(general, DriftKind::UnknownField, message, |message| Drift {
            kind: DriftKind::UnknownField,
            path: with_member_names(tree_path(tree, node, true)),
            occurrences: 1,
            resource: Some(shape.name),
            message,
            rule: None,
            schema: sources.line(shape.name, ""),
        });
    }

    fn violations<'v>(&mut self, violations: impl Iterator<Item = &'v Violation>, shape: Option<&'static Shape>) {
        for violation in violations {
            let kind = match (violation.kind, violation.rule) {
                (ViolationKind::Syntax, _) => DriftKind::Unreadable,
                (ViolationKind::Type, _) => DriftKind::WrongType,
                (ViolationKind::Schema, "known_value" | "known_variant") => DriftKind::UnknownValue,
                (ViolationKind::Schema, _) => DriftKind::BrokenRule,
            };
            let message = violation.message().into_owned();
            self.add(violation.path.generalized(shape.is_some()), kind, message, |message| Drift {
                kind,
                path: violation.path.clone(),
                occurrences: 1,
                resource: shape.map(|shape| source_lines::owning_field(shape, &violation.path).0),
                message,
                rule: Some(violation.rule),
                schema: violation.schema(),
            });
        }
    }

    fn into_report(self) -> DriftReport {
        DriftReport::new(self.drifts.into_values().collect(), self.more)
    }
}
