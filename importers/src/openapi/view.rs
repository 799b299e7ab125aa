//! A schema with everything that it is made of: itself, the members of `allOf`, and what these refer to.

mod gather;
mod keys;

use std::collections::BTreeSet;

use crate::node::Node;
use crate::value::Value;
pub use gather::{is_structural, view};
pub use keys::LIMITS;

/// What a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Integer,
    Number,
    Text,
    List,
    Object,
}

/// What is said of members beside the named ones.
#[derive(Clone, Default)]
pub enum More<'d> {
    #[default]
    Unsaid,
    Closed,
    Open,
    Typed(Vec<Node<'d>>),
}

/// A description that counts as looked at when its text is taken, since another one can be said in its place.
#[derive(Clone)]
pub struct Said<'d>(Node<'d>);

impl Said<'_> {
    /// Its text, where anybody would see one.
    pub fn text(&self) -> Option<String> {
        self.0.as_prose()
    }
}

/// All that is said of a value.
#[derive(Clone, Default)]
pub struct View<'d> {
    /// The schemas that hold at once, the outermost first.
    pub nodes: Vec<Node<'d>>,
    /// The component that it is, with nothing beside it that changes which values there are.
    pub named: Option<&'d str>,
    /// The kinds that it can have, but for null; nothing where nothing is said.
    pub kinds: Option<BTreeSet<Kind>>,
    /// Whether it can be null.
    pub nullable: bool,
    /// The members of an object, each with all that is said of it.
    pub properties: Vec<(&'d str, Vec<Node<'d>>)>,
    /// The members that it must have.
    pub required: BTreeSet<&'d str>,
    /// What is said of the elements of a list.
    pub items: Vec<Node<'d>>,
    /// What is said of members beside the named ones.
    pub more: More<'d>,
    /// The list of values, but for null.
    pub values: Option<Vec<Node<'d>>>,
    /// Whether `const` gave it.
    pub is_constant: bool,
    /// Lists of which one holds: each with two and more.
    pub alternatives: Vec<Vec<Node<'d>>>,
    /// Whether there is no value at all.
    pub never: bool,
    /// Whether what is said of other kinds than this one is about other variants.
    pub is_variant: bool,
}

/// What stands in front of the names of schemas.
pub const SCHEMAS: &str = "#/components/schemas/";

/// The name of the schema that a reference leads to.
pub fn component(reference: &str) -> Option<&str> {
    reference.strip_prefix(SCHEMAS).filter(|name| !name.contains(['/', '%', '~']))
}

impl<'d> Node<'d> {
    /// A member that is text, if it is one.
    pub fn text_if(&self, key: &str) -> Option<&'d str> {
        self.value.get(key).and_then(Value::text)
    }
}

impl<'d> View<'d> {
    /// The first schema that has a key, and is asked for it.
    pub fn first(&self, key: &str) -> Option<&Node<'d>> {
        self.nodes.iter().find(|node| node.has(key))
    }

    /// The first text under a key.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        self.first(key)?.text(key)
    }

    /// What is said of the value, or its title.
    pub fn doc(&self) -> Option<String> {
        self.said()?.text()
    }

    /// The same, which is not looked at before somebody takes its text.
    pub fn said(&self) -> Option<Said<'d>> {
        let one = |key: &str| {
            let node = self.first(key)?.get(key)?;
            match node.value.text() {
                Some(text) if !text.trim().is_empty() => Some(Said(node)),
                _ => {
                    node.as_text();
                    None
                }
            }
        };
        one("description").or_else(|| one("title"))
    }

    /// Whether one of the schemas says so.
    pub fn flag(&self, key: &str) -> bool {
        self.nodes.iter().any(|node| node.flag(key))
    }

    /// The kind that it has, said or told by its other keys.
    pub fn kind(&self) -> Option<Kind> {
        if let Some(kinds) = &self.kinds {
            return match kinds.iter().copied().collect::<Vec<_>>().as_slice() {
                [kind] => Some(*kind),
                [Kind::Integer, Kind::Number] => Some(Kind::Number),
                _ => None,
            };
        }
        let has = |keys: &[&str]| keys.iter().any(|key| self.first(key).is_some());
        let typed = |more: &More<'_>| matches!(more, More::Typed(_) | More::Closed);
        if !self.properties.is_empty() || typed(&self.more) || !self.required.is_empty() {
            Some(Kind::Object)
        } else if !self.items.is_empty() {
            Some(Kind::List)
        } else if has(&["pattern", "minLength", "maxLength"]) {
            Some(Kind::Text)
        } else {
            None
        }
    }
}

/// All that is said of an alternative, also where it is a schema with a name.
pub fn expanded<'d>(root: &Node<'d>, nodes: &[Node<'d>]) -> View<'d> {
    let one = view(root, nodes);
    let target = one.named.zip(nodes.first()).and_then(|(name, node)| node.target(root, &format!("{SCHEMAS}{name}")));
    target.map_or(one, |target| view(root, &[target]))
}
