//! Sources of a crate by module.

use std::collections::BTreeMap;
use std::path::Path;

use quote::ToTokens as _;
use syn::{Attribute, Ident, Item, UseTree, Visibility};

/// Module, by the names of its ancestors and its own.
pub type Module = Vec<String>;

/// Target of a path.
pub enum Target<'s> {
    /// Module of the crate.
    Module(Module),
    /// Item of the crate; several if a type and a value share the name.
    Items(Vec<&'s Item>),
    /// Item of another crate.
    Foreign,
}

/// Sources of a crate, without tests.
#[derive(Default)]
pub struct Sources(BTreeMap<Module, Vec<Item>>);

impl Sources {
    /// Parses the sources in a folder.
    pub fn read(dir: &Path) -> Self {
        let mut sources = Self::default();
        sources.read_in(dir, &Module::new());
        sources
    }

    /// Parses texts by the names of their modules.
    pub fn of<const N: usize>(texts: [(&str, &str); N]) -> Self {
        let mut sources = Self::default();
        for (module, text) in texts {
            let module = module.split("::").filter(|it| !it.is_empty()).map(str::to_owned).collect();
            sources.add(module, syn::parse_file(text).expect("a source is Rust").items);
        }
        sources
    }

    fn read_in(&mut self, dir: &Path, module: &Module) {
        for entry in fs_err::read_dir(dir).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let inner = || module.iter().cloned().chain([name.clone()]).collect::<Module>();
            if name == "tests" {
                continue;
            }
            if path.is_dir() {
                self.read_in(&path, &inner());
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs_err::read_to_string(&path).expect("a source is text");
                let of = if ["mod", "lib"].contains(&name.as_str()) { module.clone() } else { inner() };
                self.add(of, syn::parse_file(&text).expect("a source is Rust").items);
            }
        }
    }

    fn add(&mut self, module: Module, items: Vec<Item>) {
        for item in &items {
            if let Item::Mod(inner) = item
                && let Some((_, items)) = &inner.content
                && !has(&inner.attrs, "cfg", "test")
            {
                self.add(below(&module, &inner.ident), items.iter().map(copy).collect());
            }
        }
        self.0.insert(module, items);
    }

    /// Returns the items of a module.
    pub fn items(&self, module: &Module) -> &[Item] {
        self.0.get(module).map_or(&[], Vec::as_slice)
    }

    /// Returns the modules with their items.
    pub fn modules(&self) -> impl Iterator<Item = (&Module, &[Item])> {
        self.0.iter().map(|(module, items)| (module, items.as_slice()))
    }

    /// Returns all items.
    pub fn all(&self) -> impl Iterator<Item = &Item> {
        self.0.values().flatten()
    }

    /// Resolves a path in a module.
    pub fn find(&self, from: &Module, path: &[String]) -> Target<'_> {
        self.find_within(from, path, 0)
    }

    fn find_within(&self, from: &Module, path: &[String], depth: usize) -> Target<'_> {
        let mut at = from.clone();
        for (index, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => at = Module::new(),
                "self" => {}
                "super" => drop(at.pop()),
                name => {
                    let inner: Module = at.iter().cloned().chain([name.to_owned()]).collect();
                    if self.0.contains_key(&inner) {
                        at = inner;
                    } else {
                        return self.item(&at, name, &path[index + 1..], depth);
                    }
                }
            }
        }
        Target::Module(at)
    }

    /// Returns the items of a name in a module, including re-exports.
    fn item(&self, module: &Module, name: &str, rest: &[String], depth: usize) -> Target<'_> {
        let items: Vec<&Item> =
            self.items(module).iter().filter(|it| name_of(it).is_some_and(|it| it == name)).collect();
        if !items.is_empty() && rest.is_empty() {
            return Target::Items(items);
        }
        let uses = self.items(module).iter().filter_map(|item| match item {
            Item::Use(it) => Some(it),
            _ => None,
        });
        for (path, own) in uses.flat_map(|it| leaves(&it.tree)) {
            let path = match own.as_str() {
                _ if depth > 8 => continue,
                "*" => path.into_iter().chain([name.to_owned()]).collect(),
                own if own == name => path,
                _ => continue,
            };
            let path: Vec<String> = path.into_iter().chain(rest.iter().cloned()).collect();
            match self.find_within(module, &path, depth + 1) {
                Target::Foreign => {}
                found => return found,
            }
        }
        Target::Foreign
    }
}

/// Returns a copy of an item.
pub fn copy(item: &Item) -> Item {
    syn::parse2(item.to_token_stream()).expect("an item is one")
}

/// Returns the path of a nested module.
pub fn below(module: &Module, name: &Ident) -> Module {
    module.iter().cloned().chain([name.to_string()]).collect()
}

/// Returns the paths in a `use` with their names there; `*` for a glob.
pub fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    let with = |first: &Ident, rest: &UseTree| {
        let add = |(path, name): (Vec<String>, String)| ([vec![first.to_string()], path].concat(), name);
        leaves(rest)
            .into_iter()
            .map(add)
            .map(|(path, name)| if name == "self" { (path, first.to_string()) } else { (path, name) })
            .collect()
    };
    match tree {
        UseTree::Path(path) => with(&path.ident, &path.tree),
        UseTree::Name(name) if name.ident == "self" => vec![(Vec::new(), "self".to_owned())],
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(name) => vec![(vec![name.ident.to_string()], name.rename.to_string())],
        UseTree::Glob(_) => vec![(Vec::new(), "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Returns whether there is an attribute that contains a word.
pub fn has(attributes: &[Attribute], name: &str, word: &str) -> bool {
    attributes.iter().any(|it| it.path().is_ident(name) && it.meta.to_token_stream().to_string().contains(word))
}

/// Returns whether a visibility is public.
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the name of an item, if it has one.
pub fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(it) => Some(&it.ident),
        Item::Enum(it) => Some(&it.ident),
        Item::Fn(it) => Some(&it.sig.ident),
        Item::Static(it) => Some(&it.ident),
        Item::Struct(it) => Some(&it.ident),
        Item::Trait(it) => Some(&it.ident),
        Item::Type(it) => Some(&it.ident),
        Item::Macro(it) => it.ident.as_ref(),
        _ => None,
    }
}
