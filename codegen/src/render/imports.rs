//! Imports that a piece of a file needs, and names that it exports.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Item, ItemUse, UseTree, Visibility};

/// Names in tokens that are resolved in scope: those that do not follow a `::`.
#[derive(Default)]
pub struct Identifiers(BTreeSet<String>);

impl Identifiers {
    /// Adds the names of tokens.
    pub fn collect(&mut self, tokens: &TokenStream) {
        let mut colons = 0;
        for tree in tokens.clone() {
            match &tree {
                TokenTree::Ident(word) if colons < 2 => drop(self.0.insert(word.to_string())),
                TokenTree::Group(group) => self.collect(&group.stream()),
                _ => {}
            }
            colons = if matches!(&tree, TokenTree::Punct(it) if it.as_char() == ':') { colons + 1 } else { 0 };
        }
    }

    /// Adds the names of another piece.
    pub fn merge(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }
}

/// Parses tokens as items; returns an empty list if they are not valid items.
fn parse_items(tokens: &TokenStream) -> Vec<Item> {
    syn::parse2::<syn::File>(tokens.clone()).map(|file| file.items).unwrap_or_default()
}

/// Returns whether the tokens are private imports only.
pub fn is_use(tokens: &TokenStream) -> bool {
    let items = parse_items(tokens);
    let private = |item: &Item| matches!(item, Item::Use(it) if matches!(it.vis, Visibility::Inherited));
    !items.is_empty() && items.iter().all(private)
}

/// Returns the imports that are used. Imports that may be unused, even with some features only, stay whole: a trait
/// is not named where its methods are called. All returned imports may be unused, since a name can occur with another
/// meaning, such as a variant with the name of a type.
pub fn used_imports(uses: &[TokenStream], words: &Identifiers) -> Vec<TokenStream> {
    let kept = |tokens: &TokenStream| {
        let items = parse_items(tokens).into_iter().filter_map(|item| match item {
            Item::Use(item) if item.attrs.is_empty() => filter_import(item, words),
            Item::Use(mut item) => {
                item.attrs.retain(|attribute| !["allow", "cfg_attr"].iter().any(|of| attribute.path().is_ident(of)));
                Some(quote! { #[allow(unused_imports)] #item })
            }
            item => Some(item.into_token_stream()),
        });
        items.collect::<TokenStream>()
    };
    uses.iter().map(kept).filter(|tokens| !tokens.is_empty()).collect()
}

fn filter_import(mut item: ItemUse, words: &Identifiers) -> Option<TokenStream> {
    item.tree = filter_tree(item.tree, words)?;
    Some(quote! { #[allow(unused_imports)] #item })
}

fn filter_tree(tree: UseTree, words: &Identifiers) -> Option<UseTree> {
    match tree {
        UseTree::Name(name) => words.0.contains(&name.ident.to_string()).then_some(UseTree::Name(name)),
        UseTree::Rename(name) => words.0.contains(&name.rename.to_string()).then_some(UseTree::Rename(name)),
        UseTree::Glob(glob) => Some(UseTree::Glob(glob)),
        UseTree::Path(mut path) => {
            *path.tree = filter_tree(*path.tree, words)?;
            Some(UseTree::Path(path))
        }
        UseTree::Group(mut group) => {
            group.items = group.items.into_iter().filter_map(|inner| filter_tree(inner, words)).collect();
            (!group.items.is_empty()).then_some(UseTree::Group(group))
        }
    }
}

/// Returns the imported names.
pub fn imported_names(uses: &[TokenStream]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let items = uses.iter().flat_map(parse_items);
    let mut open: Vec<UseTree> =
        items.filter_map(|item| if let Item::Use(item) = item { Some(item.tree) } else { None }).collect();
    while let Some(tree) = open.pop() {
        match tree {
            UseTree::Name(name) => drop(found.insert(name.ident.to_string())),
            UseTree::Rename(name) => drop(found.insert(name.rename.to_string())),
            UseTree::Glob(_) => {}
            UseTree::Path(path) => open.push(*path.tree),
            UseTree::Group(group) => open.extend(group.items),
        }
    }
    found
}

/// Returns a valid name of a module and its file. A keyword is not valid, even as a raw identifier.
pub fn module_name(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    if syn::parse_str::<Ident>(name).is_ok() { name.to_owned() } else { format!("{name}_") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_names_that_are_looked_up_where_they_stand() {
        let mut words = Identifiers::default();
        words.collect(&quote! { fn a<'b>(at: crate::At) { match at { Self::One => "c", _ => Vec::<D>::new() } } });
        let expected = ["D", "Self", "Vec", "_", "a", "at", "b", "crate", "fn", "match"];
        assert_eq!(words.0.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
