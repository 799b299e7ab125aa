//! What is being made of a document: the definitions so far, the names that are taken, and the counts.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::types::Form;
use crate::Counts;
use crate::files::{Item, Kind, put};
use crate::names::{self, Names};
use crate::node::Node;

/// What the name of a schema stands for.
#[derive(Clone)]
pub enum Target {
    /// A resource by its name.
    Resource(String),
    /// A schema that is no object with members: it is written out wherever it is used.
    Plain(Option<Form>),
}

/// Where a definition is written, and what its parts are called.
#[derive(Clone)]
pub struct Place {
    /// The files that it belongs in.
    pub bucket: String,
    /// The definition that it is a part of.
    pub owner: String,
    /// What a part of it without a name is called.
    pub name: String,
}

/// The schema so far.
pub struct Draft<'d> {
    /// The schemas of the document.
    pub schemas: BTreeMap<&'d str, Node<'d>>,
    /// What their names stand for.
    pub targets: BTreeMap<&'d str, Target>,
    /// How much has been written.
    pub counts: Counts,
    /// The operations by the ids of their methods.
    pub operations: BTreeMap<String, String>,
    /// The scopes by their addresses.
    pub scopes: BTreeMap<String, String>,
    /// Whether every body is the member `data` of an object.
    pub wraps_data: bool,
    /// The schemas that are being written out, which must not lead back to themselves.
    pub open: Vec<&'d str>,
    /// Why patterns cannot be used, for those that were asked about: finding out takes long, and few are different.
    patterns: BTreeMap<String, Option<String>>,
    types: Names,
    used: BTreeSet<String>,
    items: Vec<Item>,
}

impl<'d> Draft<'d> {
    /// The draft of a document of which nothing is written.
    pub fn new(document: &Node<'d>) -> Self {
        Self {
            schemas: document.entries("schemas").into_iter().collect(),
            targets: BTreeMap::new(),
            counts: Counts::default(),
            operations: BTreeMap::new(),
            scopes: BTreeMap::new(),
            wraps_data: super::api::wraps_data(document),
            open: Vec::new(),
            patterns: BTreeMap::new(),
            types: Names::default(),
            used: BTreeSet::new(),
            items: Vec::new(),
        }
    }

    /// A free name of a type, as near to the one wanted as can be.
    pub fn type_name(&mut self, wanted: &str) -> String {
        let builtin = wireform_codegen::resolve::BUILTINS.iter().any(|(name, _)| *name == wanted);
        let fits = !builtin && wanted.len() < 120 && names::form(wanted, Casing::Type).is_some();
        let wanted = if fits { wanted.to_owned() } else { names::pascal(wanted) };
        let wanted = if wanted.is_empty() { "Unnamed".to_owned() } else { wanted };
        // A text that gives a name keeps giving one with a number behind it.
        self.types.free(&wanted, Casing::Type, names::ident).unwrap_or(wanted)
    }

    /// Why a pattern cannot be used; nothing where it can.
    pub fn refused(&mut self, pattern: &str) -> Option<String> {
        if let Some(known) = self.patterns.get(pattern) {
            return known.clone();
        }
        let why = wireform_codegen::patterns::anchored(pattern).err().map(|reason| reason.to_string());
        self.patterns.insert(pattern.to_owned(), why.clone());
        why
    }

    /// Says that something refers to a type.
    pub fn uses(&mut self, name: &str) {
        if !self.used.contains(name) {
            self.used.insert(name.to_owned());
        }
    }

    /// Adds a definition.
    pub fn add(&mut self, place: &Place, kind: Kind, name: String, body: Mapping) {
        self.items.push(Item { bucket: place.bucket.clone(), owner: place.owner.clone(), kind, name, body });
    }

    /// All definitions. A type that nothing uses is said to be there on purpose.
    pub fn finish(mut self) -> (Vec<Item>, Counts) {
        for item in &mut self.items {
            if item.kind != Kind::Operation && !self.used.contains(&item.name) {
                put(&mut item.body, "external", Some(Value::Bool(true)));
            }
        }
        (self.items, self.counts)
    }
}
