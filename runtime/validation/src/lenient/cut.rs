//! What was cut off a tree because it could not be decoded, and what that means for the verdicts about the rest.

use super::fault::{Fault, FaultKind};
use super::tree::{NodeKind, Tree};
use crate::checker::Checker;
use crate::constraint::Constraint;
use crate::path::{Path, PathStep, Within};
use crate::violation::{Kind, LookedAt, Violation};

/// The values that were cut off a tree.
#[derive(Debug)]
pub struct Cut<'t> {
    tree: &'t Tree<'t>,
    is_cut: Vec<bool>,
    nodes: Vec<usize>,
}

impl<'t> Cut<'t> {
    /// Nothing yet.
    pub fn new(tree: &'t Tree<'t>) -> Self {
        Self { tree, is_cut: vec![false; tree.len()], nodes: Vec::new() }
    }

    /// The tree as it was.
    pub const fn tree(&self) -> &'t Tree<'t> {
        self.tree
    }

    /// Whether the value was cut off.
    pub fn is_cut(&self, node: usize) -> bool {
        self.is_cut.get(node).copied().unwrap_or(false)
    }

    /// Tells of a value that could not be decoded, and cuts it off; false if nothing is left then.
    pub fn record(&mut self, fault: Fault, checker: &mut Checker<'_>) -> bool {
        let node = fault.node.unwrap_or(0);
        let (rule, kind) = match fault.kind {
            FaultKind::Type => ("type", Kind::Type),
            FaultKind::Duplicate => ("duplicate_member", Kind::Type),
            FaultKind::Depth => ("depth", Kind::Syntax),
        };
        let mut violation = Violation::of_text(path(self.tree, node, true), rule, kind, fault.message);
        violation.offset = self.tree.node(node).map(|node| node.range.start);
        checker.push(violation);
        match self.is_cut.get_mut(node) {
            // What was cut off is not read again, so that a second time means that the reader is confused.
            Some(is_cut) if node > 0 && !*is_cut => *is_cut = true,
            _ => return false,
        }
        self.nodes.push(node);
        true
    }

    /// A verdict about what was left as one about the text: the elements of lists get their places back. None if it is
    /// about something that was cut off.
    pub fn settle(&self, mut violation: Violation) -> Option<Violation> {
        if violation.path.within() != Within::Body {
            return Some(violation);
        }
        self.restore(&mut violation.path);
        let LookedAt::Members { owner, reads } = violation.looked_at else {
            return match find(self.tree, &violation.path, usize::MAX) {
                Found::Exact(node) => self.settle_value(violation, node),
                // What is missing in the text was not cut off.
                Found::Beyond(_) | Found::Unknown => Some(violation),
            };
        };
        let owner = match find(self.tree, &violation.path, owner) {
            Found::Exact(owner) => Some(owner),
            Found::Beyond(_) | Found::Unknown => None,
        };
        let lost = owner.is_some_and(|owner| self.nodes.iter().any(|cut| self.is_read(owner, *cut, reads)));
        (!lost).then_some(violation)
    }

    /// A verdict about one value.
    fn settle_value(&self, mut violation: Violation, node: usize) -> Option<Violation> {
        let elements_lost = self.tree.children(node).any(|child| self.is_cut(child));
        match (violation.looked_at, &mut violation.constraint) {
            (LookedAt::Presence, _) => (!self.is_cut(node) && !elements_lost).then_some(violation),
            (LookedAt::Elements, Some(Constraint::Items(bounds))) if elements_lost => {
                let found = self.tree.children(node).count();
                let least = bounds.least;
                bounds.found = bounds.found.map(|_| found);
                (found < least || found > bounds.most).then_some(violation)
            }
            (LookedAt::Elements, _) => Some(violation),
            _ => (!self.nodes.iter().any(|cut| self.is_within(*cut, node))).then_some(violation),
        }
    }

    /// Whether a value stands in another one, or is it.
    fn is_within(&self, node: usize, holder: usize) -> bool {
        std::iter::successors(Some(node), |node| self.tree.parent(*node)).any(|node| node == holder)
    }

    /// Whether a condition about `owner` that reads these members reads what was cut off.
    fn is_read(&self, owner: usize, cut: usize, reads: &[&str]) -> bool {
        let mut at = cut;
        while at != owner {
            match self.tree.parent(at) {
                Some(parent) if parent == owner => {
                    let name = self.tree.name(at).unwrap_or_default();
                    return reads.is_empty() || reads.contains(&name.as_ref());
                }
                Some(parent) => at = parent,
                None => return false,
            }
        }
        true
    }

    /// Gives the elements behind those that were cut off their places back.
    fn restore(&self, path: &mut Path) {
        let mut node = Some(0);
        for step in path.steps_mut() {
            let Some(here) = node else { return };
            if let PathStep::Index(index) = step {
                let mut kept = self.tree.children(here).enumerate().filter(|(_, child)| !self.is_cut(*child));
                match kept.nth(*index) {
                    Some((place, child)) => {
                        *index = place;
                        node = Some(child);
                    }
                    None => node = None,
                }
            } else {
                node = step_down(self.tree, here, step);
            }
        }
    }
}

/// Where a path leads to.
pub enum Found {
    /// To that value.
    Exact(usize),
    /// Beyond the last value on the way.
    Beyond(usize),
    /// It cannot be told.
    Unknown,
}

/// Goes down the first steps of a path.
pub fn find(tree: &Tree<'_>, path: &Path, steps: usize) -> Found {
    let mut node = 0;
    for step in path.steps().iter().take(steps) {
        match step {
            PathStep::Hidden | PathStep::Spelled(_) => return Found::Unknown,
            _ => match step_down(tree, node, step) {
                Some(child) => node = child,
                None => return Found::Beyond(node),
            },
        }
    }
    Found::Exact(node)
}

fn step_down(tree: &Tree<'_>, node: usize, step: &PathStep) -> Option<usize> {
    match step {
        PathStep::Index(index) => tree.children(node).nth(*index),
        PathStep::Member(name) => member(tree, node, name),
        PathStep::Key(name) => member(tree, node, name),
        PathStep::Hidden | PathStep::Spelled(_) => None,
    }
}

fn member(tree: &Tree<'_>, node: usize, name: &str) -> Option<usize> {
    tree.node(node).filter(|node| node.kind == NodeKind::Object)?;
    tree.children(node).find(|child| tree.name(*child).is_some_and(|found| found == name))
}

/// The path of a value. Which element of a list it goes through is counted if it has to be `exact`.
pub fn path(tree: &Tree<'_>, node: usize, exact: bool) -> Path {
    let mut nodes: Vec<usize> = std::iter::successors(Some(node), |node| tree.parent(*node)).collect();
    nodes.reverse();
    let mut path = Path::new(Within::Body);
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
