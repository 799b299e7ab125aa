//! The state of an import: what is known of the document, and what has been made of it.

use std::collections::{BTreeMap, BTreeSet};

use super::document::is_own;
use super::form::Form;
use super::media;
use super::security::Security;
use super::view::View;
use super::xml::Elements;
use crate::lowering::{Lowering, Place};
use crate::node::Node;

/// What the name of a schema stands for.
#[derive(Clone)]
pub enum Target {
    /// A resource by its name.
    Named(String),
    /// A union by its name.
    Union(String),
    /// An enum by its name, with its values.
    Enum(String, Vec<String>),
    /// Neither: it is written out wherever it is used.
    Plain,
}

/// Where bytes are files: the members of an object that is the parts of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Nowhere.
    #[default]
    None,
    /// In the object that comes next.
    Next,
    /// In the object that comes next, were it nothing but the parts of a form.
    NextLost,
    /// Here.
    Here,
    /// Here, were the object nothing but the parts of a form.
    Lost,
}

/// An enum without a name of its own, by what has to be the same in all places that share it: the definition and the
/// member that it is a part of, its values, and what is said of it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Shared {
    pub owner: String,
    pub member: String,
    pub definition: String,
}

/// An object in a type, which becomes a resource of its own.
pub struct Inline<'d> {
    /// All that is said of it.
    pub view: View<'d>,
    /// Where it stands, under the name of the resource.
    pub place: Place,
    /// Where bytes in it are files.
    pub files: Files,
    /// How many schemas without names it is within.
    pub depth: usize,
}

/// An import that is under way.
pub struct Importer<'d> {
    /// The whole document.
    pub root: Node<'d>,
    /// Whether it was made of a schema.
    pub own: bool,
    /// Where bytes are files.
    pub files: Files,
    /// The schemas that are the parts of a form, and whether they are nothing else.
    pub parts: BTreeMap<&'d str, bool>,
    /// What it says of XML.
    pub elements: Elements<'d>,
    /// Who may ask.
    pub security: Security,
    /// What the names of its schemas stand for.
    pub targets: BTreeMap<&'d str, Target>,
    /// The names of the schemas of which null is a value.
    pub nullable: BTreeSet<&'d str>,
    /// What says the defaults of enums with a name, which are those of whatever refers to one of them.
    pub defaults: BTreeMap<&'d str, Node<'d>>,
    /// The types of schemas that are no definitions, and of those that are parts of others.
    pub known: BTreeMap<String, Form<'d>>,
    /// The enums without names, which are written once where they are the same.
    pub enums: BTreeMap<Shared, Form<'d>>,
    /// The schemas that are being written out, which must not lead back to themselves.
    pub open: Vec<&'d str>,
    /// The places of the schemas without names that are being written, one within another.
    pub writing: Vec<String>,
    /// How many schemas without names the resource is within that is being written.
    pub depth: usize,
    /// The objects in the types so far that are no resources yet.
    pub inline: Vec<Inline<'d>>,
    /// Those of them that something refers to.
    pub referenced: BTreeSet<&'d str>,
    /// The definitions so far.
    pub lowering: Lowering,
}

impl<'d> Importer<'d> {
    /// Creates the importer of a document.
    pub fn new(root: &Node<'d>) -> Self {
        Self {
            root: root.clone(),
            own: is_own(root),
            elements: Elements::new(root, is_own(root)),
            files: Files::None,
            parts: media::parts(root),
            security: Security::of(root),
            targets: BTreeMap::new(),
            nullable: BTreeSet::new(),
            defaults: BTreeMap::new(),
            known: BTreeMap::new(),
            enums: BTreeMap::new(),
            open: Vec::new(),
            writing: Vec::new(),
            depth: 0,
            inline: Vec::new(),
            referenced: BTreeSet::new(),
            lowering: Lowering::new(stays),
        }
    }
}

/// Whether a name of a schema can be that of a type as it is.
fn stays(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && name.starts_with(|c: char| c.is_ascii_uppercase())
}
