//! What is being made of a document: the definitions so far, the names that are taken, and the counts.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::media;
use super::node::Node;
use super::own;
use super::security::Security;
use super::types::Form;
use crate::Counts;
use crate::files::{Item, Kind, put};
use crate::names::{self, Names};

/// What the name of a schema stands for.
#[derive(Clone)]
pub enum Target {
    /// A resource or a union by its name.
    Named(String),
    /// An enum by its name, with its values.
    Enum(String, Vec<String>),
    /// Neither: it is written out wherever it is used.
    Plain,
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

impl Place {
    /// The place of a definition with a name of its own.
    pub fn of_type(name: &str) -> Self {
        Self { bucket: "types".to_owned(), owner: name.to_owned(), name: name.to_owned() }
    }

    /// The place of a part.
    pub fn part(&self, suffix: &str) -> Self {
        Self { name: format!("{}{}", self.name, names::pascal(suffix)), ..self.clone() }
    }
}

/// Where bytes are files: the members of an object that is the parts of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Nowhere.
    #[default]
    None,
    /// In the object that comes next.
    Next,
    /// Here.
    Here,
}

/// The schema so far.
pub struct Draft<'d> {
    /// The whole document.
    pub root: Node<'d>,
    /// Whether it was made of a schema.
    pub own: bool,
    /// Where bytes are files.
    pub files: Files,
    /// The schemas that are the parts of a form.
    pub parts: BTreeSet<&'d str>,
    /// Who may ask.
    pub security: Security,
    /// What the names of its schemas stand for.
    pub targets: BTreeMap<&'d str, Target>,
    /// The types of schemas that are no definitions, and of those that are parts of others.
    pub known: BTreeMap<String, Form<'d>>,
    /// The schemas that are being written out, which must not lead back to themselves.
    pub open: Vec<&'d str>,
    /// How much has been written.
    pub counts: Counts,
    /// Why patterns cannot be used, for those that were asked about.
    patterns: BTreeMap<String, Option<String>>,
    types: Names,
    used: BTreeSet<String>,
    items: Vec<Item>,
}

impl<'d> Draft<'d> {
    /// The draft of a document of which nothing is written.
    pub fn new(root: &Node<'d>) -> Self {
        Self {
            root: root.clone(),
            own: own::is_own(root),
            files: Files::None,
            parts: media::parts(root),
            security: Security::of(root),
            targets: BTreeMap::new(),
            known: BTreeMap::new(),
            open: Vec::new(),
            counts: Counts::default(),
            patterns: BTreeMap::new(),
            types: Names::default(),
            used: BTreeSet::new(),
            items: Vec::new(),
        }
    }

    /// A free name of a type, as near to the one wanted as can be.
    pub fn type_name(&mut self, wanted: &str) -> String {
        let builtin = wireform_codegen::resolve::BUILTINS.iter().any(|(name, _)| *name == wanted);
        let plain = wanted.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let begins = wanted.starts_with(|c: char| c.is_ascii_uppercase());
        let fits = !builtin && plain && begins && wanted.len() < 120 && names::form(wanted, Casing::Type).is_some();
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

    /// Says so where something does.
    pub fn uses_if(&mut self, name: &str, is_used: bool) {
        if is_used {
            self.uses(name);
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
