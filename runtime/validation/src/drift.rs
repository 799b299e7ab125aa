//! Answers that do not follow the schema: what a service says that the schema does not know of.
//!
//! An answer is never refused for any of it. A client runs this where it wants to learn that a service has moved on:
//! beside a test, or on a sample of what it receives.

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wireform_runtime::fields::{Inner, Shape};
use wireform_runtime::{FromWire, Value};

use crate::at::At;
use crate::context::{Context, Side};
use crate::lenient::{Limits, NodeKind, Reading, Tree, read, tree_path};
use crate::path::Path;
use crate::shapes::{self, Sources};
use crate::validates::Validates;
use crate::violation::{Kind, Violation};

/// How many kinds of drift are told apart in one answer; further ones are counted.
const MOST: usize = 100;

/// Where an answer does not follow the schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drift {
    /// What kind of drift it is.
    pub kind: DriftKind,
    /// The first member at which it is.
    pub path: Path,
    /// How many members there are at which it is, of one list or another: `items[].attendees[].email` counts once.
    pub count: usize,
    /// The resource that has the member, where the schema knows it.
    pub resource: Option<&'static str>,
    /// What is to be said about it.
    pub message: String,
    /// The id of the rule that is broken.
    pub rule: Option<&'static str>,
    /// The line of the schema that is to be looked at, such as `event.yaml:42`.
    pub schema: Option<&'static str>,
}

/// What kind of drift it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// The schema does not know the member.
    UnknownMember,
    /// The schema does not know the value of an enum, or the variant of a union.
    UnknownValue,
    /// A rule of the schema does not hold.
    BrokenRule,
    /// The value is not of its type.
    WrongType,
    /// The answer is not JSON, or more than is looked at.
    Unreadable,
}

/// All that an answer has and the schema has not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriftReport {
    drifts: Vec<Drift>,
    more: usize,
}

/// Compares an answer with the schema, by what these rules know of `T`.
pub fn drift<T, V>(rules: &V, answer: &[u8], context: Context<'_>) -> DriftReport
where
    T: for<'de> FromWire<'de>,
    V: Validates<T>,
{
    let context = Context { side: Side::Response, ..context }.with_drift();
    let mut gathered = Gathered::default();
    if let (Some(shape), Ok(tree)) = (V::SHAPE, Tree::read(answer, Limits::DEFAULT.most_values)) {
        unknown_members(&tree, shape, V::SOURCES, &mut gathered);
    }
    let reading = Reading::of::<T, V>(context);
    match read(answer, &reading, |value: T, checker| rules.check(&value, At::BODY, checker)) {
        Ok(((), warnings)) => gathered.violations(warnings.as_violations().iter(), V::SHAPE),
        Err(violations) => gathered.violations(violations.iter(), V::SHAPE),
    }
    gathered.into_report()
}

/// Walks a tree along what is known of it.
fn unknown_members(tree: &Tree<'_>, root: &'static Shape, sources: &Sources, gathered: &mut Gathered) {
    let mut places = vec![(0, Inner::Shape(root))];
    while let Some((node, place)) = places.pop() {
        let waiting = places.len();
        let kind = tree.node(node).map(|node| node.kind);
        match (kind, place) {
            (Some(NodeKind::List), Inner::Shape(_) | Inner::Map(_)) => {
                places.extend(tree.children(node).map(|child| (child, place)));
            }
            (Some(NodeKind::Object), Inner::Map(inner)) => {
                places.extend(tree.children(node).map(|child| (child, *inner)));
            }
            (Some(NodeKind::Object), Inner::Shape(shape)) => {
                for child in tree.children(node) {
                    let name = tree.name(child).unwrap_or_default();
                    match shape.member(&name) {
                        Some(inner) => places.push((child, inner)),
                        // Another name of a member that is known has a row of its own.
                        None if sources.exact(shape.name, &name).is_some() => {}
                        None => gathered.unknown_member(tree, child, (root, shape), sources),
                    }
                }
            }
            _ => {}
        }
        // The last one is taken first, so that this keeps the order of the text.
        places.get_mut(waiting..).into_iter().for_each(<[_]>::reverse);
    }
}

/// Gathers drifts, those of a kind as one.
#[derive(Default)]
struct Gathered {
    drifts: BTreeMap<(String, DriftKind, String), Drift>,
    more: usize,
}

impl Gathered {
    /// Counts a drift, and takes it if it is the first of its kind.
    fn add(&mut self, general: String, kind: DriftKind, message: String, drift: impl FnOnce(String) -> Drift) {
        let key = (general, kind, message);
        let is_full = self.drifts.len() >= MOST;
        match self.drifts.get_mut(&key) {
            Some(known) => known.count += 1,
            None if is_full => self.more += 1,
            None => {
                let drift = drift(key.2.clone());
                self.drifts.insert(key, drift);
            }
        }
    }

    /// A member that its resource, the latter of the two, does not have. There may be one in each element of a long
    /// list; where it stands exactly is worked out for the first.
    fn unknown_member(
        &mut self,
        tree: &Tree<'_>,
        node: usize,
        (root, shape): (&'static Shape, &'static Shape),
        sources: &Sources,
    ) {
        let named = |mut path: Path| {
            shapes::name_members(&mut path, root);
            path
        };
        let message = format!("{} has no such member", shape.name);
        let general = named(tree_path(tree, node, false)).general(true);
        self.add(general, DriftKind::UnknownMember, message, |message| Drift {
            kind: DriftKind::UnknownMember,
            path: named(tree_path(tree, node, true)),
            count: 1,
            resource: Some(shape.name),
            message,
            rule: None,
            schema: sources.line(shape.name, ""),
        });
    }

    fn violations<'v>(&mut self, violations: impl Iterator<Item = &'v Violation>, shape: Option<&'static Shape>) {
        for violation in violations {
            let kind = match (violation.kind, violation.rule) {
                (Kind::Syntax, _) => DriftKind::Unreadable,
                (Kind::Type, _) => DriftKind::WrongType,
                (Kind::Schema, "known_value" | "known_variant") => DriftKind::UnknownValue,
                (Kind::Schema, _) => DriftKind::BrokenRule,
            };
            let message = violation.message().into_owned();
            self.add(violation.path.general(shape.is_some()), kind, message, |message| Drift {
                kind,
                path: violation.path.clone(),
                count: 1,
                resource: shape.map(|shape| shapes::owner(shape, &violation.path).0),
                message,
                rule: Some(violation.rule),
                schema: violation.schema,
            });
        }
    }

    fn into_report(self) -> DriftReport {
        DriftReport { drifts: self.drifts.into_values().collect(), more: self.more }
    }
}

impl DriftKind {
    /// A word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownMember => "unknown member",
            Self::UnknownValue => "unknown value",
            Self::BrokenRule => "broken rule",
            Self::WrongType => "wrong type",
            Self::Unreadable => "unreadable",
        }
    }
}

impl DriftReport {
    /// The drifts, in alphabetical order of their paths.
    pub fn iter(&self) -> std::slice::Iter<'_, Drift> {
        self.drifts.iter()
    }

    /// How many further ones were counted only.
    #[must_use]
    pub const fn more(&self) -> usize {
        self.more
    }

    /// Whether the answer follows the schema.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.drifts.is_empty() && self.more == 0
    }

    /// The report as JSON, for machines.
    #[must_use]
    pub fn to_json(&self) -> Value {
        // Every key is text and no number is odd, so that this does not fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<'r> IntoIterator for &'r DriftReport {
    type Item = &'r Drift;
    type IntoIter = std::slice::Iter<'r, Drift>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One line: `unknown member: items[3].mood: Event has no such member, 12 times (see event.yaml:3)`.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.name())?;
        if !self.path.steps().is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if self.count > 1 {
            write!(f, ", {} times", self.count)?;
        }
        self.schema.map_or(Ok(()), |line| write!(f, " (see {line})"))
    }
}

/// A line for each drift.
impl fmt::Display for DriftReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, drift) in self.drifts.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            drift.fmt(f)?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl Serialize for Drift {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name())?;
        map.serialize_entry("path", &self.path.to_string())?;
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("message", &self.message)?;
        let facts = [("resource", self.resource), ("rule", self.rule), ("schema", self.schema)];
        for (name, fact) in facts {
            fact.iter().try_for_each(|fact| map.serialize_entry(name, fact))?;
        }
        map.end()
    }
}

impl Serialize for DriftReport {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("drifts", &self.drifts)?;
        if self.more > 0 {
            map.serialize_entry("more", &self.more)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests;
