//! Merged view of a schema: itself, the members of `allOf`, and the targets of their references.

mod gather;
mod keys;

use std::collections::BTreeSet;

use crate::node::Node;
use crate::value::Value;
pub use gather::{is_null, is_structural, view};
pub use keys::{LIMITS, STRUCTURE};

/// Kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Integer,
    Number,
    Text,
    List,
    Object,
}

/// Handling of additional members.
#[derive(Clone, Default)]
pub enum AdditionalMembers<'d> {
    #[default]
    Unspecified,
    Closed,
    Open,
    Typed(Vec<Node<'d>>),
}

/// Description that is marked as read when its text is used, since another one can replace it.
#[derive(Clone)]
pub struct Description<'d>(Node<'d>);

impl Description<'_> {
    /// Returns its text, if it is not blank.
    pub fn text(&self) -> Option<String> {
        self.0.as_prose()
    }
}

/// Merged schema of a value.
#[derive(Clone, Default)]
pub struct View<'d> {
    /// Combined schemas, the outermost first.
    pub nodes: Vec<Node<'d>>,
    /// Component that it refers to, without other constraints.
    pub named: Option<&'d str>,
    /// Possible kinds, except null; `None` if unconstrained.
    pub kinds: Option<BTreeSet<Kind>>,
    /// True if null is allowed.
    pub nullable: bool,
    /// Members of an object, each with all its schemas.
    pub properties: Vec<(&'d str, Vec<Node<'d>>)>,
    /// Required members.
    pub required: BTreeSet<&'d str>,
    /// Schemas of the elements of a list.
    pub items: Vec<Node<'d>>,
    /// Maximum count of a list without further elements, with the schema that says so.
    pub closed_at: Option<(Node<'d>, u64)>,
    /// Handling of additional members.
    pub additional: AdditionalMembers<'d>,
    /// Patterns of the keys of a map, with the schemas that contain them.
    pub key_patterns: Vec<(Node<'d>, &'d str)>,
    /// Schemas of the keys of a map.
    pub key_schemas: Vec<Node<'d>>,
    /// Listed values, except null.
    pub values: Option<Vec<Node<'d>>>,
    /// True if they come from `const`.
    pub is_constant: bool,
    /// Lists of alternatives, each with at least two.
    pub alternatives: Vec<Vec<Node<'d>>>,
    /// True if no value is valid.
    pub is_impossible: bool,
    /// True if constraints for other kinds belong to other variants.
    pub is_variant: bool,
}

impl<'d> Node<'d> {
    /// Returns a member if it is text.
    pub fn text_if(&self, key: &str) -> Option<&'d str> {
        self.value.get(key).and_then(Value::text)
    }
}

impl<'d> View<'d> {
    /// Returns the required members of a map, with the schemas of its values. Other objects are maps of any values if
    /// they have no members of their own; if they have, an unknown required member is probably misspelt.
    pub fn required_keys(&self) -> Vec<(&'d str, Vec<Node<'d>>)> {
        let values = match &self.additional {
            AdditionalMembers::Typed(nodes) => nodes.as_slice(),
            AdditionalMembers::Open | AdditionalMembers::Unspecified if self.properties.is_empty() => &[],
            _ => return Vec::new(),
        };
        let known: BTreeSet<&str> = self.properties.iter().map(|(name, _)| *name).collect();
        let unknown = self.required.iter().filter(|name| !known.contains(*name));
        unknown.map(|name| (*name, values.to_vec())).collect()
    }

    /// Returns the first schema that has a key, and marks the key as read.
    pub fn first(&self, key: &str) -> Option<&Node<'d>> {
        self.nodes.iter().find(|node| node.has(key))
    }

    /// Returns the first text of a key.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        self.first(key)?.text(key)
    }

    /// Returns the description of the value, or its title.
    pub fn doc(&self) -> Option<String> {
        self.description()?.text()
    }

    /// Returns the description, which is marked as read only when its text is used.
    pub fn description(&self) -> Option<Description<'d>> {
        let one = |key: &str| {
            let node = self.first(key)?.get(key)?;
            match node.value.text() {
                Some(text) if !text.trim().is_empty() => Some(Description(node)),
                _ => {
                    node.as_text();
                    None
                }
            }
        };
        one("description").or_else(|| one("title"))
    }

    /// Returns whether one of the schemas sets the flag.
    pub fn flag(&self, key: &str) -> bool {
        self.nodes.iter().any(|node| node.flag(key))
    }

    /// Returns its kind, declared or inferred from its other keys.
    pub fn kind(&self) -> Option<Kind> {
        if let Some(kinds) = &self.kinds {
            return match kinds.iter().copied().collect::<Vec<_>>().as_slice() {
                [kind] => Some(*kind),
                [Kind::Integer, Kind::Number] => Some(Kind::Number),
                _ => None,
            };
        }
        let has = |keys: &[&str]| keys.iter().any(|key| self.first(key).is_some());
        let typed =
            |more: &AdditionalMembers<'_>| matches!(more, AdditionalMembers::Typed(_) | AdditionalMembers::Closed);
        if !self.properties.is_empty()
            || typed(&self.additional)
            || !self.required.is_empty()
            || !self.key_schemas.is_empty()
        {
            Some(Kind::Object)
        } else if !self.items.is_empty() || self.closed_at.is_some() {
            Some(Kind::List)
        } else if has(&["pattern", "minLength", "maxLength"]) {
            Some(Kind::Text)
        } else {
            None
        }
    }
}

/// Returns the merged view of an alternative, even if it is a named schema.
pub fn expanded<'d>(root: &Node<'d>, nodes: &[Node<'d>]) -> View<'d> {
    let one = view(root, nodes);
    let target = one.named.and_then(|name| root.schema(name));
    target.map_or(one, |target| view(root, &[target]))
}
