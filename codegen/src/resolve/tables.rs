//! Tables of definitions: the first pass over all files of an API, which assigns an index to every definition before
//! references are resolved.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::api_file::{describes_nothing, find_api};
use super::names::{self, Casing, ReservedNames};
use super::sets::Expanded;
use crate::diagnostics::{Code, Sink, Span, nearest};
use crate::model::{EnumId, Name, OperationId, ResourceId, TypeId, UnionId};
use crate::patterns::Matcher;
use crate::schema::{self, EnumDef, File, Named, Parameter, Text};

/// Maximum number of operations: generated code numbers them in 16 bits, with one value reserved for none.
const MAX_OPERATIONS: usize = u16::MAX as usize;

/// Synonyms in the names of operations.
const SYNONYMS: &[&[&str]] = &[
    &["insert", "create", "add", "post", "new"],
    &["get", "read", "fetch", "show", "retrieve"],
    &["list", "index", "query", "search", "find"],
    &["update", "replace", "put", "set"],
    &["patch", "modify", "change", "edit"],
    &["delete", "remove", "destroy"],
];

/// Definition of the schema with its name.
pub struct Definition<'s, T> {
    /// Key in the schema.
    pub key: &'s Text,
    /// Name in Rust.
    pub name: Name,
    /// Definition.
    pub def: &'s T,
}

/// All definitions of an API.
pub struct Tables<'s> {
    /// File with `api`.
    pub api: &'s File,
    /// Name of the API.
    pub api_name: &'s Text,
    /// Resources; indices are [`ResourceId`]s.
    pub resources: Vec<Definition<'s, schema::Resource>>,
    /// Enums; indices are [`EnumId`]s.
    pub enums: Vec<Definition<'s, EnumDef>>,
    /// Unions; indices are [`UnionId`]s.
    pub unions: Vec<Definition<'s, schema::Union>>,
    /// Operations; indices are [`OperationId`]s.
    pub operations: Vec<(&'s Text, &'s schema::Operation)>,
    /// Types by name.
    pub types: HashMap<&'s str, TypeId>,
    /// Operations by name.
    pub operation_ids: HashMap<&'s str, OperationId>,
    /// Scopes by name and by alias.
    pub scopes: HashMap<&'s str, usize>,
    /// Parameter sets by name.
    pub sets: HashMap<&'s str, &'s Named<Parameter>>,
    /// Types with at least one reference.
    pub used: BTreeSet<TypeId>,
    /// Names of the parameter sets, in the order of the files.
    pub set_names: Vec<&'s Text>,
    /// Parameter sets with at least one reference.
    pub used_sets: BTreeSet<String>,
    /// False if a name of a type is unknown or a construct was left out, which was reported: any type may be the one
    /// that is meant.
    pub has_all_types: bool,
    /// False if a name of a parameter set is unknown or a construct was left out, which was reported.
    pub has_all_sets: bool,
    /// Cache of compiled patterns: many parameters share one, and compiling is slow.
    pub patterns: RefCell<BTreeMap<String, Matcher>>,
}

impl<'s> Tables<'s> {
    /// Collects the definitions of all files; returns `None` if there is no usable API.
    pub fn collect(expanded: &'s Expanded, sink: &mut Sink) -> Option<Self> {
        let files = &expanded.files;
        let (api, api_name) = find_api(files, sink)?;
        let is_alone = files.iter().all(|file| std::ptr::eq(file, api) || describes_nothing(file));
        let mut tables = Self {
            api,
            api_name,
            resources: Vec::new(),
            enums: Vec::new(),
            unions: Vec::new(),
            operations: Vec::new(),
            types: HashMap::new(),
            operation_ids: HashMap::new(),
            scopes: HashMap::new(),
            sets: HashMap::new(),
            used: BTreeSet::new(),
            set_names: Vec::new(),
            used_sets: BTreeSet::new(),
            has_all_types: is_alone && expanded.is_complete,
            has_all_sets: is_alone,
            patterns: RefCell::default(),
        };
        let mut seen = Seen::default();
        for file in files {
            tables.types_of(file, &mut seen, sink);
            tables.operations_of(file, &mut seen, sink);
        }
        for (index, (name, scope)) in api.scopes.0.iter().enumerate() {
            tables.scopes.insert(&name.text, index);
            tables.scopes.extend(scope.0.aliases.iter().map(|alias| (alias.text.as_str(), index)));
        }
        for (name, set) in files.iter().flat_map(|file| &file.parameter_sets.0) {
            if let Some((first, _)) = tables.sets.get_key_value(name.text.as_str()) {
                let first =
                    tables.set_names.iter().find(|other| other.text == **first).map_or(name.span, |other| other.span);
                report_duplicate(name, first, sink);
                tables.has_all_types = false;
                continue;
            }
            tables.sets.insert(&name.text, set);
            tables.set_names.push(name);
        }
        Some(tables)
    }

    fn types_of(&mut self, file: &'s File, seen: &mut Seen<'s>, sink: &mut Sink) {
        for (key, def) in &file.resources.0 {
            let Some(name) = seen.define_type(key, def.name.as_ref(), sink) else {
                self.has_all_types = false;
                continue;
            };
            self.types.insert(&key.text, TypeId::Resource(ResourceId(self.resources.len())));
            self.resources.push(Definition { key, name, def });
        }
        for (key, def) in &file.enums.0 {
            if let Some(name) = seen.define_type(key, def.name.as_ref(), sink) {
                self.types.insert(&key.text, TypeId::Enum(EnumId(self.enums.len())));
                self.enums.push(Definition { key, name, def });
            }
        }
        for (key, def) in &file.unions.0 {
            let Some(name) = seen.define_type(key, def.name.as_ref(), sink) else {
                self.has_all_types = false;
                continue;
            };
            self.types.insert(&key.text, TypeId::Union(UnionId(self.unions.len())));
            self.unions.push(Definition { key, name, def });
        }
    }

    fn operations_of(&mut self, file: &'s File, seen: &mut Seen<'s>, sink: &mut Sink) {
        for (key, def) in &file.operations.0 {
            if self.operations.len() == MAX_OPERATIONS {
                sink.report(Code::TooLarge, key.span, format!("the API has more than {MAX_OPERATIONS} operations"))
                    .help("split it into two APIs");
                (self.has_all_types, self.has_all_sets) = (false, false);
                return;
            }
            if !seen.define_operation(key, sink) {
                (self.has_all_types, self.has_all_sets) = (false, false);
                continue;
            }
            self.operation_ids.insert(&key.text, OperationId(self.operations.len()));
            self.operations.push((key, def));
        }
    }

    /// Returns an operation by name; reports an unknown one.
    pub fn operation(&self, name: &Text, sink: &mut Sink) -> Option<OperationId> {
        let found = self.operation_ids.get(name.text.as_str()).copied();
        if found.is_none() {
            let near = || nearest(&name.text, self.operation_ids.keys().copied());
            let near = self.synonym(&name.text).or_else(|| if sink.skips_suggestions() { None } else { near() });
            let place = near.and_then(|near| self.operations.get(self.operation_ids.get(near)?.0));
            let report = sink.report(Code::UnknownOperation, name.span, format!("unknown operation `{}`", name.text));
            match place {
                Some((key, _)) => {
                    report.related(key.span, "this operation is defined").help(format!("did you mean `{}`?", key.text))
                }
                None => report.suggest(&name.text, self.operation_ids.keys().copied()),
            };
        }
        found
    }

    /// Returns the operation of the same group whose method is a synonym.
    fn synonym(&self, name: &str) -> Option<&'s str> {
        let (group, method) = name.rsplit_once('.').unwrap_or(("", name));
        let words = SYNONYMS.iter().find(|words| words.contains(&method))?;
        words.iter().find_map(|word| {
            let other = if group.is_empty() { (*word).to_owned() } else { format!("{group}.{word}") };
            self.operation_ids.get_key_value(other.as_str()).map(|(key, _)| *key)
        })
    }

    /// Returns the operations of a list of names; reports unknown ones.
    pub fn operations(&self, names: &[Text], sink: &mut Sink) -> Vec<OperationId> {
        names.iter().filter_map(|name| self.operation(name, sink)).collect()
    }
}

/// Names that have been defined so far.
#[derive(Default)]
struct Seen<'s> {
    types: HashMap<&'s str, Span>,
    idents: ReservedNames,
    operations: HashMap<&'s str, Span>,
}

impl<'s> Seen<'s> {
    /// Records the name of a type and returns its Rust name; `None` after reporting a built-in or duplicate name.
    fn define_type(&mut self, key: &'s Text, given: Option<&Text>, sink: &mut Sink) -> Option<Name> {
        if super::builtins::is_builtin(&key.text) {
            sink.report(Code::DuplicateName, key.span, format!("`{}` is the name of a built-in type", key.text))
                .help("choose another name");
            return None;
        }
        if let Some(first) = self.types.insert(&key.text, key.span) {
            report_duplicate(key, first, sink);
            return None;
        }
        // A definition without a usable name is kept, so that references to it are not reported as well.
        let unusable = || Name { wire: key.text.clone(), ident: String::new(), stem: String::new() };
        let Some(name) = names::name(key, given, Casing::Type, sink) else { return Some(unusable()) };
        self.idents.take(&name.ident, &format!("`{}`", key.text), key.span, sink);
        Some(name)
    }

    /// Records the name of an operation; reports a duplicate and returns false for it.
    fn define_operation(&mut self, key: &'s Text, sink: &mut Sink) -> bool {
        let first = self.operations.insert(&key.text, key.span);
        if let Some(first) = first {
            report_duplicate(key, first, sink);
        }
        first.is_none()
    }
}

/// Reports a name that is already defined at another span.
fn report_duplicate(key: &Text, first: Span, sink: &mut Sink) {
    sink.report(Code::DuplicateName, key.span, format!("the name `{}` is defined multiple times", key.text))
        .related(first, "first defined here")
        .help("type names are global within an API: rename one of them");
}
