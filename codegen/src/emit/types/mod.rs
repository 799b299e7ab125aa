//! Types crate: structs, enums, their wire format, and their merge patches.
//!
//! | file | holds |
//! |---|---|
//! | `Cargo.toml` | the manifest |
//! | `src/lib.rs` | the documentation of the crate and its exports |
//! | `src/<module>.rs` | structs and enums, in their readable form |
//! | `src/wire/<module>.rs` | the wire format of their fields |
//! | `src/patch/<module>.rs` | the merge patches, if there are any |

pub mod builders;
mod defaults;
mod direction;
mod enums;
mod fill;
mod library;
mod patch;
pub mod requests;
mod structs;
pub mod unions;
mod wire;
pub mod xml;

pub use library::type_name;

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::{RustTypes, ident, snake};
use super::{Artifact, Content, Part, RustFile, features, manifest, rust_file};
use crate::model::{Api, Module, Resource, Type, TypeId};
use crate::options::Options;

/// Returns the files of the types crate.
pub fn emit<'a>(api: &'a Api, options: &'a Options) -> Vec<Artifact<'a>> {
    let name = options.crate_name(&api.name, "types");
    let at = |path: &str| format!("{name}/{path}");
    let manifest = {
        let (name, description) = (name.clone(), format!("Data types of the {} API: {}.", api.name, api.title));
        move || Content::Text(manifest::types(api, &name, &description, options))
    };
    let mut artifacts = vec![
        Artifact { path: at("Cargo.toml"), content: Box::new(manifest) },
        rust_file(at("src/lib.rs"), move || library::lib(api)),
    ];
    if !api.modules.is_empty() {
        artifacts.push(rust_file(at("src/wire/mod.rs"), move || {
            library::inner_mod(api, "Wire format of the types: names, order, and the direction of each field.")
        }));
    }
    if api.modules.iter().any(|module| has_patches(api, module)) {
        artifacts.push(rust_file(at("src/patch/mod.rs"), move || library::patch_mod(api)));
    }
    for module in &api.modules {
        artifacts.push(rust_file(at(&format!("src/{}.rs", module.name)), move || module_file(api, module)));
        artifacts.push(rust_file(at(&format!("src/wire/{}.rs", module.name)), move || wire_file(api, module)));
        if has_patches(api, module) {
            artifacts.push(rust_file(at(&format!("src/patch/{}.rs", module.name)), move || patch_file(api, module)));
        }
    }
    artifacts.extend(requests::emit(api, options, &at));
    artifacts
}

/// Returns the resources of a module.
fn resources<'a>(api: &'a Api, module: &'a Module) -> impl Iterator<Item = &'a Resource> {
    module.items.iter().filter_map(|item| match item {
        TypeId::Resource(id) => Some(api.resource(*id)),
        _ => None,
    })
}

fn has_patches(api: &Api, module: &Module) -> bool {
    resources(api, module).any(|resource| resource.patch.is_some())
}

fn is_patched(api: &Api, item: &TypeId) -> bool {
    matches!(item, TypeId::Resource(id) if api.resource(*id).patch.is_some())
}

/// Returns the types of a module, each as a part of the file.
fn parts(
    api: &Api,
    module: &Module,
    has: impl Fn(&TypeId) -> bool,
    items: impl Fn(&TypeId) -> Vec<TokenStream>,
) -> Vec<Part> {
    let file = features::module_gate(api, module, has);
    let part = |item: &TypeId| {
        let attribute = features::part_attribute(api, &file, api.type_gate(item));
        Part::new(vec![snake(library::type_name(api, item))], items(item)).gated(attribute)
    };
    module.items.iter().map(part).collect()
}

fn module_file(api: &Api, module: &Module) -> RustFile {
    let rust = RustTypes::new(api);
    let items = |item: &TypeId| match item {
        TypeId::Resource(id) => structs::items(&rust, api.resource(*id)).into_iter().collect(),
        TypeId::Enum(id) => vec![enums::item(api, *id)],
        TypeId::Union(id) => unions::items(&rust, api.union(*id)).into_iter().collect(),
    };
    let head = match module.name.as_str() {
        "types" => "Types of the API.".to_owned(),
        name => format!("Types of `{name}`."),
    };
    let head = super::docs::inner_attribute(&head);
    RustFile::with_parts(head, Vec::new(), parts(api, module, |_| true, items))
}

fn wire_file(api: &Api, module: &Module) -> RustFile {
    let rust = RustTypes::new(api);
    let patched = enums::patched_types(api, |ty| match ty {
        Type::Enum(id) => Some(api.canonical_enum(*id).0),
        _ => None,
    });
    let patched_unions = enums::patched_types(api, |ty| match ty {
        Type::Union(id) => Some(id.0),
        _ => None,
    });
    let items = |item: &TypeId| match item {
        TypeId::Resource(id) => {
            wire::items(&rust, api.resource(*id)).into_iter().chain(xml::of_resource(api, *id)).collect()
        }
        TypeId::Enum(id) if api.canonical_enum(*id) != *id => Vec::new(),
        TypeId::Enum(id) => enums::wire_macro(api.enumeration(*id), patched.contains(&id.0)).into_iter().collect(),
        TypeId::Union(id) => {
            let wire = unions::wire(&rust, api.union(*id), patched_unions.contains(&id.0));
            wire.into_iter().chain(xml::of_union(api, *id)).collect()
        }
    };
    let head = super::docs::inner_attribute(&format!("Wire format of the types of `{}`.", module.name));
    let imports = imports(api, library::own_names(api, module));
    RustFile::with_parts(head, vec![imports], parts(api, module, |_| true, items))
}

fn patch_file(api: &Api, module: &Module) -> RustFile {
    let rust = RustTypes::new(api);
    let mut patched: Vec<String> = resources(api, module)
        .filter(|resource| resource.patch.is_some())
        .map(|resource| resource.name.ident.clone())
        .collect();
    patched.sort_unstable();
    let items = |item: &TypeId| match item {
        TypeId::Resource(id) => patch::items(&rust, api.resource(*id)).into_iter().collect(),
        _ => Vec::new(),
    };
    let head = super::docs::inner_attribute(&format!("Merge patches of the types of `{}`.", module.name));
    let parts = parts(api, module, |item| is_patched(api, item), items);
    RustFile::with_parts(head, vec![imports(api, patched)], parts)
}

/// Emits the `use` of a file's own types; with features it is a glob, since they decide which types exist.
fn imports(api: &Api, names: Vec<String>) -> TokenStream {
    // The features decide which of them exist.
    if api.features.has_group_features() {
        return quote! {
            #[allow(unused_imports)]
            use crate::*;
        };
    }
    // A file can consist of aliases of enums only.
    if names.is_empty() {
        return TokenStream::new();
    }
    let names = names.iter().map(|name| ident(name));
    quote! { use crate::{#(#names),*}; }
}
