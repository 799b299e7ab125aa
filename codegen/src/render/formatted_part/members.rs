//! Division of long `impl` blocks: the public methods move to modules, since a type with hundreds of fields has a
//! method for each.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{ImplItem, Item, ItemImpl, Visibility};

use super::FormattedPart;
use crate::emit::Part;
use crate::render::imports;
use crate::render::item;

/// Public method: its name and its tokens.
type Member = (String, TokenStream);

impl FormattedPart {
    /// Moves the public methods of long `impl` blocks into a piece for each module, below `depth` modules. A module
    /// is named after the common prefix of its methods.
    pub fn divide_members(&mut self, depth: usize, max_lines: usize) -> Vec<Self> {
        let mut found = Vec::new();
        let long = |text: &&mut String| text.lines().count() > max_lines / 4;
        let mut entries = std::mem::take(&mut self.entries);
        for text in entries.iter_mut().flatten().filter(long) {
            let Ok(Item::Impl(mut whole)) = syn::parse_str::<Item>(text) else { continue };
            if whole.trait_.is_some() {
                continue;
            }
            let (mut stay, mut moved) = (Vec::new(), Vec::new());
            for item in std::mem::take(&mut whole.items) {
                match movable_name(&item) {
                    Some(name) => moved.push((name, item.to_token_stream())),
                    None => stay.push(item.to_token_stream()),
                }
            }
            let modules = modules(&whole, moved, max_lines);
            // A single long method would otherwise be nested into modules without end.
            if stay.is_empty() && modules.len() < 2 {
                continue;
            }
            for (module, members) in modules {
                found.extend(self.piece(depth, &module, implementation(&whole, &members)));
            }
            *text = if stay.is_empty() { String::new() } else { format_tokens(implementation(&whole, &stay)) };
        }
        self.entries = entries;
        found
    }

    /// Creates the part of a nested module that contains moved methods; `None` if they cannot be formatted.
    fn piece(&self, depth: usize, module: &str, members: TokenStream) -> Option<Self> {
        let inner = std::iter::once(imports::module_name(module));
        let modules = self.modules.iter().take(depth).cloned().chain(inner).collect();
        let uses: TokenStream = quote! { #[allow(unused_imports, clippy::wildcard_imports)] use super::*; };
        Self::new(
            Part {
                modules,
                items: vec![uses, members],
                gate_attribute: self.gate_attribute.clone(),
                ..Part::default()
            },
            true,
        )
    }
}

/// Returns an `impl` block of the same type with other members.
fn implementation(whole: &ItemImpl, members: &[TokenStream]) -> TokenStream {
    let ItemImpl { attrs, generics, self_ty, .. } = whole;
    let (parameters, _, condition) = generics.split_for_impl();
    quote! { #(#attrs)* impl #parameters #self_ty #condition { #(#members)* } }
}

fn format_tokens(tokens: TokenStream) -> String {
    let texts = item::format_items(tokens).map(|(_, items)| items).unwrap_or_default();
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Returns the methods by module. Each module has at most the allowed number of lines, unless the names do not
/// distinguish the methods.
fn modules(whole: &ItemImpl, members: Vec<Member>, max_lines: usize) -> BTreeMap<String, Vec<TokenStream>> {
    let mut found = BTreeMap::new();
    let mut open = vec![(1, members)];
    while let Some((letters, members)) = open.pop() {
        let longest = members.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut by_start: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        for (name, tokens) in members {
            by_start.entry(module_prefix(&name, letters)).or_default().push((name, tokens));
        }
        for (start, members) in by_start {
            let tokens: Vec<TokenStream> = members.iter().map(|(_, tokens)| tokens.clone()).collect();
            let lines = format_tokens(implementation(whole, &tokens)).lines().count();
            if lines + HEAD_LINES > max_lines && letters < longest {
                open.push((letters + 1, members));
            } else {
                found.entry(start).or_insert_with(Vec::new).extend(tokens);
            }
        }
    }
    found
}

/// Maximum number of lines before the `impl` block in a file of its own.
const HEAD_LINES: usize = 40;

/// Returns the module of a method: `with_a` of `with_list`, and `members_a` of `all`.
fn module_prefix(name: &str, letters: usize) -> String {
    let (kind, name) = name
        .split_once("with_")
        .filter(|(before, _)| before.is_empty())
        .map_or(("members", name), |(_, name)| ("with", name));
    // `_1st` begins with an underscore only because an identifier cannot begin with a digit.
    let start: String = name.trim_start_matches('_').chars().take(letters).collect();
    format!("{kind}_{}", start.to_lowercase()).trim_end_matches('_').to_owned()
}

/// Returns the name of a member that can move to another module, which must be public.
fn movable_name(item: &ImplItem) -> Option<String> {
    let (visibility, name) = match item {
        ImplItem::Const(it) => (&it.vis, &it.ident),
        ImplItem::Fn(it) => (&it.vis, &it.sig.ident),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then(|| name.to_string().trim_start_matches("r#").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece() -> FormattedPart {
        let with = (0..40).map(|at| quote::format_ident!("with_{}{at}", if at < 30 { "a" } else { "b" }));
        let items = vec![quote! {
            pub struct Large<T> { a: T }
            impl<T> Large<T> {
                pub const ALL: u8 = 1;
                fn own(&self) {}
                #(#[doc = " Sets it."] #[must_use] pub fn #with(self) -> Self { self })*
            }
            impl<T> Clone for Large<T> { fn clone(&self) -> Self { todo!() } }
        }];
        FormattedPart::new(Part { modules: vec!["large".to_owned()], items, ..Part::default() }, true).unwrap()
    }

    #[test]
    fn a_long_implementation_stands_in_modules_by_the_names_of_its_members() {
        let mut rest = piece();
        let found = rest.divide_members(1, 150);
        let modules: Vec<&str> = found.iter().map(|piece| piece.modules[1].as_str()).collect();
        let expected = ["members_a", "with_a0", "with_a1", "with_a2", "with_a3", "with_a4", "with_a5", "with_a6"];
        assert_eq!(modules, [&expected[..], &["with_a7", "with_a8", "with_a9", "with_b"]].concat());
        let text = |piece: &FormattedPart| {
            let mut text = String::new();
            piece.write(&mut text);
            text
        };
        let all: String = found.iter().map(&text).collect();
        assert_eq!((all.matches("/// Sets it.").count(), all.matches("pub const ALL").count()), (40, 1));
        assert_eq!(all.matches("impl<T> Large<T> {").count(), found.len());
        let rest = text(&rest);
        assert!(rest.contains("pub struct Large") && rest.contains("fn own(&self)") && rest.contains("Clone for"));
        assert!(!rest.contains("with_"), "{rest}");
    }

    #[test]
    fn one_long_member_stays() {
        let lines = (0..50_u32).map(|at| quote!(work(#at);));
        let items = vec![quote! { impl Large { pub fn long(&self) { #(#lines)* } } }];
        let mut rest = FormattedPart::new(Part { items, ..Part::default() }, true).unwrap();
        assert!(rest.divide_members(0, 20).is_empty());
        let mut text = String::new();
        rest.write(&mut text);
        assert!(text.contains("pub fn long(&self)"));
    }

    #[test]
    fn what_is_short_stays() {
        let mut rest = piece();
        assert!(rest.divide_members(1, 3000).is_empty());
    }
}
