//! Macros that expand to the members of a trait, which prettyplease does not format.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, ItemMacro};

use super::spacing::space_functions;

/// Formats `macro_rules! name { () => { … }; }` with its members as in a trait; returns `None` for any other macro.
pub fn format_member_macro(item: &ItemMacro) -> Option<String> {
    let name = item.ident.as_ref()?;
    let (attributes, members) = (&item.attrs, expansion(item.mac.tokens.clone())?);
    let carried = trait_text(attributes, &members)?;
    let (before, members) = carried.split_once("trait Members {\n")?;
    let mut text = format!("{before}macro_rules! {name} {{\n    () => {{\n");
    for line in members.strip_suffix("}\n")?.lines() {
        text.push_str(if line.is_empty() { "" } else { "    " });
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("    };\n}\n");
    Some(text)
}

/// Returns the text of a trait with the members.
fn trait_text(attributes: &[Attribute], members: &TokenStream) -> Option<String> {
    let carrier = syn::parse2(quote! { #(#attributes)* trait Members { #members } }).ok()?;
    Some(space_functions(&prettyplease::unparse(&carrier)))
}

/// Returns the expansion of the only rule.
fn expansion(rules: TokenStream) -> Option<TokenStream> {
    let mut rule = rules.into_iter();
    let takes_nothing = matches!(rule.next()?, TokenTree::Group(taken) if taken.stream().is_empty());
    let members = rule.nth(2)?;
    let ends = rule.next().is_none_or(|token| matches!(token, TokenTree::Punct(_))) && rule.next().is_none();
    match members {
        TokenTree::Group(members) if takes_nothing && ends => Some(members.stream()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(tokens: TokenStream) -> Option<String> {
        format_member_macro(&syn::parse2(tokens).unwrap())
    }

    #[test]
    fn members_are_formatted_as_in_a_trait() {
        let text = text_of(quote! {
            #[cfg(feature = "fake")]
            macro_rules! some { () => { #[doc = " Says so."] fn a(&self) { let _ = 1; } fn b(); }; }
        });
        let expected = "#[cfg(feature = \"fake\")]\nmacro_rules! some {\n    () => {\n        /// Says so.\n        \
            fn a(&self) {\n            let _ = 1;\n        }\n\n        fn b();\n    };\n}\n";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn other_macros_are_left_to_the_formatter() {
        for tokens in [
            quote! { macro_rules! a { ($a:ident) => { $a }; } },
            quote! { macro_rules! a { () => { 1 }; () => { 2 }; } },
            quote! { a! { () => { 1 }; } },
        ] {
            assert_eq!(text_of(tokens.clone()), None, "{tokens}");
        }
    }
}
