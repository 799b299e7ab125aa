//! Values that are removed from a tree because they cannot be decoded, and their effect on the violations of the rest.

use std::borrow::Cow;

use wireform_runtime::fields::{FieldContent, Shape};

use super::ReadOptions;
use super::issue::{DecodeIssue, DecodeIssueKind};
use super::tree::{NodeKind, Tree};
use crate::checker::Checker;
use crate::constraint::Constraint;
use crate::path::{Path, PathRoot, PathStep};
use crate::source_lines::descend;
use crate::violation::{Dependency, Violation, ViolationKind};

/// Values that are removed from a tree.
#[derive(Debug)]
pub struct PrunedTree<'t> {
    tree: &'t Tree<'t>,
    shape: Option<&'static Shape>,
    pruned: Vec<bool>,
    /// Removed values that could not be decoded. Fields that a server drops are not included: they are absent, and no
    /// violation depends on them.
    undecodable: Vec<usize>,
}

impl<'t> PrunedTree<'t> {
    /// Creates an empty set.
    pub fn new(tree: &'t Tree<'t>, shape: Option<&'static Shape>) -> Self {
        Self { tree, shape, pruned: vec![false; tree.len()], undecodable: Vec::new() }
    }

    /// Returns the complete tree.
    pub const fn tree(&self) -> &'t Tree<'t> {
        self.tree
    }

    /// Returns whether a value was removed.
    pub fn is_pruned(&self, node: usize) -> bool {
        self.pruned.get(node).copied().unwrap_or(false)
    }

    /// Removes the fields that a server drops from the body of a request; returns false if there are none.
    pub fn drop_output_only(&mut self, options: &ReadOptions<'_>) -> bool {
        let (Some(shape), Some(operation), true) =
            (self.shape, options.context.operation, options.context.is_request())
        else {
            return false;
        };
        let (mut found, mut open) = (false, vec![(0, FieldContent::Shape(shape))]);
        while let Some((node, content)) = open.pop() {
            let is_list = self.tree.node(node).is_some_and(|node| node.kind == NodeKind::List);
            for child in self.tree.children(node) {
                let name = self.tree.name(child);
                let inner = match (name, content) {
                    (None, content) if is_list => Some(content),
                    (Some(_), FieldContent::Map(inner)) => Some(*inner),
                    (Some(name), FieldContent::Shape(shape)) => {
                        let member = shape.canonical_name(&name);
                        if member.is_some_and(|member| shape.is_dropped(member, operation.name))
                            && let Some(is_cut) = self.pruned.get_mut(child)
                        {
                            (*is_cut, found) = (true, true);
                            continue;
                        }
                        shape.field(member.unwrap_or(&name))
                    }
                    _ => None,
                };
                open.extend(inner.map(|inner| (child, inner)));
            }
        }
        found
    }

    /// Returns the text without the removed values, which must be fields.
    pub fn remaining_text(&self) -> String {
        let text = self.tree.text();
        let (mut kept, mut at) = (String::with_capacity(text.len()), 0);
        for node in (0..self.tree.len()).filter(|node| self.is_pruned(*node)).filter_map(|node| self.tree.node(node)) {
            kept.push_str(text.get(at..node.name.start).unwrap_or_default());
            let after = text.get(node.range.end..).unwrap_or_default();
            let rest = after.trim_ascii_start();
            // One of the commas around it is removed too.
            at = text.len() - rest.len();
            if let Some(rest) = rest.strip_prefix(',') {
                at = text.len() - rest.len();
            } else if kept.trim_ascii_end().ends_with(',') {
                kept.truncate(kept.trim_ascii_end().len() - 1);
            }
        }
        kept.push_str(text.get(at..).unwrap_or_default());
        kept
    }

    /// Reports and removes a value that could not be decoded; returns false if nothing is left.
    pub fn prune(&mut self, fault: DecodeIssue, checker: &mut Checker<'_>) -> bool {
        let node = fault.node.unwrap_or(0);
        let (rule, kind) = match fault.kind {
            DecodeIssueKind::Type => ("type", ViolationKind::Type),
            DecodeIssueKind::Duplicate => ("duplicate_member", ViolationKind::Type),
            DecodeIssueKind::Depth => ("depth", ViolationKind::Syntax),
        };
        let mut violation = Violation::new(node_path(self.tree, node, true), rule, kind, fault.message);
        violation.offset = self.tree.node(node).map(|node| node.range.start);
        checker.push(violation);
        match self.pruned.get_mut(node) {
            // A removed value is not read again, so a second error at the same value would not terminate.
            Some(is_cut) if node > 0 && !*is_cut => *is_cut = true,
            _ => return false,
        }
        self.undecodable.push(node);
        true
    }

    /// Converts a violation that was found without the removed values to one of the whole text: the elements of lists
    /// get their original indices. Returns `None` if it depends on a removed value.
    pub fn resolve(&self, mut violation: Violation) -> Option<Violation> {
        if violation.path.root() != PathRoot::Body {
            return Some(violation);
        }
        self.restore(&mut violation.path);
        let Dependency::Members { owner, reads } = violation.depends_on else {
            return match find(self.tree, self.shape, &violation.path, usize::MAX) {
                Found::Exact(node, _) => self.resolve_value(violation, node),
                // A field that is missing in the text was not removed.
                Found::Missing(_) | Found::Unknown => Some(violation),
            };
        };
        let owner = match find(self.tree, self.shape, &violation.path, owner) {
            Found::Exact(owner, content) => Some((owner, content)),
            Found::Missing(_) | Found::Unknown => None,
        };
        let is_lost = owner.is_some_and(|owner| self.undecodable.iter().any(|cut| self.is_read(owner, *cut, reads)));
        (!is_lost).then_some(violation)
    }

    /// Converts a violation of one value.
    fn resolve_value(&self, mut violation: Violation, node: usize) -> Option<Violation> {
        let elements_lost = self.tree.children(node).any(|child| self.is_pruned(child));
        match (violation.depends_on, &mut violation.constraint) {
            (Dependency::Presence, _) => (!self.is_pruned(node) && !elements_lost).then_some(violation),
            (Dependency::Elements, Some(Constraint::Items(bounds))) if elements_lost => {
                let found = self.tree.children(node).count();
                let min = bounds.min;
                bounds.actual = bounds.actual.map(|_| found);
                (found < min || found > bounds.max).then_some(violation)
            }
            (Dependency::Elements, _) => Some(violation),
            _ => (!self.undecodable.iter().any(|cut| self.is_within(*cut, node))).then_some(violation),
        }
    }

    /// Returns whether a value is `holder` or within it.
    fn is_within(&self, node: usize, holder: usize) -> bool {
        std::iter::successors(Some(node), |node| self.tree.parent(*node)).any(|node| node == holder)
    }

    /// Returns whether a condition about `owner` that reads these fields depends on a removed value.
    fn is_read(&self, (owner, content): (usize, Option<FieldContent>), cut: usize, reads: &[&str]) -> bool {
        let mut at = cut;
        while at != owner {
            match self.tree.parent(at) {
                Some(parent) if parent == owner => {
                    let name = self.tree.name(at).unwrap_or_default();
                    return reads.is_empty() || reads.contains(&canonical(content, &name));
                }
                Some(parent) => at = parent,
                None => return false,
            }
        }
        true
    }

    /// Restores the original indices of elements after removed ones.
    fn restore(&self, path: &mut Path) {
        let (mut node, mut content) = (Some(0), self.shape.map(FieldContent::Shape));
        for step in path.steps_mut() {
            let Some(here) = node else { return };
            if let PathStep::Index(index) = step {
                let mut kept = self.tree.children(here).enumerate().filter(|(_, child)| !self.is_pruned(*child));
                match kept.nth(*index) {
                    Some((place, child)) => {
                        *index = place;
                        node = Some(child);
                    }
                    None => node = None,
                }
            } else {
                node = step_down(self.tree, here, content, step);
            }
            content = content.and_then(|content| descend(content, step));
        }
    }
}

/// Result of following a path.
pub enum Found {
    /// Index of the value, and its content by the shape.
    Exact(usize, Option<FieldContent>),
    /// The path continues after the last existing value.
    Missing(usize),
    /// The path cannot be followed.
    Unknown,
}

/// Follows the first steps of a path, whose fields have the names of the schema.
pub fn find(tree: &Tree<'_>, shape: Option<&'static Shape>, path: &Path, steps: usize) -> Found {
    let (mut node, mut content) = (0, shape.map(FieldContent::Shape));
    for step in path.steps().iter().take(steps) {
        match step {
            PathStep::RedactedKey | PathStep::Formatted(_) => return Found::Unknown,
            _ => match step_down(tree, node, content, step) {
                Some(child) => node = child,
                None => return Found::Missing(node),
            },
        }
        content = content.and_then(|content| descend(content, step));
    }
    Found::Exact(node, content)
}

fn step_down(tree: &Tree<'_>, node: usize, content: Option<FieldContent>, step: &PathStep) -> Option<usize> {
    match step {
        PathStep::Index(index) => tree.children(node).nth(*index),
        PathStep::Field(name) => member(tree, node, content, name),
        PathStep::Key(name) => member(tree, node, None, name),
        PathStep::RedactedKey | PathStep::Formatted(_) => None,
    }
}

/// Returns the field of an object with this name in the schema, by whichever alias it was sent.
fn member(tree: &Tree<'_>, node: usize, content: Option<FieldContent>, name: &str) -> Option<usize> {
    tree.node(node).filter(|node| node.kind == NodeKind::Object)?;
    let is = |child: &usize| tree.name(*child).is_some_and(|found| canonical(content, &found) == name);
    tree.children(node).find(is)
}

/// Returns the name of a field in the schema.
fn canonical(content: Option<FieldContent>, name: &str) -> &str {
    match content {
        Some(FieldContent::Shape(shape)) => shape.canonical_name(name).unwrap_or(name),
        _ => name,
    }
}

/// Renames the fields of a path to the names in the text, which may be aliases. If a field is present under two
/// names, `offset` is within the value that is meant.
pub fn rename_members(tree: &Tree<'_>, shape: Option<&'static Shape>, path: &mut Path, offset: Option<usize>) {
    let (mut node, mut content) = (0, shape.map(FieldContent::Shape));
    for step in path.steps_mut() {
        let is_meant = |child: &usize| {
            let range = tree.node(*child).map(|child| &child.range);
            offset.zip(range).is_some_and(|(offset, range)| range.contains(&offset))
        };
        let child = tree.children(node).find(is_meant).or_else(|| step_down(tree, node, content, step));
        let Some(child) = child else { return };
        content = content.and_then(|content| descend(content, step));
        if let (PathStep::Field(name), Some(sent)) = (step, tree.name(child))
            && *name != sent
        {
            *name = Cow::Owned(sent.into_owned());
        }
        node = child;
    }
}

/// Returns the path of a value. Indices of list elements are counted only if `exact` is true.
pub fn node_path(tree: &Tree<'_>, node: usize, exact: bool) -> Path {
    let mut nodes: Vec<usize> = std::iter::successors(Some(node), |node| tree.parent(*node)).collect();
    nodes.reverse();
    let mut path = Path::new(PathRoot::Body);
    for pair in nodes.windows(2) {
        let [above, node] = pair else { continue };
        if tree.node(*above).is_some_and(|above| above.kind == NodeKind::Object) {
            path.push(PathStep::Key(tree.name(*node).unwrap_or_default().into_owned()));
        } else {
            let place = if exact { tree.children(*above).take_while(|child| child != node).count() } else { 0 };
            path.push(PathStep::Index(place));
        }
    }
    path
}
