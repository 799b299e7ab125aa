//! State of an import: the parsed document, and the definitions made from it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::document::is_own;
use super::form::Form;
use super::media;
use super::security::Security;
use super::view::{View, view};
use super::xml::Elements;
use crate::lowering::{DefinitionPath, Lowering};
use crate::node::Node;

/// Target of a schema name.
#[derive(Clone)]
pub enum Target {
    /// Resource by its name.
    Named(String),
    /// Union by its name.
    Union(String),
    /// Enum by its name, with its values.
    Enum(String, Vec<String>),
    /// Inlined wherever it is used.
    Plain,
}

impl Target {
    /// Returns the name of its definition.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) | Self::Union(name) | Self::Enum(name, _) => Some(name),
            Self::Plain => None,
        }
    }
}

/// Context in which bytes are files: the members of an object that represents the parts of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Not allowed.
    #[default]
    None,
    /// Allowed in the next object.
    Next,
    /// Would be allowed in the next object if it were used only as the parts of a form.
    NextLost,
    /// Allowed in this object.
    Here,
    /// Would be allowed in this object if it were used only as the parts of a form.
    Lost,
}

/// Key of an unnamed enum that several locations share: the definition and member that it is a part of, its values, and
/// its description.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct EnumKey {
    pub owner: String,
    pub member: String,
    pub definition: String,
}

/// Inline object, which becomes a resource.
pub struct Inline<'d> {
    /// Merged schema.
    pub view: View<'d>,
    /// Place of the resource.
    pub place: DefinitionPath,
    /// Context of files in it.
    pub files: Files,
    /// Nesting depth of unnamed schemas.
    pub depth: usize,
}

/// Import in progress.
pub struct Importer<'d> {
    /// Whole document.
    pub root: Node<'d>,
    /// Schemas of other files by their names among the components, with their names there.
    pub names: &'d BTreeMap<String, String>,
    /// True if the document was generated from a schema.
    pub is_generated: bool,
    /// Context of files.
    pub files: Files,
    /// Schemas that represent the parts of a form, and whether they have no other use.
    pub parts: BTreeMap<&'d str, bool>,
    /// XML elements of the document.
    pub elements: Elements<'d>,
    /// Security schemes and requirements.
    pub security: Security,
    /// Schemas of the components that extend another by `allOf`, by its name.
    pub extensions: BTreeMap<&'d str, Vec<(&'d str, Node<'d>)>>,
    /// Targets of schema names.
    pub targets: BTreeMap<&'d str, Target>,
    /// Names of nullable schemas.
    pub nullable: BTreeSet<&'d str>,
    /// Nodes with the defaults of definitions, which apply to references to them.
    pub defaults: BTreeMap<&'d str, Node<'d>>,
    /// Cached types of inlined schemas, and of those that are part of others.
    pub known: BTreeMap<String, Form<'d>>,
    /// Unnamed enums, which are shared if they are equal.
    pub enums: BTreeMap<EnumKey, Form<'d>>,
    /// Schemas that are being inlined, with the number of those in `writing`, to detect cycles.
    pub open: Vec<(&'d str, usize)>,
    /// Locations of the unnamed schemas that are being written, outermost first, with the names of their places.
    pub writing: Vec<(String, String)>,
    /// Names of the unions that lists and maps become because they contain themselves, by location.
    pub recursive: BTreeMap<String, String>,
    /// Nesting depth of the resource that is being written.
    pub depth: usize,
    /// Inline objects that are not written as resources yet.
    pub inline: Vec<Inline<'d>>,
    /// Names of referenced schemas.
    pub referenced: BTreeSet<&'d str>,
    /// Identifiers of the rules so far, with the last number that was added to each.
    rules: HashMap<String, usize>,
    /// Definitions so far.
    pub lowering: Lowering,
    /// Merged schemas, by the locations of their parts.
    views: RefCell<Views<'d>>,
}

/// Merged schemas that several steps need, since a chain of schemas that extend each other has many parts.
#[derive(Default)]
struct Views<'d> {
    known: HashMap<Vec<(String, bool)>, Rc<View<'d>>>,
    /// Number of members and parts of all.
    members: usize,
}

/// Maximum number of members and parts of the merged schemas that are kept, with some hundred bytes each.
const MAX_KEPT: usize = 1_000_000;

impl<'d> Importer<'d> {
    /// Creates the importer of a document.
    pub fn new(root: &Node<'d>, names: &'d BTreeMap<String, String>) -> Self {
        Self {
            root: root.clone(),
            names,
            is_generated: is_own(root),
            elements: Elements::new(root, names, is_own(root)),
            files: Files::None,
            parts: media::parts(root),
            security: Security::of(root),
            extensions: extensions(root),
            targets: BTreeMap::new(),
            nullable: BTreeSet::new(),
            defaults: BTreeMap::new(),
            known: BTreeMap::new(),
            enums: BTreeMap::new(),
            open: Vec::new(),
            writing: Vec::new(),
            recursive: BTreeMap::new(),
            depth: 0,
            inline: Vec::new(),
            referenced: BTreeSet::new(),
            rules: HashMap::new(),
            lowering: Lowering::new(is_type_name),
            views: RefCell::default(),
        }
    }

    /// Reserves the identifier of a rule, with a number if it is taken.
    pub fn rule_id(&mut self, wanted: &str) -> String {
        let mut id = wanted.to_owned();
        let mut number = self.rules.get(wanted).copied().unwrap_or_default();
        while self.rules.contains_key(&id) {
            number += 1;
            id = format!("{wanted}_{number}");
        }
        self.rules.insert(wanted.to_owned(), number.max(1));
        self.rules.entry(id.clone()).or_insert(1);
        id
    }

    /// Returns the merged view of schemas, which is kept for the next step.
    pub fn view(&self, nodes: &[Node<'d>]) -> Rc<View<'d>> {
        let key: Vec<_> = nodes.iter().map(|node| (node.at.clone(), node.without_alternatives)).collect();
        if let Some(known) = self.views.borrow().known.get(&key) {
            return Rc::clone(known);
        }
        let view = Rc::new(view(&self.root, nodes));
        let mut views = self.views.borrow_mut();
        views.members += view.properties.len() + view.nodes.len();
        if views.members <= MAX_KEPT {
            views.known.insert(key, Rc::clone(&view));
        }
        view
    }

    /// Returns the merged view of an alternative, even if it is a named schema.
    pub fn expanded(&self, nodes: &[Node<'d>]) -> Rc<View<'d>> {
        let one = self.view(nodes);
        let target = one.named.and_then(|name| self.root.schema(name));
        target.map_or(one, |target| self.view(&[target]))
    }

    /// Returns the name of a component in its own file, which is the one on the wire.
    pub fn wire_name(&self, name: &'d str) -> &'d str {
        self.names.get(name).map_or(name, String::as_str)
    }
}

impl Importer<'_> {
    /// Renames the types whose names generation gives to merge patches, with a note for each.
    pub fn rename_like_patches(&mut self) {
        let renamed = self.lowering.rename_like_patches();
        let schemas = self.root.get("components").map(|components| components.entries("schemas")).unwrap_or_default();
        let of_name = |(id, node)| Some((self.targets.get(id)?.name()?, node));
        let places: BTreeMap<&str, &Node<'_>> =
            schemas.iter().map(|(id, node)| (*id, node)).filter_map(of_name).collect();
        for (owner, what) in renamed {
            places.get(owner.as_str()).copied().unwrap_or(&self.root).note(what);
        }
    }
}

/// Returns the schemas that extend another by `allOf`, by its name.
fn extensions<'d>(root: &Node<'d>) -> BTreeMap<&'d str, Vec<(&'d str, Node<'d>)>> {
    let mut found: BTreeMap<&'d str, Vec<(&'d str, Node<'d>)>> = BTreeMap::new();
    let schemas = root.get("components").map(|components| components.entries("schemas")).unwrap_or_default();
    for (name, node) in schemas.iter().filter(|(_, node)| node.has("allOf")) {
        let bases = node.list("allOf").into_iter().filter_map(|one| one.component());
        let bases: BTreeSet<&'d str> = bases.filter(|base| base != name).collect();
        bases.into_iter().for_each(|base| found.entry(base).or_default().push((name, node.clone())));
    }
    found
}

/// Returns whether a schema name is a valid type name as it is.
fn is_type_name(name: &str) -> bool {
    let letters = name.trim_start_matches(|c: char| c.is_ascii_digit());
    name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && letters.starts_with(|c: char| c.is_ascii_uppercase())
}
