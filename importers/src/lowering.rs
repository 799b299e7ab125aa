//! Lowering of documents of any format to the schema language: the definitions so far, the reserved names, the members
//! that become fields and parameters, and the counts.

mod constraints;
mod defaults;
mod member;
mod patches;
mod unions;

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::diagnostics::Sink;
use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Deprecation;
use wireform_codegen::schema::Resource;
use wireform_codegen::schema::file::File;
use wireform_codegen::schema::http::{HttpLine, HttpPath};
use wireform_codegen::schema::read::{Located, Read, Text};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node;

use crate::Counts;
use crate::definition::{Definition, Item};
use crate::names::{self, NameScope};

pub use crate::definition::DefinitionPath;
pub use constraints::{Constraints, Key, range};
pub use member::Member;

/// Note about a required member that only the server writes, so that clients need not send it.
pub const REQUIRED_OUTPUT_ONLY: &str = "`required` is left out: the field is `readOnly`";

/// Definitions created from a document.
pub struct Lowering {
    /// Counts of written parts.
    pub counts: Counts,
    /// Predicate of valid names of a document that are kept as they are.
    keeps_name: fn(&str) -> bool,
    types: NameScope,
    items: Vec<Item>,
    /// Indices of the resources among the items, by name.
    resources: BTreeMap<String, usize>,
    /// Locations of the defaults that are checked when all types are known.
    defaults: Vec<String>,
}

impl Lowering {
    /// Creates an empty lowering, for documents whose names are kept where `is_kept` returns true.
    pub fn new(is_kept: fn(&str) -> bool) -> Self {
        Self {
            counts: Counts::default(),
            keeps_name: is_kept,
            types: NameScope::default(),
            items: Vec::new(),
            resources: BTreeMap::new(),
            defaults: Vec::new(),
        }
    }

    /// Reserves a unique type name, as similar to the wanted one as possible.
    pub fn type_name(&mut self, wanted: &str) -> String {
        let builtin = wireform_codegen::resolve::BUILTINS.iter().any(|(name, _)| *name == wanted);
        let is_kept = !builtin && (self.keeps_name)(wanted) && wanted.len() < 120;
        let is_kept = is_kept && names::rust_name(wanted, Casing::Type).is_some();
        let wanted = if is_kept { wanted.to_owned() } else { names::pascal(wanted) };
        let wanted = if wanted.is_empty() { "Unnamed".to_owned() } else { wanted };
        // A valid name stays valid with a number appended.
        self.types.reserve_free(&wanted, Casing::Type, names::ident).unwrap_or(wanted)
    }

    /// Returns a resource that has been added.
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.items.get(*self.resources.get(name)?)?.resource()
    }

    /// Returns the type of a member of a resource that has been added.
    pub fn type_of(&self, resource: &str, member: &str) -> Option<&TypeExpr> {
        self.resource(resource)?.fields.get(member).map(|field| &field.ty)
    }

    /// Adds a definition.
    pub fn add(&mut self, place: &DefinitionPath, name: String, definition: impl Into<Definition>) {
        let definition = definition.into();
        if matches!(definition, Definition::Resource(_)) {
            self.resources.entry(name.clone()).or_insert(self.items.len());
        }
        self.items.push(Item { bucket: place.bucket.clone(), owner: place.owner.clone(), name, definition });
    }

    /// Removes the types that are reachable neither from an operation, nor from the file of the API, nor from the given
    /// names, and returns their names. If there are no operations, all types stay, since the document exists for them.
    pub fn remove_unreferenced(&mut self, api: &File, names: &BTreeSet<String>) -> BTreeSet<String> {
        if !self.items.iter().any(|item| item.operation().is_some()) {
            return BTreeSet::new();
        }
        let reached = crate::usage::reachable_types(&self.items, api, names);
        let is_left_out = |item: &Item| item.operation().is_none() && !reached.contains(&item.name);
        let out = self.items.iter().filter(|item| is_left_out(item)).map(|item| item.name.clone()).collect();
        self.items.retain(|item| !is_left_out(item));
        let resources = self.items.iter().enumerate().filter(|(_, item)| item.resource().is_some());
        self.resources = resources.map(|(at, item)| (item.name.clone(), at)).collect();
        out
    }

    /// Returns the definitions that are used or named in the document, and the counts.
    pub fn finish(self, api: &File) -> (Vec<Item>, Counts) {
        let items = crate::usage::remove_unused_parts(self.items, api);
        let enums = items.iter().filter_map(|item| match &item.definition {
            Definition::Enum(definition) => Some(definition.values.0.len()),
            _ => None,
        });
        let counts = Counts { enums: enums.clone().count(), enum_values: enums.sum(), ..self.counts };
        (items, counts)
    }
}

/// Creates a text from an optional value.
pub fn text(text: Option<impl Into<String>>) -> Option<Text> {
    text.map(Text::from)
}

/// Creates texts.
pub fn texts<T: Into<String>>(all: impl IntoIterator<Item = T>) -> Vec<Text> {
    all.into_iter().map(Text::from).collect()
}

/// Creates `true` if the flag is set.
pub fn flag(is_set: bool) -> Option<Located<bool>> {
    is_set.then(|| true.into())
}

/// Creates the deprecation if the flag is set.
pub fn deprecated(is_deprecated: bool) -> Option<Short<Deprecation>> {
    is_deprecated.then(|| Deprecation::default().into())
}

/// Parses an http line.
///
/// # Errors
/// Returns an error with the reason if the text is not valid.
pub fn http_line(line: &str) -> Result<HttpLine, String> {
    parse_text(line)
}

/// Parses a path without a method.
///
/// # Errors
/// Returns an error with the reason if the text is not valid.
pub fn http_path(path: &str) -> Result<HttpPath, String> {
    parse_text(path)
}

/// Parses a text in the syntax of the schema language as if it were a quoted scalar there.
fn parse_text<T: Read>(text: &str) -> Result<T, String> {
    read(&Node::quoted(text)).map_err(|why| why.unwrap_or_else(|| "invalid path".to_owned()))
}

/// Parses a node as a part of the schema language.
///
/// # Errors
/// Returns an error with the first reason if the node is not valid.
pub fn read<T: Read>(node: &Node) -> Result<T, Option<String>> {
    let mut sink = Sink::new();
    let found = T::read(node, &mut sink);
    let first = sink.into_sorted().into_iter().next().map(|first| first.message);
    match (found, first) {
        (Some(found), None) => Ok(found),
        (_, first) => Err(first),
    }
}
