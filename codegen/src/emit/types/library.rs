//! `lib.rs` and the `mod.rs` files: documentation, modules, exports.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::RustFile;
use super::super::rust::ident;
use super::super::{docs, features};
use crate::model::{Api, Module, TypeId};

/// Generates `lib.rs` of the types crate:
///
/// ```text
/// //! Calendar events, v3: data types.
/// mod event;
/// pub use self::event::{Event, EventStatus};
/// ```
pub fn lib(api: &Api) -> RustFile {
    let has_patches = api.modules.iter().any(|module| super::has_patches(api, module));
    let lists_names = lists_names(api);
    let own = [("patch", has_patches), ("wire", !api.modules.is_empty())];
    let own = own.into_iter().filter(|(_, there)| *there).map(|(name, _)| (name, TokenStream::new()));
    let defined = api.modules.iter().map(|module| (module.name.as_str(), cfg(api, module)));
    let mut modules: Vec<(&str, TokenStream)> = defined.chain(own).collect();
    modules.sort_unstable_by_key(|(name, _)| *name);
    let modules = modules.into_iter().map(|(name, cfg)| {
        let name = ident(name);
        quote! { #cfg mod #name; }
    });
    let exports = api.modules.iter().map(|module| {
        let (name, cfg) = (ident(&module.name), cfg(api, module));
        let types = reexports(lists_names, type_names(api, module));
        quote! { #cfg pub use self::#name::#types; }
    });
    let patches = api.modules.iter().filter(|module| super::has_patches(api, module)).map(|module| {
        let (name, cfg) = (ident(&module.name), patch_cfg(api, module));
        let types = reexports(lists_names, patch_names(api, module));
        quote! { #cfg pub use self::patch::#name::#types; }
    });
    let requests = (!api.operations.is_empty()).then(|| {
        quote! {
            #[cfg(feature = "requests")]
            pub mod fields;
            #[cfg(feature = "requests")]
            pub mod requests;
        }
    });
    RustFile {
        head: crate_docs(api),
        items: vec![quote! { #(#modules)* }, quote! { #(#exports)* #(#patches)* }]
            .into_iter()
            .chain(requests)
            .chain([quote! {
                #[doc = " Runtime of the types: dates, patches, JSON."]
                pub use ::wireform_runtime as runtime;
            }])
            .collect(),
        ..RustFile::default()
    }
}

/// Returns the `cfg` attribute of a file's module.
fn cfg(api: &Api, module: &Module) -> TokenStream {
    features::cfg(api, &features::module_gate(api, module, |_| true))
}

/// Returns the `cfg` attribute of a file's module of merge patches.
fn patch_cfg(api: &Api, module: &Module) -> TokenStream {
    features::cfg(api, &features::module_gate(api, module, |item| super::is_patched(api, item)))
}

/// Maximum number of type names in the exports; longer lists do not help a reader, and would be too long for a file.
const MAX_NAMES: usize = 1_000;

/// Returns whether the types are exported by name: none of them depends on features, and the list is not too long.
fn lists_names(api: &Api) -> bool {
    let types: usize = api.modules.iter().map(|module| module.items.len()).sum();
    let patches: usize = api.modules.iter().map(|module| patch_names(api, module).len()).sum();
    !api.features.has_group_features() && types + patches <= MAX_NAMES
}

/// Returns a list of names, or a glob.
fn reexports(lists_names: bool, names: Vec<String>) -> TokenStream {
    let names = names.iter().map(|name| ident(name));
    if lists_names { quote!({#(#names),*}) } else { quote!(*) }
}

/// Returns the documentation of the crate, and the lints that its code allows: it uses the deprecated fields that it
/// defines, and enum values have the names of the API.
fn crate_docs(api: &Api) -> TokenStream {
    let title = docs::inner_attribute(&format!(
        "{}, {}: data types.",
        docs::paragraph(&api.title),
        docs::paragraph(&api.version)
    ));
    let doc = docs::markdown(&api.doc);
    let doc = (!doc.is_empty()).then(|| {
        let (gap, doc) = (docs::inner_attribute(""), docs::inner_attribute(&doc));
        quote! { #gap #doc }
    });
    let gap = docs::inner_attribute("");
    let build = docs::inner_attribute(
        "Every field is optional, because responses can be partial. Build a value with `with_…` methods or a struct expression that ends in `..Default::default()`; read and write JSON with `runtime::json` or serde.",
    );
    let features = features::feature_docs(api).into_iter().map(|line| docs::inner_attribute(&line));
    quote! {
        #title
        #doc
        #gap
        #build
        #(#features)*
        #![forbid(unsafe_code)]
        #![allow(deprecated, clippy::approx_constant, clippy::enum_variant_names, clippy::excessive_precision, clippy::large_enum_variant, clippy::too_many_arguments, clippy::type_complexity, clippy::wrong_self_convention)]
    }
}

/// Returns the name of a type.
pub fn type_name<'a>(api: &'a Api, item: &TypeId) -> &'a str {
    match item {
        TypeId::Resource(id) => &api.resource(*id).name.ident,
        TypeId::Enum(id) => &api.enumeration(*id).name.ident,
        TypeId::Union(id) => &api.union(*id).name.ident,
    }
}

/// Returns the names of the types of a module, sorted.
pub fn type_names(api: &Api, module: &Module) -> Vec<String> {
    let mut names: Vec<String> = module.items.iter().map(|item| type_name(api, item).to_owned()).collect();
    names.sort_unstable();
    names
}

/// Returns the names of the types of a module that are not aliases of earlier ones.
pub fn own_names(api: &Api, module: &Module) -> Vec<String> {
    let own = |item: &&TypeId| !matches!(item, TypeId::Enum(id) if api.canonical_enum(*id) != *id);
    let mut names: Vec<String> = module.items.iter().filter(own).map(|item| type_name(api, item).to_owned()).collect();
    names.sort_unstable();
    names
}

/// Returns the names of the merge patch types of a module, sorted.
fn patch_names(api: &Api, module: &Module) -> Vec<String> {
    let mut names: Vec<String> = super::resources(api, module).filter_map(|resource| resource.patch.clone()).collect();
    names.sort_unstable();
    names
}

/// Returns the `mod.rs` of `wire`.
pub fn inner_mod(api: &Api, doc: &str) -> RustFile {
    let modules = api.modules.iter().map(|module| {
        let (name, cfg) = (ident(&module.name), cfg(api, module));
        quote! { #cfg mod #name; }
    });
    RustFile::new(docs::inner_attribute(doc), vec![quote! { #(#modules)* }])
}

/// Returns the `mod.rs` of `patch`, whose types the crate exports.
pub fn patch_mod(api: &Api) -> RustFile {
    let modules = api.modules.iter().filter(|module| super::has_patches(api, module)).map(|module| {
        let (name, cfg) = (ident(&module.name), patch_cfg(api, module));
        quote! { #cfg pub(crate) mod #name; }
    });
    RustFile::new(docs::inner_attribute("Merge patches (RFC 7396)."), vec![quote! { #(#modules)* }])
}
