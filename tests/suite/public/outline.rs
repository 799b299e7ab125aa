//! Outline of the public items.

use std::collections::BTreeSet;

use quote::{ToTokens as _, format_ident};
use syn::{Attribute, Fields, FnArg, ImplItem, Item, ItemMacro, Pat, TraitItem, Type, Visibility, parse_quote};

use super::sources::{Module, Sources, Target, below, copy, has, is_public, leaves, name_of};

/// Returns the public items of a crate, each in the modules by which it can be named. Items that macros generate are
/// omitted, and two types of one name each have the methods of both.
pub fn outline(sources: &Sources) -> Vec<Item> {
    let macros = sources.all().filter_map(|item| match item {
        Item::Macro(it) if has(&it.attrs, "macro_export", "") && !is_hidden(&it.attrs) => Some(exported(it)),
        _ => None,
    });
    let mut macros: Vec<Item> = macros.collect();
    macros.sort_by_key(|it| it.to_token_stream().to_string());
    walk(sources, &Module::new(), &mut BTreeSet::new()).into_iter().chain(macros).collect()
}

/// Returns the name of each public type, trait and alias of a crate with the module that defines it. One name occurs
/// once for a module, also if several paths lead to the item, or if its definition depends on the target.
pub fn definitions(sources: &Sources) -> BTreeSet<(String, Module)> {
    let mut reachable = BTreeSet::new();
    collect_types(&outline(sources), &mut reachable);
    let all = sources.modules().flat_map(|(module, items)| items.iter().map(move |item| (module, item)));
    let public = all.filter(|(_, item)| is_type(item)).filter_map(|(module, item)| {
        let is_reachable = stripped(item).is_some_and(|it| reachable.contains(&it.to_token_stream().to_string()));
        name_of(item).filter(|_| is_reachable).map(|name| (name.to_string(), module.clone()))
    });
    public.collect()
}

fn is_type(item: &Item) -> bool {
    matches!(item, Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_))
}

/// Adds the types, traits and aliases of an outline and its modules.
fn collect_types(items: &[Item], found: &mut BTreeSet<String>) {
    for item in items {
        match item {
            Item::Mod(it) => collect_types(it.content.as_ref().map_or(&[], |(_, items)| items), found),
            item if is_type(item) => drop(found.insert(item.to_token_stream().to_string())),
            _ => {}
        }
    }
}

fn exported(it: &ItemMacro) -> Item {
    let name = &it.ident;
    parse_quote! { macro_rules! #name { () => {}; } }
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden") || has(attributes, "cfg", "(test)")
}

/// Returns the public items of a module. A module that re-exports an enclosing one is not expanded again.
fn walk(sources: &Sources, module: &Module, open: &mut BTreeSet<Module>) -> Vec<Item> {
    if !open.insert(module.clone()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for item in sources.items(module) {
        match item {
            Item::Use(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                for (path, name) in leaves(&it.tree) {
                    found.extend(reexported(sources, module, (&path, &name), open));
                }
            }
            Item::Mod(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                let inner = walk(sources, &below(module, &it.ident), open);
                let name = &it.ident;
                found.push(parse_quote! { pub mod #name { #(#inner)* } });
            }
            item => found.extend(own(sources, item, None)),
        }
    }
    open.remove(module);
    found
}

fn reexported(
    sources: &Sources,
    module: &Module,
    (path, name): (&[String], &str),
    open: &mut BTreeSet<Module>,
) -> Vec<Item> {
    match sources.find(module, path) {
        Target::Module(inner) if name == "*" => walk(sources, &inner, open),
        Target::Module(inner) => {
            let items = walk(sources, &inner, open);
            let name = format_ident!("{name}");
            vec![parse_quote! { pub mod #name { #(#items)* } }]
        }
        Target::Items(items) => items.into_iter().flat_map(|item| own(sources, item, Some(name))).collect(),
        Target::Foreign => {
            let path: syn::Path = syn::parse_str(&path.join("::")).expect("a path is one");
            match name {
                "*" => vec![parse_quote! { pub use #path::*; }],
                _ if path.segments.last().is_some_and(|last| last.ident == name) => {
                    vec![parse_quote! { pub use #path; }]
                }
                name => {
                    let name = format_ident!("{name}");
                    vec![parse_quote! { pub use #path as #name; }]
                }
            }
        }
    }
}

/// Returns an item with its implementations, if it is public.
fn own(sources: &Sources, item: &Item, renamed: Option<&str>) -> Vec<Item> {
    let Some(formatted) = stripped(item) else { return Vec::new() };
    let name = name_of(item).map(ToString::to_string).unwrap_or_default();
    let mut found = Vec::new();
    if renamed.is_some_and(|renamed| renamed != name) {
        let (name, renamed) = (format_ident!("{name}"), format_ident!("{}", renamed.unwrap_or_default()));
        found.push(parse_quote! { pub use self::#name as #renamed; });
    }
    found.push(formatted);
    if matches!(item, Item::Struct(_) | Item::Enum(_)) {
        let mut impls: Vec<Item> = sources.all().filter_map(|item| implemented(item, &name)).collect();
        impls.sort_by_key(|it| it.to_token_stream().to_string());
        found.extend(impls);
    }
    found
}

/// Removes attributes that are not part of the API.
fn strip_attributes(all: &mut Vec<Attribute>) {
    let formatted = ["cfg", "derive", "deprecated", "must_use", "non_exhaustive", "repr"];
    all.retain(|it| formatted.iter().any(|name| it.path().is_ident(name)));
}

fn stripped(item: &Item) -> Option<Item> {
    let mut item = copy(item);
    let (attrs, is_shown): (&mut Vec<Attribute>, _) = match &mut item {
        Item::Const(it) => {
            *it.expr = parse_quote! { _ };
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Enum(it) => {
            it.variants.iter_mut().for_each(|variant| {
                strip_attributes(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|field| field.attrs.clear());
            });
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Fn(it) => {
            *it.block = parse_quote! { {} };
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Static(it) => {
            *it.expr = parse_quote! { _ };
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Struct(it) => {
            strip_fields(&mut it.fields);
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Trait(it) => {
            it.items.retain_mut(strip_trait_item);
            (&mut it.attrs, is_public(&it.vis))
        }
        Item::Type(it) => (&mut it.attrs, is_public(&it.vis)),
        _ => return None,
    };
    if !is_shown || is_hidden(attrs) {
        return None;
    }
    strip_attributes(attrs);
    Some(item)
}

/// Removes private fields; those of a tuple become `_`.
fn strip_fields(fields: &mut Fields) {
    match fields {
        Fields::Named(named) => {
            let all = std::mem::take(&mut named.named);
            named.named = all.into_iter().filter(|field| is_public(&field.vis)).collect();
            named.named.iter_mut().for_each(|field| field.attrs.clear());
        }
        Fields::Unnamed(unnamed) => {
            for field in &mut unnamed.unnamed {
                field.attrs.clear();
                if !is_public(&field.vis) {
                    (field.vis, field.ty) = (Visibility::Inherited, parse_quote! { _ });
                }
            }
        }
        Fields::Unit => {}
    }
}

fn strip_trait_item(item: &mut TraitItem) -> bool {
    match item {
        TraitItem::Fn(it) => {
            let is_shown = !is_hidden(&it.attrs);
            strip_attributes(&mut it.attrs);
            if it.default.is_some() {
                it.default = Some(parse_quote! { {} });
            }
            is_shown
        }
        TraitItem::Const(it) => {
            strip_attributes(&mut it.attrs);
            if let Some((_, value)) = &mut it.default {
                *value = parse_quote! { _ };
            }
            true
        }
        TraitItem::Type(it) => {
            strip_attributes(&mut it.attrs);
            true
        }
        _ => false,
    }
}

/// Returns the public part of an implementation for a type.
fn implemented(item: &Item, name: &str) -> Option<Item> {
    let Item::Impl(it) = item else { return None };
    let Type::Path(of) = &*it.self_ty else { return None };
    let is_of = of.path.segments.last().is_some_and(|last| last.ident == name);
    if !is_of || is_hidden(&it.attrs) {
        return None;
    }
    let Item::Impl(mut it) = copy(item) else { return None };
    strip_attributes(&mut it.attrs);
    if it.trait_.is_some() {
        it.items.clear();
        return Some(Item::Impl(it));
    }
    it.items.retain_mut(|item| match item {
        ImplItem::Fn(it) => {
            let is_shown = is_public(&it.vis) && !is_hidden(&it.attrs);
            strip_attributes(&mut it.attrs);
            it.block = parse_quote! { {} };
            it.sig.inputs.iter_mut().for_each(plain);
            is_shown
        }
        ImplItem::Const(it) => {
            let is_shown = is_public(&it.vis) && !is_hidden(&it.attrs);
            strip_attributes(&mut it.attrs);
            it.expr = parse_quote! { _ };
            is_shown
        }
        _ => false,
    });
    (!it.items.is_empty()).then_some(Item::Impl(it))
}

/// Removes `mut`, which is not part of the signature.
fn plain(argument: &mut FnArg) {
    match argument {
        FnArg::Receiver(it) => it.mutability = None,
        FnArg::Typed(it) => {
            if let Pat::Ident(name) = &mut *it.pat {
                name.mutability = None;
            }
        }
    }
}
