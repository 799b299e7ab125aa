//! What is being made of a document, whatever language it is in: the definitions so far, the names that are taken, and
//! the counts.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use crate::Counts;
use crate::files::{Item, Kind};
use crate::names::{self, Names};

/// What is told of a member that only the server writes, and that no body can be without: a client is never asked for it.
pub const ONLY_THE_SERVER: &str = "`required` is left out: only the server writes the member";

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

/// The definitions so far.
pub struct Definitions {
    /// How much has been written.
    pub counts: Counts,
    /// Whether a name of a document can stay, of those that the schema reader takes.
    stays: fn(&str) -> bool,
    /// Why patterns cannot be used, for those that were asked about: finding out takes long, and few are different.
    patterns: BTreeMap<String, Option<String>>,
    types: Names,
    items: Vec<Item>,
}

impl Definitions {
    /// None, and the names of a document that can stay.
    pub fn new(stays: fn(&str) -> bool) -> Self {
        Self { counts: Counts::default(), stays, patterns: BTreeMap::new(), types: Names::default(), items: Vec::new() }
    }

    /// A free name of a type, as near to the one wanted as can be.
    pub fn type_name(&mut self, wanted: &str) -> String {
        let builtin = wireform_codegen::resolve::BUILTINS.iter().any(|(name, _)| *name == wanted);
        let stays = !builtin && (self.stays)(wanted) && wanted.len() < 120;
        let stays = stays && names::form(wanted, Casing::Type).is_some();
        let wanted = if stays { wanted.to_owned() } else { names::pascal(wanted) };
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

    /// The type of a member of a resource that has been written.
    pub fn type_of(&self, resource: &str, member: &str) -> Option<&Value> {
        let written = self.items.iter().find(|item| item.kind == Kind::Resource && item.name == resource)?;
        written.body.get("fields")?.get(member)?.get("type")
    }

    /// Adds a definition.
    pub fn add(&mut self, place: &Place, kind: Kind, name: String, body: Mapping) {
        self.items.push(Item { bucket: place.bucket.clone(), owner: place.owner.clone(), kind, name, body });
    }

    /// All that are used, or have a name in the document.
    pub fn finish(self, api: &Mapping) -> (Vec<Item>, Counts) {
        (crate::uses::settle(self.items, api), self.counts)
    }
}
